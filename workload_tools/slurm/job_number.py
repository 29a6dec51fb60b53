"""The numbers of jobs: ``185``, ``178_0``, ``419_[6-99%2]``, ``203+1``, and of steps."""

import re
from typing import NamedTuple

from workload_tools.slurm.errors import UnreadableError

_NUMBER = re.compile(
    r"([0-9]{1,10})(?:_([0-9]{1,7})|_(\[[^\]]*\]?)|\+([0-9]{1,4}))?(\.[\w+.-]+)?", re.ASCII
)
MOST_DIGITS = 10
"""Of the number of a job."""
_TASK_BITS = 24
_KIND_BITS = 58


class JobNumber(NamedTuple):
    """What a job's number tells."""

    key: int
    """A number that no other job has."""
    array: str | None
    """The array that the job is a task of."""
    step: bool
    """Whether it is a step's."""


def read_job_number(text: str, field: str = "JobID") -> JobNumber:
    """Return what a job's number tells.

    Raises
    ------
    UnreadableError
        It is none.

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
