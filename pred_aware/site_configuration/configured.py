"""A site read from a configuration, and the settings that the site could not take over."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, TypeVar

import msgspec

from schedulers.orders.fair_share.tree import ROOT
from schedulers.site.site import Site, SiteError
from workload_tools.expected import in_words

_MOST = 100
"""Messages show at most this many characters of an unreadable value."""
_PEOPLE = re.compile(r", (user|group|account|reservation) .*")
_OF_PEOPLE = re.compile("account|group|user|share|manager|operator|acl", re.IGNORECASE)

DEEPEST = 100
"""The maximum number of levels in a tree of accounts or groups; deeper trees would need very large
tables."""

T = TypeVar("T")
FindingKind = Literal["not modelled", "unknown", "not read", "assumed", "state"]
"""The kind of a finding. ``not modelled``: a known setting that sites cannot express. ``unknown``:
the setting is unknown to pred-aware. ``not read``: the setting cannot be read. ``assumed``: a value
was assumed. ``state``: a state at the time of the snapshot, which is not a rule.
"""


@dataclass(frozen=True, slots=True)
class SiteFinding:
    """A setting of a configuration that the site does not contain."""

    kind: FindingKind
    where: str
    """The file, and where in the file the setting is."""
    what: str
    """The setting with its value."""
    effect: str
    """The effect of the setting on the real system, or what is used instead."""

    def __str__(self) -> str:
        """Return the finding in one line."""
        return f"{self.where}: {self.what}: {self.effect}"

    def without_people(self) -> "SiteFinding":
        """Return the finding without the names of users, groups and accounts.

        Examples
        --------
        >>> one = SiteFinding("not read", "a.txt, user ann of lab", "AllowGroups=ann,bob", "-")
        >>> str(one.without_people())
        'a.txt, some user: AllowGroups: -'
        """
        where = _PEOPLE.sub(r", some \1", self.where)
        key, equals, _ = self.what.partition("=")
        of_people = equals and _OF_PEOPLE.search(key) is not None
        return replace(self, where=where, what=key if of_people else self.what)


class Findings:
    """Findings collected while a configuration is read."""

    def __init__(self) -> None:
        self._reported: Counter[SiteFinding] = Counter()
        self.without_effect = 0
        """Number of settings that do not matter for scheduling."""

    def add(self, kind: FindingKind, where: str, what: str, effect: str) -> None:
        """Add a finding; equal findings are reported once."""
        self._reported[SiteFinding(kind, where, what, effect)] += 1

    @contextmanager
    def unless_unreadable(self, where: str, what: str, without: str) -> Iterator[None]:
        """Report a ValueError in the block as a finding; `without` says what is used instead."""
        try:
            yield
        except ValueError as error:
            self.add("not read", where, _short(what), f"{_short(str(error))}: {without}")

    def read(self, where: str, what: tuple[str, str], read: Callable[[str], T]) -> T | None:
        """Return a setting's converted value; ``None`` if it is missing or cannot be read."""
        name, text = what
        if text:
            with self.unless_unreadable(where, f"{name}={text}", "treated as not set"):
                return read(text)
        return None

    def convert(self, found: dict[str, Any], kind: type[T], where: str) -> T:
        """Convert a table of a site; report invalid values and leave them out.

        Raises
        ------
        SiteError
            The table as a whole is invalid.
        """
        while True:
            try:
                return msgspec.convert(found, kind)
            except msgspec.ValidationError as error:
                why, _, at = in_words(error).partition(" in ")
                name = re.split(r"\W", at)[0]
                if name not in found:
                    raise SiteError(f"{where}: {in_words(error)}") from error
                option = f"{name}={found.pop(name)}"
                self.add("not read", where, _short(option), f"{why}: treated as not set")

    def break_cycles(self, file: str, what: str, parents: dict[str, str]) -> None:
        """Move a name directly below the root if its parents form a cycle or too many levels."""
        depths: dict[str, int] = {}
        for start in [*parents]:
            path: dict[str, None] = {}
            name = start
            while name in parents and name not in depths and name not in path:
                path[name] = None
                name = parents[name]
            if name in path:
                cycle = [*path][[*path].index(name) :]
                problem = f"the parents of {what} form a cycle: {' > '.join([*cycle, name])}"
                self._put_below_root(file, problem, name, parents)
            depth = depths.get(name, 0)
            for one in reversed(path):
                depth = 1 if parents.get(one) == ROOT else depth + 1
                if depth > DEEPEST:
                    problem = f"{what[:-1]} {one} has more than {DEEPEST} {what} above"
                    self._put_below_root(file, problem, one, parents)
                    depth = 1
                depths[one] = depth

    def _put_below_root(self, file: str, why: str, name: str, parents: dict[str, str]) -> None:
        parents[name] = ROOT
        if name == ROOT:
            del parents[name]
        self.add("assumed", file, _short(why), f"{_short(name)} is put directly below the root")

    @property
    def reported(self) -> tuple[SiteFinding, ...]:
        """All findings, in the order in which they were added."""
        return tuple(self._reported)


def _short(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[:_MOST]}..."


@dataclass(frozen=True, slots=True)
class ConfiguredSite:
    """A site that was read from the configuration of a batch system.

    Attributes
    ----------
    site : Site
        The site's nodes, rules and shares, and the tables ``[slurm]`` or ``[openpbs]``.
    scheduler : str
        The batch system with its version and main scheduling settings, in words.
    findings : tuple of SiteFinding
        Settings that the site does not contain, or that could not be read.
    without_effect : int
        Number of settings that do not matter for scheduling: ports, paths, logs.
    """

    site: Site
    scheduler: str
    findings: tuple[SiteFinding, ...]
    without_effect: int
    of_kind: dict[FindingKind, int] = field(init=False)

    def __post_init__(self) -> None:
        """Count the findings of each kind."""
        object.__setattr__(self, "of_kind", dict(Counter(one.kind for one in self.findings)))

    @property
    def sentence(self) -> str:
        """The scheduler, and how many settings of each kind the site could not take over."""
        counts = ", ".join(f"{number} {kind}" for kind, number in self.of_kind.items())
        return (
            f"{self.site.name}, {self.scheduler}; settings not used: {counts or 'none'}; "
            f"{self.without_effect} settings do not affect scheduling"
        )

    def to_dict(self, *, names: bool = True) -> dict[str, Any]:
        """Return the name of the site, the scheduler and the findings for JSON.

        If `names` is False, findings do not contain names of users, groups and accounts.
        """
        findings = [asdict(one if names else one.without_people()) for one in self.findings]
        return {
            "site": self.site.name,
            "scheduler": self.scheduler,
            "findings": findings,
            "without_effect": self.without_effect,
        }
