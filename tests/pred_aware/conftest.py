"""What the tests of the application share."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

HEADER = (
    "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
    "success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,"
    "stretch,allocated_resources,consumed_energy,metadata"
)
JobsFile = Callable[..., Path]


def row(job: str, submit: float, start: float, run: float, size: int) -> str:
    wait, turnaround = start - submit, start - submit + run
    times = f"{start},{run},{start + run},{wait},{turnaround},{turnaround / run}"
    return f'{job},w0,D,{submit},{size},3600,1,COMPLETED_SUCCESSFULLY,{times},0,-1,""'


def rejected(job: str) -> str:
    return f'{job},w0,D,0,4,3600,0,REJECTED,,,,,,,,,""'


@pytest.fixture
def jobs_file(tmp_path: Path) -> JobsFile:
    """Write a jobs file of (submit, start, run, size) for each job, and names of rejected ones."""

    def write(
        name: str,
        jobs: Sequence[tuple[float, float, float, int]],
        rejected_jobs: Sequence[str] = (),
    ) -> Path:
        lines = [row(str(number), *job) for number, job in enumerate(jobs, 1)]
        path = tmp_path / f"{name}_jobs.csv"
        path.write_text("\n".join([HEADER, *lines, *map(rejected, rejected_jobs)]) + "\n")
        return path

    return write
