"""With batsched's timetable the engine gives what the Python parts give."""

from importlib.util import find_spec

import numpy as np
import pytest

from pred_aware import Workload, simulate
from predictors.compile_cache import VARIABLE
from tests.pred_aware.engine.comparing import compared
from tests.pred_aware.engine.random_cases import random_case

pytestmark = pytest.mark.skipif(
    find_spec("numba") is None, reason="numba is not installed: pip install 'pred-aware[fast]'"
)


DELAYS = (0.3, 5.0, 60.0)


def crowded(seed: int) -> Workload:
    """Return jobs that wait for each other, on more processors than a word has bits."""
    rng = np.random.default_rng(seed)
    size, number = int(rng.integers(30, 200)), int(rng.integers(20, 90))
    sizes = rng.integers(1, size // int(rng.choice([1, 4, 12])) + 1, number)
    unit, dates = float(rng.choice([1.0, 7.0, 0.1])), int(rng.choice([1, 3, 60, 1000]))
    jobs, profiles = [], {}
    for place, processors in enumerate(sizes.tolist()):
        delay = unit * int(rng.integers(1, 60))
        profiles[f"D{place}"] = {"type": "delay", "delay": delay}
        job = {"id": place, "subtime": unit * int(rng.integers(0, dates)), "res": processors}
        walltime = delay * float(rng.choice([1.0, 1.5, 3.3, rng.uniform(1.0, 4.0)]))
        jobs.append({**job, "walltime": walltime, "profile": f"D{place}"})
    return Workload.of({"nb_res": size, "jobs": jobs, "profiles": profiles})


def many_alike(seed: int) -> Workload:
    """Return hundreds of jobs of which one runs at a time, so that all move at each end."""
    rng = np.random.default_rng(seed)
    jobs, profiles = [], {}
    for place in range(400):
        walltime = 0.5 if rng.random() < 0.9 else float(rng.uniform(0.5, 1.0))
        profiles[f"D{place}"] = {"type": "delay", "delay": walltime * float(rng.uniform(0.1, 1.0))}
        job = {"id": place, "subtime": 0, "res": 1, "walltime": walltime}
        jobs.append({**job, "profile": f"D{place}"})
    return Workload.of({"nb_res": 1, "jobs": jobs, "profiles": profiles})


def differences(seed: int) -> list[str]:
    """Name what differs between the runs of both."""
    workload = crowded(seed) if seed % 2 else random_case(seed)[0]
    if seed % 50 == 49:
        workload = many_alike(seed)
    options = {"rjms_delay": DELAYS[seed % 3]}
    found, engine = compared(workload, "conservative_bf", options)
    return found if engine == "arrays" else ["engine"]


@pytest.mark.slow
def test_dates_that_are_too_fine_run_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = [{"id": 1, "subtime": 1e-5, "res": 1, "walltime": 9, "profile": "D"}]
    profiles = {"D": {"type": "delay", "delay": 3}}
    monkeypatch.setenv(VARIABLE, "arrays")
    run = simulate(
        Workload.of({"nb_res": 1, "jobs": jobs, "profiles": profiles}), "conservative_bf"
    )
    assert (run.provenance or {})["engine"] == "python"
