from typing import Any

from pred_aware import Run, Workload, simulate

PROFILES = {"p": {"type": "delay", "delay": 1}}


def ran(jobs: list[dict[str, Any]], policy: str) -> Run:
    return simulate(Workload.of({"nb_res": 4, "jobs": jobs, "profiles": PROFILES}), policy)


def test_a_workload_without_jobs_is_an_empty_run() -> None:
    for policy in ("easy", "policy", "conservative", "slurm", "easy_bf"):
        run = ran([], policy)
        assert (len(run.jobs), len(run.figures) > 0) == (0, True), policy
        assert run.content("jobs").startswith(b"job_id,"), policy


def test_a_date_of_minus_zero_is_written_as_zero() -> None:
    job = {"id": 1, "subtime": -0.0, "res": 1, "walltime": 5, "profile": "p"}
    for delays in ("none", "batsim"):
        workload = Workload.of({"nb_res": 4, "jobs": [job], "profiles": PROFILES})
        assert b"-0.0" not in simulate(workload, "easy", delays=delays).content("jobs")
