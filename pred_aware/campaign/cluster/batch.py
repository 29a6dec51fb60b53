"""Commands of batch systems and their output: arrays are submitted and looked for."""

import getpass
import math
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from pred_aware.campaign.cluster.jobs import Jobs
from pred_aware.errors import PredAwareError

BEGIN = 50
"""So many elements of a large array begin each second."""

PATIENCE = 60.0
"""How long one of their commands may take, in seconds."""


class BatchError(PredAwareError):
    """The batch system does not answer, or refuses."""


class Batch(Protocol):
    """A batch system."""

    name: str
    index: str
    """The variable that tells an element its number."""

    def header(self, jobs: Jobs, *, name: str, elements: int) -> Iterator[str]:
        """Yield the lines of a script that say what each element is asked for."""

    def submit(self, script: Path) -> str:
        """Submit a job array, and return what it is known by."""

    def cancel(self, job: str) -> None:
        """End a job."""

    def unfinished(self) -> set[str]:
        """Return what the jobs of this user are known by that wait or run."""


def script_for(batch: Batch, jobs: Jobs, *, name: str, elements: int, folder: Path) -> str:
    """Return the script of a job array.

    Parameters
    ----------
    batch
        The batch system.
    jobs
        What each element is asked for.
    name
        What the array is called.
    elements
        How many.
    folder
        Of the array, in the store; logs go there.
    """
    here = shlex.quote(str(folder))
    element = f'"${{{batch.index}:-0}}"'
    log = f"{here}/{element}.log"
    # variables of the job may be in it, such as where it has a disk of its own
    python = '"' + re.sub(r'(["\\`])', r"\\\1", jobs.python) + '"'
    # each looks for some ten thousand files when it begins, which are another's if it is shared
    slowly = [f"sleep $(( ${{{batch.index}:-0}} / {BEGIN} ))"] if elements > BEGIN else []
    return "\n".join(
        (
            "#!/bin/sh",
            *batch.header(jobs, name=name, elements=elements),
            *slowly,
            # not by the batch system: names of folders may have any sign in them
            f"exec >>{log} 2>&1",
            *jobs.before,
            f"{python} -P -m pred_aware.campaign.cluster.element {here} {element}",
            "code=$?",
            # an element that has nothing to say leaves nothing
            f"[ -s {log} ] || rm -f {log}",
            "exit $code",
            "",
        )
    )


class Slurm:
    """Slurm, by its commands."""

    name = "Slurm"
    index = "SLURM_ARRAY_TASK_ID"

    def header(self, jobs: Jobs, *, name: str, elements: int) -> Iterator[str]:
        """Yield the lines of a script that say what each element is asked for."""
        told = {
            "job-name": name,
            "array": f"0-{elements - 1}",
            "ntasks": 1,
            "cpus-per-task": jobs.cores,
            "time": math.ceil(jobs.seconds / 60),
            "mem": None if jobs.memory is None else f"{math.ceil(jobs.memory / 2**20)}M",
            "partition": jobs.partition,
            "account": jobs.account,
            "output": "/dev/null",
        }
        for option, value in told.items():
            if value is not None:
                yield f"#SBATCH --{option}={value}"
        # one that was begun twice goes on where it stopped
        yield "#SBATCH --requeue"
        yield from (f"#SBATCH {option}" for option in jobs.options)

    def submit(self, script: Path) -> str:
        """Submit a job array, and return its number."""
        # the cluster's name follows where there are several
        return _said("sbatch", "--parsable", str(script)).partition(";")[0]

    def cancel(self, job: str) -> None:
        """End a job."""
        _said("scancel", job)

    def unfinished(self) -> set[str]:
        """Return the numbers of the arrays of this user that wait or run."""
        return set(_said("squeue", "--noheader", "--format=%F", f"--user={_user()}").split())


class Pbs:
    """OpenPBS and PBS Professional, by their commands."""

    name = "PBS"
    index = "PBS_ARRAY_INDEX"

    def header(self, jobs: Jobs, *, name: str, elements: int) -> Iterator[str]:
        """Yield the lines of a script that say what each element is asked for."""
        minutes, seconds = divmod(math.ceil(jobs.seconds), 60)
        memory = "" if jobs.memory is None else f":mem={math.ceil(jobs.memory / 2**20)}mb"
        yield f"#PBS -N {name}"
        if elements > 1:
            # there are no arrays of one
            yield f"#PBS -J 0-{elements - 1}"
        yield f"#PBS -l select=1:ncpus={jobs.cores}{memory}"
        yield f"#PBS -l walltime={minutes // 60:02}:{minutes % 60:02}:{seconds:02}"
        for option, value in (("q", jobs.partition), ("A", jobs.account)):
            if value is not None:
                yield f"#PBS -{option} {value}"
        yield "#PBS -j oe"
        yield "#PBS -o /dev/null"
        yield "#PBS -r y"
        yield from (f"#PBS {option}" for option in jobs.options)

    def submit(self, script: Path) -> str:
        """Submit a job array, and return its number and server."""
        return _said("qsub", str(script))

    def cancel(self, job: str) -> None:
        """End a job."""
        _said("qdel", job)

    def unfinished(self) -> set[str]:
        """Return number and server of the jobs of this user that wait or run."""
        return set(_said("qselect", "-u", _user()).split())


BATCHES: dict[str, Batch] = {"slurm": Slurm(), "pbs": Pbs()}


def _user() -> str:
    return getpass.getuser()


def _said(*command: str) -> str:
    """Return what a command prints.

    Raises
    ------
    BatchError
        It is not there, refuses, or does not answer.
    """
    try:
        done = subprocess.run(  # noqa: S603 - of the batch system, without a shell
            command, capture_output=True, text=True, timeout=PATIENCE, check=False
        )
    except FileNotFoundError as error:
        raise BatchError(
            f"{command[0]} is not here: run this where jobs are submitted, or use another --on"
        ) from error
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BatchError(f"{command[0]}: {error}") from error
    if done.returncode:
        raise BatchError(f"{command[0]}: {_first(done.stderr) or f'code {done.returncode}'}")
    return done.stdout.strip()


def _first(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def first_line(folder: Path) -> str:
    """Return the first line that an element of an array has said; nothing if none has."""
    said = (_first(log.read_text(errors="replace")) for log in sorted(folder.glob("*.log")))
    return next(filter(None, said), "")


def last_line(folder: Path) -> str:
    """Return the last line of the last log in a folder; nothing if there is none."""
    logs = sorted((*folder.glob("*.err"), *folder.glob("*.[oe][0-9]*")))
    lines = logs[-1].read_text(errors="replace").split("\n") if logs else []
    return next(filter(None, map(str.strip, reversed(lines))), "")
