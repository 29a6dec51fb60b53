"""Predictors on real logs, against plain computations written apart."""

from bisect import bisect_right
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from predictors import PREDICTORS
from tests.predictors.real_logs import LOGS, Ran, first_estimates, read_log

Rule = Callable[[float, list[Ran]], float]


def mean_of_two(walltime: float, past: list[Ran]) -> float:
    if len(past) < 2:
        return walltime
    return (past[-1].run_time + past[-2].run_time) / 2


def mean_of_at_most_two(walltime: float, past: list[Ran]) -> float:
    run_times = [job.run_time for job in past[-2:]]
    return sum(run_times) / len(run_times) if run_times else walltime


def mean_and_a_quarter_of_an_hour(walltime: float, past: list[Ran]) -> float:
    return mean_of_at_most_two(walltime, past) + 900


def largest_of_fifteen_usages(walltime: float, past: list[Ran]) -> float:
    return max(usages(past[-15:])) * walltime + 900 if past else walltime


def eightieth_percentile(walltime: float, past: list[Ran]) -> float:
    if len(past) < 50:
        return walltime
    values = sorted(usages(past[-1000:]))
    rank, part = divmod(8 * (len(values) - 1), 10)
    above = values[min(rank + 1, len(values) - 1)]
    return min(1.0, (1 - part / 10) * values[rank] + part / 10 * above) * walltime


def usages(past: list[Ran]) -> list[float]:
    return [job.run_time / job.submission.walltime for job in past if job.submission.walltime]


RULES: dict[str, Rule] = {
    "last_two": mean_of_two,
    "pbs_v1": mean_of_at_most_two,
    "pbs_v2": mean_and_a_quarter_of_an_hour,
    "pbs_v3": largest_of_fifteen_usages,
    "ratio_user": eightieth_percentile,
}


def plain(jobs: list[Ran]) -> Iterator[tuple[float, list[Ran]]]:
    """Yield each job's walltime, and the last thousand jobs of its user that had ended."""
    ended: dict[str | None, list[Ran]] = {}
    for job in sorted(jobs, key=lambda job: (job.end, job.start, job.submission.submit_time)):
        ended.setdefault(job.submission.user, []).append(job)
    ends = {user: [job.end for job in of_user] for user, of_user in ended.items()}
    for job in jobs:
        user, walltime = job.submission.user, job.submission.walltime
        assert user is not None
        assert walltime is not None
        known = bisect_right(ends[user], job.submission.submit_time)
        yield walltime, ended[user][max(0, known - 1000) : known]


@pytest.mark.parametrize("log", ["kth", pytest.param("hpc2n", marks=pytest.mark.slow)])
def test_estimates_equal_those_of_a_plain_computation(shared: Path, log: str) -> None:
    jobs = read_log(shared, log)[:12000]
    estimates = list(first_estimates([PREDICTORS.make(name) for name in RULES], jobs))
    assert len(estimates) == len(jobs)
    for number, (answers, (walltime, past)) in enumerate(zip(estimates, plain(jobs), strict=True)):
        for answer, (name, rule) in zip(answers, RULES.items(), strict=True):
            if name == "ratio_user" and number % 10:
                continue  # a thousand values are sorted for each job: one in ten is enough
            # the percentile is interpolated otherwise, which rounds otherwise
            tolerance = 1e-6 if name == "ratio_user" else 0.0
            expected = min(max(rule(walltime, past), 1.0), walltime)
            assert abs(answer - expected) <= tolerance, (name, jobs[number])


@pytest.mark.slow
@pytest.mark.parametrize("log", LOGS)
def test_predictors_rank_as_in_paper_003(shared: Path, log: str) -> None:
    jobs = read_log(shared, log)
    versions = [PREDICTORS.make(name) for name in ("pbs_v1", "pbs_v2", "pbs_v3")]
    pairs = list(zip(jobs, first_estimates(versions, jobs), strict=True))
    first, second, third = underestimated(pairs)
    assert first > second > third
    assert 0.43 < first < 0.56
    assert 0.03 < third < 0.22
    first, second, third = underestimated([pair for pair in pairs if kept_its_walltime(pair[0])])
    assert first > second > third


def underestimated(pairs: list[tuple[Ran, list[float]]]) -> list[float]:
    """Return the share of jobs that outlived their estimates, for each predictor."""
    counts = [0, 0, 0]
    for job, estimates in pairs:
        for version, estimate in enumerate(estimates):
            counts[version] += estimate < job.run_time
    return [count / len(pairs) for count in counts]


def kept_its_walltime(job: Ran) -> bool:
    walltime = job.submission.walltime
    return walltime is None or job.run_time <= walltime
