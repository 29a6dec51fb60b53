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
"""A function that gets a line about the current step of a study."""
MINUTES = 10.0
PRECISION = 0.005
"""The default of `StudyEffort.precision`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The log of a study and the options for reading it."""

    paths: tuple[Path, ...]
    """Files or folders. The jobs of several paths are merged."""
    format: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    time_zone: str | None = None
    """Arguments of `workload_tools.formats.open_log`."""
    processors: int | None = None
    """The machine's size, if the user gives it."""
    platform: Path | None = None
    """The machine's XML file, if there is one."""
    slurm_conf: Path | None = None
    """The cluster's slurm.conf, if there is one."""
    site: "Site | None" = None
    """The site with its nodes and rules, if there is one."""
    configured: "ConfiguredSite | None" = None
    """The snapshot from which the site was made, if there is one."""
    infer_site: bool | None = None
    """Whether to infer the site's rules from the log. ``None`` infers them if the baseline is EASY
    and the site states no rules except an order."""
    base: str | None = None
    """The baseline, one of `pred_aware.study.contenders.BASES`; by default the scheduler that the
    site states, else EASY."""
    clean: tuple[str, ...] = ()
    """The recipes of cleaning."""
    missing_walltime: str | float | None = None
    """The treatment of jobs without a walltime: ``drop`` or seconds; by default
    `pred_aware.study.reading.decided` chooses."""
    names: bool = False
    """Whether users, groups, projects and jobs keep their names."""
    called: str | None = None
    """A name for the log instead of its file's name."""

    @property
    def name(self) -> str:
        """The name of the log, by default the file's name without its folder."""
        if self.called is not None:
            return self.called
        first, *others = (path.absolute().name for path in self.paths)
        return f"{first} and {counted(len(others), 'more file')}" if others else first

    @property
    def reported_clean(self) -> tuple[str, ...]:
        """The recipes to show, without the names of persons and jobs in conditions."""
        if self.names:
            return self.clean
        return tuple(
            f"(a condition on {found.group(1)})" if (found := _PERSONAL.search(text)) else text
            for text in self.clean
        )


_PERSONAL = re.compile(r"\b(user|group|project|executable|name|job)\s*(?:=|!=|<|>|in\b)")


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyEffort:
    """The effort of a study."""

    seconds: float | None = MINUTES * 60.0
    """The maximum duration; ``None`` for no limit."""
    precision: float = PRECISION
    """The study ends early when it knows the changes of mean wait and mean bounded slowdown to this
    share of the baseline's values."""
    shakes: int | None = None
    """The number of perturbed copies, which replaces `seconds` and `precision`."""
    workers: int | None = None
    """The number of processes that simulate; by default one per core for long logs."""


LEAST = 2.0
"""The minimum number of seconds to keep for later steps."""


class Budget:
    """The time budget of a study.

    Parameters
    ----------
    effort
        The effort. With a number of perturbed copies there is no time limit.
    began
        The date of the study's begin, by the monotonic clock.
    """

    def __init__(self, effort: StudyEffort, began: float) -> None:
        self._began = began
        self._seconds = None if effort.shakes is not None else effort.seconds

    @property
    def spent(self) -> float:
        """The seconds since the study began."""
        return monotonic() - self._began

    def until(self, kept: float) -> float | None:
        """Return the date at which `kept` seconds are left, ``None`` without a limit."""
        if self._seconds is None:
            return None
        return self._began + self._seconds - max(LEAST, kept)

    def by(self, share: float) -> float | None:
        """Return the date at which a share of the seconds is spent, ``None`` without a limit."""
        return None if self._seconds is None else self._began + share * self._seconds
