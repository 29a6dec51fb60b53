"""The ids of jobs: ``185``, ``178_0``, ``419_[6-99%2]``, ``203+1``, and of steps."""

import re
from typing import NamedTuple

from workload_tools.slurm.errors import UnreadableError

_NUMBER = re.compile(
    r"([0-9]{1,10})(?:_([0-9]{1,7})|_(\[[^\]]*\]?)|\+([0-9]{1,4}))?(\.[\w+.-]+)?", re.ASCII
)
MOST_DIGITS = 10
"""Longest job number, in digits."""
_TASK_BITS = 24
_KIND_BITS = 58


class JobNumber(NamedTuple):
    """The parts of a job's id."""

    key: int
    """A number that is unique to the job."""
    array: str | None
    """The job array, if the job is one of its tasks."""
    step: bool
    """True for the id of a step."""


def read_job_number(text: str, field: str = "JobID") -> JobNumber:
    """Parse a job's id.

    Raises
    ------
    UnreadableError
        The text is not a job's id.

    Examples
    --------
    >>> read_job_number("185")
    JobNumber(key=185, array=None, step=False)
    >>> read_job_number("178_0").array, read_job_number("203+0.batch").step
    ('178', True)
    """
    if text.isdecimal() and text.isascii() and len(text) <= MOST_DIGITS:
        return JobNumber(int(text), None, False)
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise UnreadableError(field, text)
    number, task, rest, component, step = match.groups()
    key = int(number)
    kind = 0
    for kind, part in enumerate((task, component), start=1):
        if part is not None:
            key = (kind << _KIND_BITS) | (key << _TASK_BITS) | int(part)
    array = number if task is not None or rest is not None else None
    return JobNumber(key, array, step is not None)
