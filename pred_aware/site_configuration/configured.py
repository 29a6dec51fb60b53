"""A site that was read from a configuration, and what of that was not understood."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Literal

from schedulers.site.site import Site

Kind = Literal["not modelled", "unknown", "not read", "assumed", "state"]
"""Why something is told: it is known and no site says such; nobody here knows it; it could not be
read; something was taken for it; or it is how things stood at the snapshot, and no rule."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a configuration that the site does not say."""

    kind: Kind
    where: str
    """The file, or the file and the table in it."""
    what: str
    """The key with its value."""
    effect: str
    """What it would change."""

    def __str__(self) -> str:
        """Return it in a line."""
        return f"{self.where}: {self.what}: {self.effect}"


class Findings:
    """What is found while a configuration is read."""

    def __init__(self) -> None:
        self._told: Counter[Finding] = Counter()
        self.without_effect = 0
        """How many settings there are that don't matter for scheduling."""

    def add(self, kind: Kind, where: str, what: str, effect: str) -> None:
        """Tell of something; what is told already is counted."""
        self._told[Finding(kind, where, what, effect)] += 1

    @property
    def told(self) -> tuple[Finding, ...]:
        """All, in the order in which they were found."""
        return tuple(self._told)


@dataclass(frozen=True, slots=True)
class Configured:
    """A site of a configuration.

    Attributes
    ----------
    site : Site
        Its nodes, rules, shares, and the batch system's own tables.
    scheduler : str
        What runs there, in words.
    findings : tuple of Finding
        What of the configuration the site does not say, and what could not be read.
    without_effect : int
        Settings that don't matter for scheduling: ports, paths, logs.
    """

    site: Site
    scheduler: str
    findings: tuple[Finding, ...]
    without_effect: int
    of_kind: dict[Kind, int] = field(init=False)

    def __post_init__(self) -> None:
        """Count the findings of each kind."""
        object.__setattr__(self, "of_kind", dict(Counter(one.kind for one in self.findings)))

    @property
    def sentence(self) -> str:
        """What runs there, and how much of its configuration was not understood."""
        counts = ", ".join(f"{number} {kind}" for kind, number in self.of_kind.items())
        return (
            f"{self.site.name}, {self.scheduler}; of its configuration {counts or 'nothing'}"
            f"{'' if counts else ' is left out'}; {self.without_effect} settings don't matter here"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it, but for the site."""
        told = [
            {"kind": one.kind, "where": one.where, "what": one.what, "effect": one.effect}
            for one in self.findings
        ]
        return {
            "site": self.site.name,
            "scheduler": self.scheduler,
            "findings": told,
            "without_effect": self.without_effect,
        }
