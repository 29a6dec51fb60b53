"""The rules by which jobs overtake each other."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import Any

from predictors.options import JsonValue
from schedulers.backfilling.openpbs import OpenPbsCalendar
from schedulers.core.backfilling import Filler, NoBackfilling
from schedulers.core.job import BACKFILLED, HEAD, QUEUE, Job
from schedulers.core.machine import NEVER
from schedulers.factory import AS_BATSCHEDS
from schedulers.recording import Recording
from schedulers.site.reader import site_in

ORDER = "order"
"""It was ahead of the other in the queue."""

BOUND = "bound"
"""It had waited so long that it got a reservation; see `-O max_wait`."""

ENDS_IN_TIME = "ends_in_time"
"""It overtook the first job of the queue, because its estimated end was before that job's planned
start.
"""

LEFT_OVER = "left_over"
"""It overtook the first job of the queue on processors that the reservation did not need."""

GAP = "gap"
"""It fitted into the plan without changing other reservations."""

AROUND = "around"
"""It fitted around the other's reservation, which a bound on waiting had given."""

STOPPED = "stopped"
"""It started while a rule of the site stopped the other, which then delayed no jobs."""

FREE = "free"
"""It fitted on free processors; there are no reservations."""

EASY, PLAN, NONE, FILLER, OTHER = "easy", "plan", "none", "filler", "other"
"""Kinds of backfilling: one reservation, reservations for several jobs, no overtaking, any job that
fits, and unknown ones.
"""

_OF_EASY = frozenset({"name", "candidates", "reservations"})
"""Known options of EASY; with other options, the rule is unknown."""

_at = attrgetter("at")


class SchedulingRules:
    """The rules of a scheduler, and which of them decided between two jobs.

    Parameters
    ----------
    name, options
        The scheduler, as `schedulers.specification.specify` returns it.
    recording
        Its recorded decisions.
    """

    def __init__(self, name: str, options: Mapping[str, Any], recording: Recording) -> None:
        self._recording = recording
        self._as_batsched = name in AS_BATSCHEDS
        self._delay = float(options.get("rjms_delay", 0.0)) if self._as_batsched else 0.0
        self.order = _name(options.get("order")) or ("fcfs" if self._as_batsched else None)
        self.backfilling = _kind(name, options)
        self.on_blocks = _name(options.get("machine")) == "blocks"
        site = options.get("site")
        self.on_site = site is not None
        self.on_nodes = isinstance(site, Mapping) and bool(site.get("nodes"))
        self.bound = options.get("max_wait")

    def planned_end(self, job: str, start: float, *, at_start: bool = False) -> float:
        """Return the planned end of a job after its last correction, in seconds."""
        known = self._recording.jobs.get(job)
        if known is None:
            return NEVER
        if self._as_batsched:
            return NEVER if known.walltime is None else start + known.walltime + self._delay
        if at_start:
            return known.started + known.first_estimate
        return known.planned_end if known.planned_end >= 0.0 else NEVER

    def stood_before(self, job: str, others: Iterable[str], at: float) -> int | None:
        """Return how many of some waiting jobs were ahead of a job in the queue at a date."""
        jobs = self._recording.jobs
        one = jobs.get(job)
        if one is None:
            return None
        waiting = [jobs[other] for other in others if other in jobs]
        if not self._ordered:
            return None
        return sum(self._is_before(other, one, at) for other in waiting)

    @property
    def _ordered(self) -> bool:
        order = self._recording.order
        # an order by past usage cannot be reconstructed
        return self._as_batsched or not (order is None or hasattr(order, "ended"))

    def _is_before(self, job: Job, other: Job, at: float) -> bool:
        order, trust = self._recording.order, self._recording.trust_log
        if trust is not None and not trust.trusted(at):
            return job.number < other.number
        if order is None:
            return (job.submit_time, job.id) < (other.submit_time, other.id)
        keys = order.key(job, at), order.key(other, at)
        return keys[0] < keys[1] or (keys[0] == keys[1] and job.number < other.number)

    def of(self, overtaker: str, job: str, started: float) -> str | None:  # noqa: PLR0911 - a rule each
        """Return the rule by which a job overtook another; ``None`` if unknown."""
        recording = self._recording
        first, second = recording.jobs.get(overtaker), recording.jobs.get(job)
        if first is None or second is None:
            return None
        if overtaker in recording.started_by_bound:
            return BOUND
        if self._as_batsched:
            return self._as_batsched_rule(first, started)
        if hasattr(recording.order, "ended"):
            stood_before = first.started_as == HEAD
        else:
            stood_before = self._is_before(first, second, first.started)
        if stood_before:
            return ORDER
        if first.started_as == QUEUE:
            return FREE if self.backfilling == FILLER else LEFT_OVER
        if first.started_as == BACKFILLED:
            return GAP if self.backfilling == PLAN else ENDS_IN_TIME
        # it was the first of the jobs without a reservation
        if self.bound is not None:
            return AROUND
        return STOPPED if self.on_site else None

    def _as_batsched_rule(self, first: Job, started: float) -> str | None:
        if self.backfilling == PLAN:
            return GAP
        heads = self._recording.heads
        place = bisect_right(heads, started, key=_at) - 1
        if place < 0 or first.walltime is None:
            return None
        in_time = started + first.walltime + self._delay <= heads[place].start
        return ENDS_IN_TIME if in_time else LEFT_OVER


def _name(part: Any) -> str | None:  # noqa: ANN401 - as `specify` tells it
    name = part.get("name") if isinstance(part, Mapping) else part
    return name if isinstance(name, str) else None


def _kind(name: str, options: Mapping[str, Any]) -> str:
    if name in AS_BATSCHEDS:
        return EASY if name == "easy_bf" else PLAN
    backfilling = options.get("backfilling")
    backfilling_name = _name(backfilling)
    if (
        backfilling_name == "easy"
        and isinstance(backfilling, Mapping)
        and backfilling.keys() <= _OF_EASY
    ):
        return EASY if backfilling.get("reservations", 1) == 1 else PLAN
    if backfilling_name == "openpbs":
        return _kind_of_openpbs(backfilling, options.get("site"))
    kinds = {"conservative": PLAN, "slurm": PLAN, "none": NONE, "filler": FILLER}
    return kinds.get(backfilling_name or "", OTHER)


def _kind_of_openpbs(backfilling: JsonValue, site: JsonValue) -> str:
    """Return the kind of backfilling of OpenPBS's scheduler with its settings."""
    options = backfilling if isinstance(backfilling, Mapping) else {}
    calendar = OpenPbsCalendar(**{name: value for name, value in options.items() if name != "name"})
    if site is not None:
        calendar.on_site(site_in(site))
    plain = {Filler: FILLER, NoBackfilling: NONE}
    return PLAN if calendar.plain is None else plain[type(calendar.plain)]
