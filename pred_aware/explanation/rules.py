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
"""The job was ahead of the other job in the queue."""

BOUND = "bound"
"""The job had waited so long that it got a reservation; see `-O max_wait`."""

ENDS_IN_TIME = "ends_in_time"
"""The job's estimated end was before the planned start of the first job of the queue."""

LEFT_OVER = "left_over"
"""The job used processors that the reservation of the first job of the queue did not need."""

GAP = "gap"
"""The job fitted into the plan without a change of other reservations."""

AROUND = "around"
"""The job fitted around the other job's reservation, which `max_wait` had given."""

STOPPED = "stopped"
"""The job started while a rule of the site stopped the other job; a stopped job does not delay
other jobs."""

FREE = "free"
"""The job fitted on free processors; the scheduler makes no reservations."""

EASY, PLAN, NONE, FILLER, OTHER = "easy", "plan", "none", "filler", "other"
"""Kinds of backfilling: one reservation, reservations for several jobs, no job may overtake, any
job that fits may start, and unknown kinds.
"""

_OF_EASY = frozenset({"name", "candidates", "reservations"})
"""Options of EASY that this module knows; with any other option, the kind is `OTHER`."""

_at = attrgetter("at")


class SchedulingRules:
    """The rules of a scheduler; finds the rule by which a job overtook another.

    Parameters
    ----------
    name, options
        The scheduler's name and options, as `schedulers.specification.specify` returns them.
    recording
        The scheduler's recorded decisions.
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
        """Return a job's planned end after the last correction, in seconds; `NEVER` if unknown."""
        known = self._recording.jobs.get(job)
        if known is None:
            return NEVER
        if self._as_batsched:
            return NEVER if known.walltime is None else start + known.walltime + self._delay
        if at_start:
            return known.started + known.first_estimate
        return known.planned_end if known.planned_end >= 0.0 else NEVER

    def stood_before(self, job: str, others: Iterable[str], at: float) -> int | None:
        """Return how many of the `others` were ahead of a job in the queue; ``None`` if unknown."""
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
        # an order with a method `ended` depends on past usage, which cannot be reconstructed
        return self._as_batsched or not (order is None or hasattr(order, "ended"))

    def _is_before(self, job: Job, other: Job, at: float) -> bool:
        order, trust = self._recording.order, self._recording.trust_log
        if trust is not None and not trust.trusted(at):
            return job.number < other.number
        if order is None:
            return (job.submit_time, job.id) < (other.submit_time, other.id)
        keys = order.key(job, at), order.key(other, at)
        return keys[0] < keys[1] or (keys[0] == keys[1] and job.number < other.number)

    def of(self, overtaker: str, job: str, started: float) -> str | None:  # noqa: PLR0911 - one for each rule
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
        # the overtaking job was the first of the jobs without a reservation
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


def _name(part: Any) -> str | None:  # noqa: ANN401 - as `specify` returns it
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
    """Return the kind of backfilling that OpenPBS's scheduler uses with the given settings."""
    options = backfilling if isinstance(backfilling, Mapping) else {}
    calendar = OpenPbsCalendar(**{name: value for name, value in options.items() if name != "name"})
    if site is not None:
        calendar.on_site(site_in(site))
    plain = {Filler: FILLER, NoBackfilling: NONE}
    return PLAN if calendar.plain is None else plain[type(calendar.plain)]
