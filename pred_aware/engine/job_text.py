"""The rows of the jobs of a simulation in arrays, written in a compiled loop."""

from collections.abc import Iterable, Iterator

import numpy as np

from pred_aware.engine.allocations import placed_in
from pred_aware.engine.kernel.allocating import Free, allocate_all
from pred_aware.engine.kernel.values import Placed
from pred_aware.engine.kernel.writing import NO_ROOM, Rows, Texts, write_jobs
from pred_aware.engine.outcome import Outcome
from pred_aware.simulator.job import JobState
from pred_aware.simulator.tracing import ROWS_AT_ONCE, STATE_NAMES
from schedulers.machine.counting import Counting

_BYTES_OF_A_ROW = 200
CHUNKS_OF_A_TEXT = 10
ROWS_OF_A_TEXT = CHUNKS_OF_A_TEXT * ROWS_AT_ONCE
_SUCCESS, _REJECTED = JobState.COMPLETED_SUCCESSFULLY, JobState.REJECTED
_FIXED = [
    *(f"{number == _SUCCESS:d},{name}," for number, name in enumerate(STATE_NAMES)),
    ',-1.000000,""\n',
]
_FIXED[_REJECTED] += ',,,,,,,,""\n'


def texts_of_jobs(outcome: Outcome) -> Iterator[str | None] | None:
    """Return the rows of the jobs file, `ROWS_OF_A_TEXT` at a time, without the header.

    ``None`` where the Python parts have to write them: all of them with another machine or
    allocation rule, those of a text with a number that the loop can't write to the last digit.
    """
    machine = outcome.machine
    if outcome.nodes is not None or type(machine) is not Counting or machine.allocation != "lowest":
        return None
    return _texts_of_jobs(outcome)


def _texts_of_jobs(outcome: Outcome) -> Iterator[str | None]:
    over = outcome.schedule.over
    places, submit = outcome.jobs.places[outcome.over], outcome.kept.submit[over]
    states, start, end = outcome.states, outcome.start, outcome.end
    names, requests = outcome.jobs.names.in_rows
    fixed, placed = texts_of(_FIXED), placed_in(outcome)
    out = np.empty(_BYTES_OF_A_ROW * ROWS_OF_A_TEXT, np.uint8)
    for first in range(0, len(over), ROWS_OF_A_TEXT):
        part = slice(first, first + ROWS_OF_A_TEXT)
        rows = Rows(places[part], over[part], states[part], submit[part], start[part], end[part])
        while (length := write_jobs(rows, names, requests, fixed, placed, out)) == NO_ROOM:
            out = np.empty(2 * len(out), np.uint8)
        yield None if length < 0 else out[:length].tobytes().decode()


def texts_of(texts: Iterable[str]) -> Texts:
    """Return texts behind each other."""
    encoded = [text.encode() for text in texts]
    ends = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum([len(text) for text in encoded], out=ends[1:])
    return Texts(np.frombuffer(b"".join(encoded), np.uint8), ends)


def compile_all() -> None:
    """Compile what was not: write nothing."""
    none, dates = np.zeros(0, np.int64), np.zeros(0)
    placed = Placed(none, none, none, none)
    allocate_all(none, none, Free(none, none), 0, placed)
    nothing = texts_of([])
    rows = Rows(none, none, none, dates, dates, dates)
    write_jobs(rows, nothing, nothing, nothing, placed, np.zeros(0, np.uint8))
