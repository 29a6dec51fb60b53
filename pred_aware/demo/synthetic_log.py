"""Generate the demo's log with its model, and write it as an SWF."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pred_aware.demo.log_model import LogModel, ModelJob
from workload_tools.files import written_whole

if TYPE_CHECKING:
    from schedulers.site.site import Site

# Monday, 1 January 2024, 0:00 UTC
START = 1704067200
MOST_JOBS = 20
"""The rule of the demo's site: the maximum number of running jobs of a user."""
QUEUES = {1: "short (to 1 h)", 2: "normal (to 8 h)", 3: "long (to 24 h)"}


def write_model_swf(
    jobs: Sequence[ModelJob],
    path: Path,
    *,
    model: LogModel,
    seed: int,
    waits: Sequence[int] | None = None,
) -> None:
    """Write a standard SWF with 18 fields per line. Unknown fields are -1.

    Parameters
    ----------
    jobs
        Jobs by submission time.
    path
        The file to write.
    model, seed
        Parameters and seed of the model, for the header.
    waits
        Waits of the jobs in seconds; by default unknown.

    Raises
    ------
    PredAwareError
        The file cannot be written.
    """
    header = [
        "Version: 2.2",
        "Computer: none, a model of users who repeat themselves",
        f"Note: made by pred-aware demo --seed {seed}; jobs {model.jobs}, load {model.load}",
        f"MaxJobs: {len(jobs)}",
        f"MaxRecords: {len(jobs)}",
        f"UnixStartTime: {START}",
        "TimeZone: 0",
        "TimeZoneString: UTC",
        f"MaxNodes: {model.processors}",
        f"MaxProcs: {model.processors}",
        f"MaxQueues: {len(QUEUES)}",
        *(f"Queue: {number} {name}" for number, name in QUEUES.items()),
    ]
    lines = [f"; {line}\n" for line in header]
    waits = [-1] * len(jobs) if waits is None else waits
    pairs = zip(jobs, waits, strict=True)
    lines.extend(_line(number, job, wait) for number, (job, wait) in enumerate(pairs, 1))
    with written_whole(path) as file:
        file.write("".join(lines).encode())


def _line(number: int, job: ModelJob, wait: int) -> str:
    """Return the 18 fields of a job; CPU time, memory, partition and earlier jobs are unknown."""
    return (
        f"{number} {job.submit_time} {wait} {job.run_time} {job.processors} -1 -1 "
        f"{job.processors} {job.walltime} -1 {job.status} {job.user} {job.group} "
        f"{job.application} {job.queue} -1 -1 -1\n"
    )


def make_log(path: Path, *, processors: int | None, seed: int) -> "Site":
    """Create a log, simulate it with EASY under the demo's rule, and write it with the waits.

    Parameters
    ----------
    path
        The file to write.
    processors
        Size of the machine; by default the size in the model's parameters.
    seed
        Seed of the model.

    Returns
    -------
    Site
        The site, whose rule causes a part of the waits.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    import numpy as np

    from pred_aware.demo.log_model import LogModel, model_log
    from pred_aware.execution.simulate import simulate
    from pred_aware.log.job_log import read_log
    from schedulers.site.site import Limit, Site

    model = LogModel() if processors is None else LogModel(processors=processors)
    jobs = model_log(model, np.random.default_rng(seed))
    limit = Limit(of="jobs", per="user", most=float(MOST_JOBS))
    site = Site(name="the demo's site", processors=model.processors, limits=(limit,))
    write_model_swf(jobs, path, model=model, seed=seed)
    run = simulate(read_log(path), "easy", site=site)
    assert run.places_in_workload is not None
    waits = np.full(len(jobs), -1)
    waits[run.places_in_workload] = np.rint(run.column("waiting_time"))
    write_model_swf(jobs, path, model=model, seed=seed, waits=waits.tolist())
    return site
