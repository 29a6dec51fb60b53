import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from pred_aware.demo.log_model import DAY, HOUR, WALLTIMES, LogModel, ModelJob, model_log
from pred_aware.demo.synthetic_log import write_model_swf
from pred_aware.errors import PredAwareError
from tests.suites import each_case


@pytest.fixture(scope="module")
def jobs() -> list[ModelJob]:
    return model_log(LogModel(), np.random.default_rng(1))


def test_the_same_seed_gives_the_same_log(jobs: list[ModelJob]) -> None:
    assert model_log(LogModel(), np.random.default_rng(1)) == jobs
    assert model_log(LogModel(), np.random.default_rng(2)) != jobs


def test_jobs_come_in_order_and_fit_the_machine_and_walltimes(jobs: list[ModelJob]) -> None:
    assert len(jobs) == 5000
    assert all(a.submit_time <= b.submit_time for a, b in itertools.pairwise(jobs))
    assert all(1 <= job.processors <= 256 for job in jobs)
    # walltimes are what people type
    assert {job.walltime for job in jobs} <= set(WALLTIMES.tolist())
    assert all(1 <= job.run_time <= job.walltime for job in jobs)
    # some jobs reach their walltime and most are far from it
    used = np.array([job.run_time / job.walltime for job in jobs])
    assert 0.002 < np.mean(used == 1.0) < 0.1
    assert np.median(used) < 0.4


def test_users_repeat_themselves_and_nights_and_weekends_are_quieter(jobs: list[ModelJob]) -> None:
    before: dict[int, int] = {}
    alike = 0
    for job in jobs:
        alike += 0.5 < job.run_time / before.get(job.user, 10**9) < 2
        before[job.user] = job.run_time
    assert alike / len(jobs) > 0.5
    # nights and weekends are quieter
    hours = Counter(job.submit_time % DAY // HOUR for job in jobs)
    night, day = (sum(hours[hour] for hour in span) for span in (range(1, 6), range(10, 15)))
    assert 3 * night < day
    days = Counter(job.submit_time // DAY % 7 for job in jobs[: len(jobs) // 2])
    assert days[5] + days[6] < 0.7 * (days[1] + days[2])


@each_case("load", [0.4, 0.85, 1.3])
def test_the_load_is_the_requested_one(load: float) -> None:
    jobs = model_log(LogModel(load=load), np.random.default_rng(1))
    work = sum(job.processors * job.run_time for job in jobs)
    span = jobs[-1].submit_time - jobs[0].submit_time
    assert work / (256 * span) == pytest.approx(load, rel=0.1)


@each_case("jobs", [1, 2, 17])
@each_case("processors", [1, 3, 100_000])
def test_the_model_works_for_small_and_large_machines(jobs: int, processors: int) -> None:
    log = model_log(LogModel(jobs=jobs, processors=processors), np.random.default_rng(0))
    assert len(log) == jobs
    assert all(1 <= job.processors <= processors for job in log)


def test_a_model_without_jobs_is_refused() -> None:
    with pytest.raises(PredAwareError, match="jobs of the log model must be"):
        LogModel(jobs=0)


def test_each_line_of_the_file_has_18_fields(jobs: list[ModelJob], tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    write_model_swf(jobs, path, model=LogModel(), seed=1)
    lines = path.read_text().splitlines()
    assert "; MaxProcs: 256" in lines
    assert {len(line.split()) for line in lines if not line.startswith(";")} == {18}
