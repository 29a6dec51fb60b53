"""Limits beside OpenPBS's calendar, as `schedulers.site.stopped` defines them.

Without a site there are none, and what asks for them is not even compiled.
"""

from pred_aware.engine.compiled import compiled, compiled_apart
from pred_aware.engine.kernel.arrays import Integers
from pred_aware.engine.kernel.calendar_values import LimitsOverTime
from pred_aware.engine.kernel.codes import CHOSEN, RUNNING, STOPPED
from pred_aware.engine.kernel.gate_books import rule_of_time
from pred_aware.engine.kernel.limits import is_above_beside
from pred_aware.engine.kernel.linked import AFTER, FIRST
from pred_aware.engine.kernel.priority import bring_up
from pred_aware.engine.kernel.queueing import key_of
from pred_aware.engine.kernel.site_values import Gate
from pred_aware.engine.kernel.sorting import sort_by
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State

BESIDE, TOPS, IN_ORDER = range(3)
"""Places in `LimitsOverTime.counts`."""


@compiled
def joins_stopped(  # noqa: PLR0913, PLR0917 - what a pass works on
    jobs: Jobs,
    rules: Rules,
    state: State,
    limits: LimitsOverTime | None,
    gate: Gate | None,
    waiting: Integers,
    count: int,
    now: float,
) -> bool:
    """Begin a pass; say whether there are jobs that limits alone stop, now in `whole`."""
    if limits is None:
        return False
    if gate is None:
        return False
    return _joins_stopped(jobs, rules, state, limits, gate, waiting, count, now)


@compiled_apart
def _joins_stopped(  # noqa: PLR0913, PLR0917 - likewise
    jobs: Jobs,
    rules: Rules,
    state: State,
    limits: LimitsOverTime,
    gate: Gate,
    waiting: Integers,
    count: int,
    now: float,
) -> bool:
    whole, stopped, counts = limits.whole, limits.stopped, limits.counts
    for place in range(counts[BESIDE]):
        stopped[whole[place]] = 0
    counts[BESIDE] = counts[TOPS] = 0
    counts[IN_ORDER] = -1
    if not (limits.there and gate.counts[STOPPED]):
        return False
    found = count
    for alike in range(len(gate.alikes.rule)):
        if gate.alikes.stopped[alike] and rule_of_time(gate, alike, now) < 0:
            job = gate.waiting.ends[alike, FIRST]
            while job >= 0:
                whole[found] = job
                stopped[job] = 1
                found += 1
                job = gate.waiting.links[job, AFTER]
    if found == count:
        return False
    for place in range(count):
        whole[place] = waiting[place]
    bring_up(state.priority, now)
    for place in range(found):
        job = whole[place]
        state.keys[job] = key_of(jobs, rules, state.priority, job, now)
    sort_by(state.keys, whole, found)
    counts[BESIDE] = found
    return True


@compiled
def how_many(limits: LimitsOverTime | None, count: int) -> int:
    """Return how many jobs a pass goes through: those of the queue, or all in `whole`."""
    if limits is None:
        return count
    return limits.counts[BESIDE] or count


@compiled
def job_at(limits: LimitsOverTime | None, waiting: Integers, place: int) -> int:
    """Return the job that is at a place among these."""
    if limits is None:
        return waiting[place]
    return limits.whole[place] if limits.counts[BESIDE] else waiting[place]


@compiled
def is_stopped(limits: LimitsOverTime | None, job: int) -> bool:
    """Say whether a limit keeps a job out of the queue."""
    if limits is None:
        return False
    return limits.stopped[job] != 0


@compiled
def gather(
    limits: LimitsOverTime | None,
    jobs: Jobs,
    state: State,
    schedule: Schedule,
    gate: Gate | None,
    job: int,
    now: float,
) -> None:
    """Gather what running jobs have of all that may stop a job, and until when."""
    if limits is None:
        return
    if gate is None:
        return
    if limits.there and gate.jobs.alike[job] >= 0:
        _gather(limits, jobs, state, schedule, gate, gate.jobs.alike[job], now)


@compiled_apart
def _gather(
    limits: LimitsOverTime,
    jobs: Jobs,
    state: State,
    schedule: Schedule,
    gate: Gate,
    alike: int,
    now: float,
) -> None:
    running, counts = limits.running, limits.counts
    if counts[IN_ORDER] < 0:
        counts[IN_ORDER] = state.counts[RUNNING]
        for place in range(counts[IN_ORDER]):
            running[place] = other = state.ends[place]
            state.keys[other] = state.started[other]
        # sums are made in the order of the starts
        sort_by(state.keys, running, counts[IN_ORDER])
    found = 0
    first = gate.alikes.stopping[alike]
    for entry in range(first, gate.alikes.stopping[alike + 1]):
        limits.begins[entry - first] = found
        counter = gate.stopping.counter[entry]
        if gate.counters.taken[counter]:
            for place in range(counts[IN_ORDER]):
                start = schedule.start[running[place]]
                found = _add(limits, jobs, state, gate, counter, running[place], start, found, now)
            for place in range(state.counts[CHOSEN]):
                found = _add(
                    limits, jobs, state, gate, counter, state.chosen[place], now, found, now
                )
    limits.begins[gate.alikes.stopping[alike + 1] - first] = found


@compiled
def _add(  # noqa: PLR0913, PLR0917 - compiled
    limits: LimitsOverTime,
    jobs: Jobs,
    state: State,
    gate: Gate,
    counter: int,
    job: int,
    start: float,
    found: int,
    now: float,
) -> int:
    """Add what a running job has of what a counter counts; return how many entries there are."""
    alike = gate.jobs.alike[job]
    entry = _counting(gate, alike, counter)
    if entry < 0:
        return found
    rate = jobs.processors[job] / 60.0 if gate.counters.runs_off[counter] else 0.0
    limits.amounts[found] = gate.counting.amount[entry] + rate * start
    limits.rates[found] = rate
    # who has started in this pass is not in the plan yet
    planned = state.planned[job]
    limits.ends[found] = max(planned, now) if planned >= 0.0 else now + jobs.backfilling[job]
    return found + 1


@compiled
def _counting(gate: Gate, alike: int, counter: int) -> int:
    """Return where what jobs ask of a counter stands, -1: it does not count them."""
    if alike >= 0:
        for entry in range(gate.alikes.counting[alike], gate.alikes.counting[alike + 1]):
            if gate.counting.counter[entry] == counter:
                return entry
    return -1


@compiled
def let(limits: LimitsOverTime | None, gate: Gate | None, job: int, date: float) -> bool:
    """Say whether limits let a job, for which all was gathered, start at a date."""
    if limits is None:
        return True
    if gate is None:
        return True
    return not limits.there or gate.jobs.alike[job] < 0 or _let(limits, gate, job, date)


@compiled_apart
def _let(limits: LimitsOverTime, gate: Gate, job: int, date: float) -> bool:
    alike, counters = gate.jobs.alike[job], gate.counters
    first = gate.alikes.stopping[alike]
    for entry in range(first, gate.alikes.stopping[alike + 1]):
        counter = gate.stopping.counter[entry]
        begin, end = limits.begins[entry - first], limits.begins[entry - first + 1]
        used = _had(limits, begin, end, date)
        if counters.runs_off[counter] and not used > 0.0:
            used = 0.0
        used += _placed(limits, gate, counter, date)
        if is_above_beside(counters, counter, used, gate.stopping.amount[entry], date):
            return False
    return True


@compiled
def _had(limits: LimitsOverTime, begin: int, end: int, date: float) -> float:
    """Return what running jobs have at a date."""
    total = 0.0
    for place in range(begin, end):
        if limits.ends[place] > date:
            total += limits.amounts[place] - limits.rates[place] * date
    return total


@compiled
def _placed(limits: LimitsOverTime, gate: Gate, counter: int, date: float) -> float:
    """Return what the top jobs that have places have at a date."""
    total = 0.0
    for place in range(limits.counts[TOPS]):
        if limits.dates[place, 0] <= date < limits.dates[place, 1]:
            entry = _counting(gate, gate.jobs.alike[limits.tops[place]], counter)
            if entry >= 0:
                total += gate.counting.amount[entry]
    return total


@compiled
def note_place(limits: LimitsOverTime | None, job: int, start: float, end: float) -> None:
    """Count a top job in its place."""
    if limits is not None:
        place = limits.counts[TOPS]
        limits.tops[place] = job
        limits.dates[place, 0], limits.dates[place, 1] = start, end
        limits.counts[TOPS] = place + 1
