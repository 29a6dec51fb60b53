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
"""A function that the study calls with a line about its current step."""
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
    """`format`, `options` and `time_zone` are arguments of `workload_tools.formats.open_log`."""
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
    """The recipes that clean the log."""
    missing_walltime: str | float | None = None
    """What happens to jobs without a walltime: ``drop`` leaves them out, a number is their walltime
    in seconds. By default `pred_aware.study.reading.decided` chooses."""
    names: bool = False
    """Whether users, groups, projects and jobs keep their names."""
    called: str | None = None
    """The name to show for the log; by default the file's name."""

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
    """The limits that end a study."""

    seconds: float | None = MINUTES * 60.0
    """The maximum duration; ``None`` for no limit."""
    precision: float = PRECISION
    """The study ends early when the 95 % intervals of the changes of mean wait and mean bounded
    slowdown are at most ± this share of the baseline's values."""
    shakes: int | None = None
    """The number of perturbed copies. If given, `seconds` and `precision` are ignored."""
    workers: int | None = None
    """The number of processes that simulate; by default one per core for long logs."""


LEAST = 2.0
"""The minimum number of seconds to reserve for later steps."""


class Budget:
    """The time budget of a study.

    Parameters
    ----------
    effort
        The effort. With a number of perturbed copies there is no time limit.
    began
        The value of `time.monotonic` at which the study began.
    """

    def __init__(self, effort: StudyEffort, began: float) -> None:
        self._began = began
        self._seconds = None if effort.shakes is not None else effort.seconds

    @property
    def spent(self) -> float:
        """The seconds since the study began."""
        return monotonic() - self._began

    def until(self, kept: float) -> float | None:
        """Return when `kept` seconds are left, as `time.monotonic`; ``None`` without a limit."""
        if self._seconds is None:
            return None
        return self._began + self._seconds - max(LEAST, kept)

    def by(self, share: float) -> float | None:
        """Return when a share of the time is spent, as `time.monotonic`; ``None`` without limit."""
        return None if self._seconds is None else self._began + share * self._seconds
