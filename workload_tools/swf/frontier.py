"""Writer of the 21 fields of Frontier's logs, which ExaDigiT/RAPS reads."""

import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from msgspec.structs import replace

from workload_tools.job import Job, Workload
from workload_tools.swf.writer import write_swf_to


def scheduled(workload: Workload, times: Mapping[str, tuple[float, float]]) -> tuple[Workload, int]:
    """Return a workload with the waits and run times of a simulated schedule.

    Parameters
    ----------
    workload
        The jobs.
    times
        Start in seconds since the first submission and run time, by job id. Other jobs did not run,
        and are left out.

    Returns
    -------
    tuple
        The workload, and the number of jobs that were left out.
    """
    jobs = [
        replace(job, wait_time=max(0.0, start - job.submit_time), run_time=run_time)
        for job in workload.jobs
        if job.id in times
        for start, run_time in [times[job.id]]
    ]
    # RAPS needs a start date in the log
    whole = replace(workload, jobs=jobs, start_time=float(math.floor(workload.start_time or 0.0)))
    return whole, len(workload.jobs) - len(jobs)


def write_frontier_to(
    file: IO[bytes],
    workload: Workload,
    path: str | Path,
    *,
    system: str = "frontier",
    processors_a_node: int = 1,
) -> Counter[str]:
    """Write a log in Frontier's form, with GPUs, soft walltime and ``SYSTEM:excl:NxC``.

    Parameters
    ----------
    file, workload, path
        As in :func:`~workload_tools.swf.writer.write_swf_to`.
    system
        The machine's name in field 21.
    processors_a_node
        Processors of the workload per node; 1 if the processors are nodes.
    """

    def behind(job: Job) -> str:
        nodes = math.ceil(job.processors / processors_a_node)
        gpus = -1 if job.gpus is None else job.gpus
        soft = -1 if job.soft_walltime is None else round(job.soft_walltime)
        return f"{gpus} {soft} {system}:excl:{nodes}x{processors_a_node}"

    return write_swf_to(file, workload, path, behind=behind)
