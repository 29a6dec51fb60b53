"""No schedule goes below the bound, and it is tight where it can be."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pred_aware import Run, Workload, simulate
from pred_aware.errors import PredAwareError
from pred_aware.metrics.figures import figures_of_dates
from pred_aware.metrics.lower_bound import MEASURES, Search, best_value, lower_bound
from pred_aware.metrics.relaxation import JobsToPlace, relaxed
from schedulers import scheduler_names
from tests.pred_aware.simulator import world

PROCESSORS = 4

Small = list[tuple[int, int, int]]
"""Jobs as submission, run time and size."""

a_job = st.tuples(st.integers(0, 20), st.integers(1, 30), st.integers(1, PROCESSORS))


def workload(jobs: Small) -> Workload:
    told = enumerate(jobs)
    return world.workload_of(
        [world.job(n, submit, size, run, 99) for n, (submit, run, size) in told], PROCESSORS
    )


def least(jobs: Small, measure: str) -> float:
    """Return the optimum: one of the lists, each job at its earliest place, has it."""
    found = []
    for order in permutations(jobs):
        used = np.zeros(sum(time for _, time, _ in jobs) + 50, dtype=int)
        starts = []
        for submit, time, size in order:
            fits = used + size <= PROCESSORS
            start = next(at for at in range(submit, len(used)) if fits[at : at + time].all())
            used[start : start + time] += size
            starts.append(start)
        figures = figures_of_dates(
            [submit for submit, _, _ in order],
            starts,
            [start + time for start, (_, time, _) in zip(starts, order, strict=True)],
        )
        value = figures[measure]
        assert value is not None
        found.append(value)
    return min(found)


def at_least(run: Run, measure: str, rounds: int = 20) -> float:
    bound = lower_bound(run, measure, rounds=rounds)
    return bound.trivial if bound.value is None else bound.value


@settings(max_examples=25)
@given(jobs=st.lists(a_job, min_size=2, max_size=5), measure=st.sampled_from(MEASURES))
def test_no_schedule_of_a_few_jobs_is_below_the_bound(jobs: Small, measure: str) -> None:
    run = simulate(workload(jobs), "fcfs")
    assert at_least(run, measure) <= least(jobs, measure) * (1 + 1e-12)


@settings(max_examples=8)
@given(
    jobs=st.lists(a_job, min_size=5, max_size=40),
    policies=st.lists(st.sampled_from(scheduler_names()), min_size=4, max_size=4),
)
def test_no_policy_is_below_the_bound(jobs: Small, policies: list[str]) -> None:
    log = workload(jobs)
    runs = [simulate(log, policy) for policy in policies]
    runs.append(simulate(log, "easy", order="sjf", predictor="actual"))
    for measure in MEASURES:
        bound = at_least(runs[0], measure)
        assert all(bound <= run.figures[measure] * (1 + 1e-12) for run in runs)


def test_the_bound_is_the_optimum_of_equal_jobs_of_one_processor() -> None:
    run = simulate(workload([(0, 30, 1)] * 40))
    # ten rounds of four jobs
    assert 0.98 * 135 <= at_least(run, "mean_waiting_time", rounds=400) <= 135


@settings(max_examples=10)
@given(jobs=st.lists(a_job, min_size=3, max_size=8))
@pytest.mark.slow
def test_good_prices_reach_the_time_indexed_relaxation(jobs: Small) -> None:
    release, time, size = (np.array(column, dtype=float) for column in zip(*jobs, strict=True))
    until = int(release.max() + time.sum())
    made = JobsToPlace(release, time, size / PROCESSORS, np.ones(len(jobs)), np.zeros(len(jobs)))
    exact = time_indexed(jobs, until)
    near = 0.9 * exact - 0.05 * len(jobs)
    # three hundred rounds are enough for all but one of hundreds
    for rounds in (300, 10_000):
        search = Search(slots=until, levels=0, rounds=rounds)
        reached = best_value(made, until=until, search=search)
        assert reached <= exact * (1 + 1e-9) + 1e-9
        if reached >= near:
            break
    assert reached >= near


def time_indexed(jobs: Small, until: int) -> float:
    """Return the optimum of the linear program in which a job may start in parts."""
    from scipy.optimize import linprog

    starts = [
        (job, at) for job, (submit, time, _) in enumerate(jobs) for at in range(submit, until)
    ]
    cost = [at - jobs[job][0] for job, at in starts]
    whole = np.zeros((len(jobs), len(starts)))
    use = np.zeros((until, len(starts)))
    for column, (job, at) in enumerate(starts):
        whole[job, column] = 1
        use[at : at + jobs[job][1], column] = jobs[job][2]
    solved = linprog(
        cost, A_ub=use, b_ub=np.full(until, PROCESSORS), A_eq=whole, b_eq=np.ones(len(jobs))
    )
    assert solved.success
    return float(solved.fun)


@settings(max_examples=50)
@given(
    jobs=st.lists(a_job, min_size=1, max_size=6),
    prices=st.lists(st.floats(0, 50), min_size=1, max_size=12),
    slot=st.sampled_from([1.0, 3.0, 7.5]),
)
def test_a_job_starts_where_it_is_cheapest(jobs: Small, prices: list[float], slot: float) -> None:
    release, time, size = (np.array(column, dtype=float) for column in zip(*jobs, strict=True))
    made = JobsToPlace(
        release, time, size / PROCESSORS, np.full(len(jobs), 2.0), np.full(len(jobs), 5.0)
    )
    found = relaxed(made, np.array(prices), slot)
    edges = np.arange(len(prices) + 1) * slot
    paid = np.concatenate([[0.0], np.cumsum(prices) * slot])
    total = -paid[-1]
    for at, lasts, share in zip(release, time, size / PROCESSORS, strict=True):
        begins = at + np.arange(0, 400, 0.5)
        use = np.interp(begins + lasts, edges, paid) - np.interp(begins, edges, paid)
        total += (2.0 * np.maximum(begins - at - 5.0, 0) + share * use).min()
    assert found.value == pytest.approx(total, rel=1e-9, abs=1e-6)


def test_if_no_job_must_wait_there_is_no_bound() -> None:
    run = simulate(workload([(0, 30, 1), (5, 30, 2)]))
    for measure in MEASURES:
        assert lower_bound(run, measure).value is None
    assert lower_bound(run, "mean_turnaround_time").trivial == 30
    # jobs of no time wait for nothing
    assert lower_bound(simulate(workload([(3, 0, 4), (3, 0, 4)]))).value is None


def test_the_bound_is_deterministic() -> None:
    run = simulate(workload([(n, 10 + n, 1 + n % 4) for n in range(30)]))
    assert lower_bound(run, rounds=5) == lower_bound(run, rounds=5)


def test_measures_without_a_bound_are_refused() -> None:
    run = simulate(workload([(0, 30, 1)]))
    with pytest.raises(PredAwareError, match="no lower bound is known for 'max_waiting_time'"):
        lower_bound(run, "max_waiting_time")
    with pytest.raises(
        PredAwareError, match="0 rounds are too few for a lower bound: give at least 1"
    ):
        lower_bound(run, rounds=0)
