"""The rows of the jobs of a simulation in arrays, written in a compiled loop."""

from array import array
from collections.abc import Iterable

import numpy as np

from pred_aware.engine.job_arrays import Integers
from pred_aware.engine.kernel.allocating import Free, Placed, allocate_all
from pred_aware.engine.kernel.writing import NO_ROOM, Rows, Texts, write_jobs
from pred_aware.engine.outcome import Outcome
from pred_aware.simulator.job import JobState
from pred_aware.simulator.tracing import STATE_NAMES
from schedulers.machine.counting import Counting

_INTERVALS_OF_A_JOB = 4
"""So many are taken room for at first, on the average."""
_BYTES_OF_A_ROW = 200
_SUCCESS, _REJECTED = JobState.COMPLETED_SUCCESSFULLY, JobState.REJECTED
_FIXED = [
    *(f"{number == _SUCCESS:d},{name}," for number, name in enumerate(STATE_NAMES)),
    ',-1.000000,""\n',
]
_FIXED[_REJECTED] += ',,,,,,,,""\n'


def text_of_jobs(outcome: Outcome) -> str | None:
    """Return the rows of the jobs file, without the header.

    ``None`` where the Python parts have to write them: another machine or allocation rule, or a
    number that the loop can't write to the last digit.
    """
    machine = outcome.machine
    if type(machine) is not Counting or machine.allocation != "lowest":
        return None
    over = outcome.schedule.over
    rows = Rows(
        place=outcome.jobs.places[outcome.over],
        number=over,
        state=outcome.states,
        submit=outcome.kept.submit[over],
        start=outcome.start,
        end=outcome.end,
    )
    names, requests = outcome.jobs.names.in_rows
    fixed, placed = texts_of(_FIXED), _placed(outcome)
    size = _BYTES_OF_A_ROW * len(over)
    while True:
        out = np.empty(size, np.uint8)
        length = write_jobs(rows, names, requests, fixed, placed, out)
        if length != NO_ROOM:
            return None if length < 0 else out[:length].tobytes().decode()
        size *= 2


def _placed(outcome: Outcome) -> Placed:
    """Return the processors of each job."""
    jobs, processors = len(outcome.order), outcome.machine.processors
    room = _INTERVALS_OF_A_JOB * jobs + 1
    # between two free intervals is a job's
    free = min(processors, room) + 1
    while True:
        placed = Placed(_integers(room), _integers(room), _integers(jobs), _integers(jobs))
        idle = Free(_integers(free), _integers(free))
        idle.last[0] = processors - 1
        if allocate_all(outcome.schedule.changes, outcome.kept.processors, idle, 1, placed):
            return placed
        room *= 2
        free = min(processors, room) + 1


def _integers(number: int) -> Integers:
    return np.zeros(number, np.int64)


def texts_of(texts: Iterable[str]) -> Texts:
    """Return texts behind each other."""
    content = bytearray()
    ends = array("q", [0])
    for text in texts:
        content += text.encode()
        ends.append(len(content))
    return Texts(np.frombuffer(bytes(content), np.uint8), np.array(ends, np.int64))


def compile_all() -> None:
    """Compile what was not: write nothing."""
    none, dates = _integers(0), np.zeros(0)
    placed = Placed(none, none, none, none)
    allocate_all(none, none, Free(none, none), 0, placed)
    nothing = texts_of([])
    rows = Rows(none, none, none, dates, dates, dates)
    write_jobs(rows, nothing, nothing, nothing, placed, np.zeros(0, np.uint8))
