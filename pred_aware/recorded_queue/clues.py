"""Why jobs wait that need not: what a schedule shows, with figures."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pred_aware.recorded_queue.free_processors import waiting
from pred_aware.recorded_queue.limits import ApparentLimit, find_limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pred_aware.recorded_queue.labels import Labels
    from pred_aware.recorded_queue.schedule import MachineSchedule

MUCH = 0.1
"""Share of all waiting with free processors that is reported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clues:
    """What a schedule shows of why its jobs wait."""

    with_free_processors: float | None
    """Share of all waiting of jobs that could have started without delaying another; ``None`` where
    nobody waits."""
    busy: float | None
    """Mean share of the processors that were busy then."""
    limits: tuple[ApparentLimit, ...] = ()
    """Limits that explain it."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """Which causes of waits other than a full machine the dates show."""
        share = self.with_free_processors or 0.0
        if share < MUCH or self.busy is None:
            return ()
        waited = (
            f"{100 * share:.0f} % of all waiting had free processors, and no other job would have "
            f"been delayed; a mean {100 * self.busy:.0f} % of the processors were busy then"
        )
        return (waited, *map(str, self.limits))


def clues(schedule: "MachineSchedule", *, labels: "Mapping[str, Labels]") -> Clues:
    """Look for causes of waits other than a full machine.

    Parameters
    ----------
    schedule
        The dates, as recorded or simulated.
    labels
        The jobs' users, queues and so on, by kind.
    """
    seen = waiting(schedule)
    dates = seen.startable.date
    busy = float((1 - schedule.free_at(dates) / schedule.machine).mean()) if len(dates) else None
    limits, _ = find_limits(schedule, seen, labels)
    return Clues(
        with_free_processors=seen.share if len(seen) else None, busy=busy, limits=tuple(limits)
    )
