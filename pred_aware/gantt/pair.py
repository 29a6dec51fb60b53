"""Two schedules of the same jobs, one above the other."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pred_aware.runs.run import Run

MOST_CHANGED = 20


@dataclass(frozen=True, slots=True)
class SchedulePair:
    """The schedules of two runs of the same jobs, and the jobs whose waits changed most."""

    baseline: "Run"
    other: "Run"
    """Runs of the same jobs."""
    changed: int = MOST_CHANGED
    """How many of the jobs that changed most are listed, half of them those that wait longer."""
    names: bool = False
    """Whether jobs and users are called by their names; otherwise both are numbered, jobs in the
    order of their submissions."""
    explain: bool = True
    """Whether it is told why the listed jobs waited; what a run does not hold for that is simulated
    again."""
