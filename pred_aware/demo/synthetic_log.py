"""The demo's log: made by its model, written as an SWF."""

from collections.abc import Sequence
from pathlib import Path

from pred_aware.demo.log_model import LogModel, ModelJob
from workload_tools.files import written_whole

# Monday, 1 January 2024, 0:00 UTC
START = 1704067200
QUEUES = {1: "short (to 1 h)", 2: "normal (to 8 h)", 3: "long (to 24 h)"}


def write_model_swf(jobs: Sequence[ModelJob], path: Path, *, model: LogModel, seed: int) -> None:
    """Write a log that any tool for SWF reads: 18 fields a line, unknown ones -1.

    Parameters
    ----------
    jobs
        By submission time.
    path
        The file to write.
    model, seed
        What the jobs were made with, for the header.

    Raises
    ------
    PredAwareError
        The file can't be written.
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
    lines.extend(_line(number, job) for number, job in enumerate(jobs, 1))
    with written_whole(path) as file:
        file.write("".join(lines).encode())


def _line(number: int, job: ModelJob) -> str:
    """Write the 18 fields; wait, CPU time, memory, partition and what came before are unknown."""
    return (
        f"{number} {job.submit_time} -1 {job.run_time} {job.processors} -1 -1 "
        f"{job.processors} {job.walltime} -1 {job.status} {job.user} {job.group} "
        f"{job.application} {job.queue} -1 -1 -1\n"
    )


def make_log(path: Path, *, processors: int | None, seed: int) -> None:
    """Make a log and write it.

    Parameters
    ----------
    path
        The file.
    processors
        The machine's size; the model's own by default.
    seed
        Of the model.

    Raises
    ------
    InputError
        The file can't be written.
    """
    import numpy as np

    from pred_aware.demo.log_model import LogModel, model_log

    model = LogModel() if processors is None else LogModel(processors=processors)
    write_model_swf(model_log(model, np.random.default_rng(seed)), path, model=model, seed=seed)
