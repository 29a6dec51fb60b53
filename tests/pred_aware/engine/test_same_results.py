"""What the engine simulates is to the last byte what the Python parts give."""

from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from pred_aware import Workload, simulate
from pred_aware.engine.job_arrays import Floats, JobArrays
from pred_aware.engine.loading import ENGINE
from pred_aware.runs.jobs_table import NUMBERS
from predictors.compile_cache import VARIABLE
from tests.pred_aware.engine.comparing import both, compared, unlike
from tests.pred_aware.engine.random_cases import random_case
from workload_tools.changes.redated import RedatedJobs

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed: pip install 'pred-aware[fast]'"
)


def differences(seed: int, *, bounded: bool = True) -> list[str]:
    """Name what differs between the runs of both."""
    workload, _, policy = random_case(seed)
    # bounds and trust are compiled by themselves, for a minute
    if not bounded and not {"max_wait", "min_concordance"}.isdisjoint(policy):
        return []
    found, engine = compared(workload, "policy", policy)
    return found if engine == "arrays" else ["engine"]


@pytest.mark.slow
def test_columns_without_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [
        {"id": n, "subtime": 7 * n, "res": 3 * n, "walltime": 60, "profile": "D"}
        for n in range(1, 5)
    ]
    content = {"nb_res": 10, "jobs": jobs, "profiles": {"D": {"type": "delay", "delay": 30.5}}}
    for marked in (True, False):
        for job in jobs:
            job["warm_up"] = marked and job["id"] == 1
        python, arrays = both(monkeypatch, Workload.of(content), "easy")
        for name in NUMBERS:
            for whole in (False, True):
                column = arrays.column(name, whole=whole)
                assert column.tolist() == python.column(name, whole=whole).tolist()
                assert len(column) == (2 if marked and not whole else 3)
        found, expected = (run.figures.drop("scheduling_time") for run in (arrays, python))
        assert found.equals(expected)
        # a warm-up is told by names, which the table has
        assert ("_table" in vars(arrays)) == marked


@pytest.mark.slow
@pytest.mark.parametrize(
    "policy",
    [
        {"backfilling": "conservative"},
        *(
            {"backfilling": "easy", "max_wait": bound}
            for bound in (20.0, {"wait": 300.0, "ahead": 1.0}, {"wait": 200.0, "overtaken": 90.0})
        ),
    ],
)
def test_many_jobs_of_few_dates_agree(
    monkeypatch: pytest.MonkeyPatch, policy: dict[str, Any]
) -> None:
    # most places move at each end, by little
    for seed in range(6):
        rng = np.random.default_rng(seed)
        jobs, profiles = [], {}
        for number in range(150):
            walltime = float(rng.choice([30.0, 60.0, 180.0, rng.integers(1, 600)])) / 7.0
            profiles[f"D{number}"] = {"type": "delay", "delay": walltime * rng.random()}
            size, submit = int(rng.choice([1, 2, 3, 8])), int(rng.choice([0, 0, 0, 100, 150]))
            jobs.append(
                {
                    "id": number, "subtime": submit, "res": size, "walltime": walltime,
                    "profile": f"D{number}",
                }
            )  # fmt: skip
        workload = Workload.of({"nb_res": 8, "jobs": jobs, "profiles": profiles})
        assert unlike(both(monkeypatch, workload, policy)) == [], seed


def test_a_job_that_takes_a_tick_longer_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    workload, _, _ = random_case(4)
    plain = JobArrays.duration.fget

    def longer(jobs: JobArrays) -> Floats:
        durations = plain(jobs)
        durations[-1] = np.nextafter(durations[-1], np.inf) + 1e-6
        return durations

    monkeypatch.setattr(JobArrays, "duration", property(longer))
    assert "jobs" in unlike(both(monkeypatch, workload, "easy"))


def test_what_the_engine_cannot_finish_begins_anew_in_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    workload, _, _ = random_case(7)
    one, other = both(monkeypatch, workload, "soft_walltime")

    def gives_up(*_: object, **__: object) -> None:
        return None

    monkeypatch.setattr(ENGINE, "load", lambda *_: gives_up)
    again = simulate(workload, "soft_walltime")
    assert (again.provenance or {})["engine"] == "python"
    assert unlike([one, again]) == unlike([other, again]) == []


def test_progress_is_told_while_predictors_are_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "arrays")
    assert ENGINE.load() is not None
    monkeypatch.setattr("pred_aware.engine.simulating.PROGRESS_EVERY", 5)
    workload, _, _ = random_case(7)
    told: list[tuple[int, int]] = []
    simulate(workload, "soft_walltime", progress=lambda *numbers: told.append(numbers))
    assert len(told) > 1
    assert told == sorted(told)
    assert told[-1] == (len(workload), len(workload))


def test_a_sum_that_puts_the_last_first_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    workload, _, _ = random_case(7)
    order = {"name": "weighted", "weights": {"fcfs": -1.0}}
    last_first = both(monkeypatch, workload, {"order": order, "backfilling": "easy"})
    assert unlike(last_first) == []
    assert "jobs" in unlike([last_first[0], simulate(workload, "easy")])


def test_a_shake_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    workload, _, policy = random_case(7)
    assert unlike(both(monkeypatch, workload.shaken(3), policy)) == []


def test_figures_of_a_shake_make_no_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "arrays")
    assert ENGINE.load() is not None
    workload, _, _ = random_case(7)
    expected = simulate(workload.shaken(3), "easy").figures

    def made(*_: object, **__: object) -> None:
        pytest.fail("a job was made")

    monkeypatch.setattr(RedatedJobs, "__iter__", made)
    monkeypatch.setattr(RedatedJobs, "__getitem__", made)
    assert simulate(workload.shaken(3), "easy").figures.equals(expected)
