"""The request of a study."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from pred_aware.report.plural import counted

if TYPE_CHECKING:
    from pred_aware.site_configuration import ConfiguredSite
    from schedulers.site.site import Site

OnProgress = Callable[[str], None]
"""Takes a line that says what a study does now."""
MINUTES = 10.0
PRECISION = 0.005
"""To which share of the baseline's mean wait and slowdown a difference is known that no more shakes
are made for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Which log, and how it is read."""

    paths: tuple[Path, ...]
    """Files or folders; of several the jobs are put together."""
    format: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    time_zone: str | None = None
    """As `workload_tools.formats.open_log` takes them."""
    processors: int | None = None
    """The machine's size, if somebody says it."""
    platform: Path | None = None
    """The machine's XML file, if there is one."""
    slurm_conf: Path | None = None
    """The cluster's slurm.conf, if there is one."""
    site: "Site | None" = None
    """The site, if there is one: its nodes, and the rules that each schedule keeps."""
    configured: "ConfiguredSite | None" = None
    """What the site was made of, where it was made of a snapshot."""
    infer_site: bool | None = None
    """Whether rules of the site are looked for in the log; ``None``: where no site is stated, and
    as far as there is time."""
    base: str | None = None
    """What the others are compared with, as `pred_aware.study.contenders` has it; by default the
    scheduler that the site states, else EASY."""
    clean: tuple[str, ...] = ()
    """Recipes of cleaning."""
    missing_walltime: str | float | None = None
    """What becomes of jobs without a walltime: ``drop`` or seconds; by default what
    `pred_aware.study.reading` decides."""
    names: bool = False
    """Whether users, groups, projects and jobs keep their names."""
    called: str | None = None
    """What the log is called, in place of its file's name."""

    @property
    def name(self) -> str:
        """What the log is called: the file's name, without its folder."""
        if self.called is not None:
            return self.called
        first, *others = (path.absolute().name for path in self.paths)
        return f"{first} and {counted(len(others), 'more file')}" if others else first

    @property
    def reported_clean(self) -> tuple[str, ...]:
        """The recipes as they may be shown: a condition on somebody's name without the name."""
        if self.names:
            return self.clean
        return tuple(
            f"(a condition on {found.group(1)})" if (found := _PERSONAL.search(text)) else text
            for text in self.clean
        )


_PERSONAL = re.compile(r"\b(user|group|project|executable|name|job)\s*(?:=|!=|<|>|in\b)")


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyEffort:
    """How much is done."""

    seconds: float | None = MINUTES * 60.0
    """How long it may take; ``None`` for as long as it takes."""
    precision: float = PRECISION
    """To which share of the baseline's the differences in mean wait and mean bounded slowdown are
    to be known; then it ends before."""
    shakes: int | None = None
    """How many shakes are made, in place of both."""
    workers: int | None = None
    """How many processes simulate; by default one per core."""


LEAST = 2.0
"""Seconds that are kept at least for what is still to be done."""


class Budget:
    """How much of its time a study has spent.

    Parameters
    ----------
    effort
        What it was given; no limit where shakes were asked for.
    began
        When it began, by the monotonic clock.
    """

    def __init__(self, effort: StudyEffort, began: float) -> None:
        self._began = began
        self._seconds = None if effort.shakes is not None else effort.seconds

    @property
    def spent(self) -> float:
        """Seconds since it began."""
        return monotonic() - self._began

    def until(self, kept: float) -> float | None:
        """Return the date by which to end so that seconds are left; ``None`` without a limit."""
        if self._seconds is None:
            return None
        return self._began + self._seconds - max(LEAST, kept)

    def by(self, share: float) -> float | None:
        """Return the date at which a share of its seconds is spent; ``None`` without a limit."""
        return None if self._seconds is None else self._began + share * self._seconds
