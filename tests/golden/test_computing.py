"""Jobs that compute and end on an exact tie, as the real Batsim 4.2.1 with batsched ran them."""

from typing import Any

import pytest

import pred_aware as pa

Told = tuple[str, int, int, int, float]

THREE: list[Told] = [("a", 0, 1, 600, 1e9), ("b", 5, 2, 20, 1e10), ("c", 15, 2, 60, 1e11)]
SIX: list[Told] = [
    ("11", 29, 2, 120, 6e10), ("13", 35, 1, 60, 3e10), ("14", 40, 1, 120, 6e10),
    ("17", 41, 2, 10, 5e9), ("18", 46, 1, 60, 3e10), ("20", 66, 1, 10, 5e9),
]  # fmt: skip
"""Id, submission, processors, walltime and operations of each job."""


@pytest.mark.parametrize(
    ("told", "starts", "digits"),
    [(THREE, {"c": 15.0052}, 6), (SIX, {"17": 149.0, "20": 154.0}, 1)],
    ids=["three", "six"],
)
def test_ties_of_computing_jobs_end_as_in_the_real_batsim(
    told: list[Told], starts: dict[str, float], digits: int
) -> None:
    work: dict[str, Any] = {"type": "parallel_homogeneous", "com": 0}
    workload = pa.Workload.of(
        {
            "nb_res": 2,
            "jobs": [
                {"id": name, "subtime": date, "res": size, "walltime": wall, "profile": f"p{cpu}"}
                for name, date, size, wall, cpu in told
            ],
            "profiles": {f"p{cpu}": {**work, "cpu": cpu} for *_, cpu in told},
        }
    )
    run = pa.simulate(workload, "easy_bf", delays="batsim")
    found = run.jobs["starting_time"].to_dict()
    assert {name: round(found[name], digits) for name in starts} == starts
