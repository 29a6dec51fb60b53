"""Simulating a policy in arrays: from a workload's jobs to what became of them."""

import numpy as np

from pred_aware.engine.coverage import Arrangement
from pred_aware.engine.job_arrays import Floats, Integers, JobArrays
from pred_aware.engine.kernel import codes
from pred_aware.engine.kernel.loop import simulate
from pred_aware.engine.kernel.values import Jobs, Rules, Schedule, State
from pred_aware.engine.outcome import Outcome
from schedulers.machine.counting import Counting
from workload_tools.batsim.workload import WORKLOAD_PREFIX, RawWorkload

_STEPS_OF_A_JOB = 4
"""So many steps of the profile are held for each job, twice as many as places make."""


def outcome_of(
    raw: RawWorkload,
    jobs: JobArrays,
    arrangement: Arrangement,
    *,
    processors: int,
    users: Integers | None,
) -> Outcome | None:
    """Simulate a policy on a machine that is idle.

    Parameters
    ----------
    raw, jobs
        The workload, and its jobs as arrays.
    arrangement
        The policy.
    processors
        Size of the machine.
    users
        A number for the user of each job, for policies that learn; shape (jobs,).

    Returns
    -------
    Outcome
        ``None`` where a job waits for ever or a correction fails: the Python parts tell of it.
    """
    number = len(jobs.submit)
    order = _by_number(raw, jobs, processors=processors, by_id=arrangement.parts.by_id)
    parts = arrangement.parts
    in_order = jobs.redated(order, jobs.submit[order])
    learns = arrangement.learns
    kept = Jobs(
        submit=in_order.submit,
        processors=in_order.processors,
        walltime=in_order.walltime,
        duration=in_order.duration,
        refused=np.where(in_order.processors > processors, codes.TOO_LARGE, codes.FITS),
        user=np.full(number, -1) if users is None else users[order],
        queueing=arrangement.estimates(in_order, "queueing"),
        backfilling=arrangement.estimates(in_order, "backfilling"),
        running=arrangement.estimates(in_order, "running"),
    )
    rules = Rules(
        processors=processors,
        order=arrangement.order,
        head_start=float(getattr(parts.order, "head_start", 0.0)),
        backfilling=arrangement.backfilling,
        candidates=arrangement.candidates,
        plans=bool(parts.backfilling.plans),
        correction=arrangement.correction,
        lead=float(parts.correction.lead),
        predicts=codes.LAST_TWO if learns else codes.GIVEN,
        queueing="queueing" in learns,
        backfill="backfilling" in learns,
        running="running" in learns,
        default=arrangement.default,
    )
    places = arrangement.backfilling == codes.CONSERVATIVE
    users_known = int(kept.user.max(initial=0)) + 1
    state = _idle(number, processors=processors, users=users_known, places=places)
    schedule = _nothing(number)
    simulate(kept, rules, state, schedule)
    if state.counts[codes.FAILED] or state.counts[codes.OVER] < number:
        return None
    schedule = schedule._replace(changes=schedule.changes[: state.counts[codes.CHANGES]])
    machine = Counting(arrangement.allocation)
    machine.begin(processors)
    return Outcome(raw, jobs, order, kept, schedule, machine)


def _by_number(raw: RawWorkload, jobs: JobArrays, *, processors: int, by_id: bool) -> Integers:
    """Return the places of the jobs in the order in which the policy counts them."""
    submit = jobs.submit
    order = np.argsort(submit, kind="stable")
    if not by_id:
        return order
    # those that are too large first, as they were told
    too_large = jobs.processors > processors
    ranks = np.where(too_large, -1, _rank(raw, order, submit))
    return np.lexsort((ranks, submit))


def _rank(raw: RawWorkload, order: Integers, submit: Floats) -> Integers:
    """Return the rank of each job's name as text among those of its date; 0 where it is alone."""
    ranks = np.zeros(len(order), np.int64)
    dates = submit[order]
    same = dates[1:] == dates[:-1]
    alike = order[np.append(same, False) | np.insert(same, 0, False)]
    names = {
        place: str(raw.jobs[place].id).removeprefix(WORKLOAD_PREFIX) for place in alike.tolist()
    }
    for rank, place in enumerate(sorted(names, key=names.__getitem__)):
        ranks[place] = rank
    return ranks


def _idle(number: int, *, processors: int, users: int, places: bool) -> State:
    def integers() -> Integers:
        return np.zeros(number, np.int64)

    state = State(
        queue=integers(),
        ordered=integers(),
        chosen=integers(),
        keys=np.zeros(number),
        able=integers(),
        ends=integers(),
        started=integers(),
        ends_at=np.zeros(number),
        plan=integers(),
        planned=np.full(number, -1.0),
        place=np.full(number if places else 0, -1.0),
        times=np.zeros(_STEPS_OF_A_JOB * number + 1 if places else 1),
        free_from=np.full(_STEPS_OF_A_JOB * number + 1 if places else 1, processors),
        settled=np.array([-np.inf]),
        mean=np.full(users, np.nan),
        last=np.full(users, np.nan),
        counts=np.zeros(codes.COUNTS, np.int64),
    )
    state.counts[codes.FREE] = processors
    state.counts[codes.STEPS] = 1
    return state


def _nothing(number: int) -> Schedule:
    return Schedule(
        start=np.full(number, -1.0),
        end=np.full(number, -1.0),
        started_as=np.zeros(number, np.int64),
        first_promise=np.full(number, -1.0),
        last_promise=np.full(number, -1.0),
        first_estimate=np.zeros(number),
        corrections=np.zeros(number, np.int64),
        over=np.zeros(number, np.int64),
        changes=np.zeros(2 * number, np.int64),
    )


def compile_all() -> None:
    """Compile what was not: simulate nothing."""
    integers, dates = np.zeros(0, np.int64), np.zeros(0)
    jobs = Jobs(dates, integers, dates, dates, integers, integers, dates, dates, dates)
    rules = Rules(0, 0, 0.0, 0, 0, False, 0, 0.0, 0, False, False, False, 0.0)
    simulate(jobs, rules, _idle(0, processors=0, users=0, places=False), _nothing(0))
