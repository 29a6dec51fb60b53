"""What the tests of predictions share."""

import random

import pytest

from pred_aware.log.past_jobs import PastJobs, past_jobs
from workload_tools import Job


def make_job(number: int, submit: float, run: float, **fields: object) -> Job:
    return Job(  # type: ignore[arg-type] # the fields are a job's
        id=str(number),
        submit_time=float(submit),
        run_time=float(run),
        **{"processors": 1, "user": "ann", "walltime": 3600.0, "wait_time": 0.0} | fields,
    )


def random_jobs(seed: int, number: int = 200) -> list[Job]:
    """Make jobs with many equal dates, some overruns, and gaps in what the log tells."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    jobs = [
        make_job(
            index, float(rng.randrange(number)), float(rng.randrange(1, 60)),
            wait_time=rng.choice([None, -1.0, 0.0, 5.0, 30.0]),
            walltime=rng.choice([None, 20.0, 50.0, 100.0]),
            user=rng.choice([None, "ann", "bob", "eve"]), queue=rng.choice([None, "day", "night"]),
            processors=2 ** rng.randrange(5),
        )
        for index in range(number)
    ]  # fmt: skip
    return sorted(jobs, key=lambda job: job.submit_time)


@pytest.fixture
def jobs() -> PastJobs:
    return past_jobs(random_jobs(1))
