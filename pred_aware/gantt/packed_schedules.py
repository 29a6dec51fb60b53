"""The packed data from which a browser draws two schedules."""

import base64
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from pred_aware.gantt.changed_day import changed_day, day_in_words
from pred_aware.gantt.numbering import in_columns, job_processors
from pred_aware.report.clock import make_clock, plausible_start
from pred_aware.report.durations import DAY, timespan
from pred_aware.report.plural import counted
from pred_aware.report.table import percent
from workload_tools.printable import printable

if TYPE_CHECKING:
    from collections.abc import Collection

    import pandas as pd
    from numpy.typing import NDArray

    from pred_aware.gantt.numbering import Numbering, SchedulePair
    from pred_aware.runs.run import Run
    from workload_tools.batsim.intervals import Intervals


LARGEST = 2**31 - 1
"""Largest number in a packed column."""


def packed(column: "NDArray[np.int64]") -> str:
    """Pack integers of 32 bits: first the lowest bytes of all numbers; deflated, in base64.

    Bytes of the same significance resemble each other. So this order halves the compressed size.

    Parameters
    ----------
    column
        Shape (numbers,), each from -`LARGEST` to `LARGEST`.

    Examples
    --------
    >>> zlib.decompress(base64.b64decode(packed(np.arange(3))), -15).hex(" ", 4)
    '00010200 00000000 00000000'
    """
    ranks = column.astype("<i4").view(np.uint8).reshape(-1, 4).T
    return packed_bytes(ranks.tobytes())


def packed_bytes(content: bytes) -> str:
    """Deflate bytes without a zlib header, and encode the result in base64."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return base64.b64encode(deflate.compress(content) + deflate.flush()).decode()


MOST_JOBS = 250_000
MOST_INTERVALS = 500_000
"""Most jobs in a chart, and most intervals of processors in a schedule."""
_SPAN = ("starting_time", "finish_time")
NONE = -1
"""The number that stands for a missing time."""


@dataclass(frozen=True, slots=True)
class PackedSchedules:
    """Two schedules as a page stores them."""

    data: dict[str, Any]
    """Data for the page's script as JSON types; `schedules.js` describes them."""
    remarks: tuple[str, ...]
    """Notes for the reader on jobs left out, rounded dates and assumed processors."""


def pack_schedules(
    schedules: "SchedulePair", numbering: "Numbering", *, at_any_rate: "Collection[str]" = ()
) -> PackedSchedules:
    """Return two schedules as packed columns; equal schedules give equal columns.

    Parameters
    ----------
    schedules
        Two runs of the same jobs.
    numbering
        The displayed numbers of jobs and users.
    at_any_rate
        Ids of jobs that are always included.
    """
    return _Packer(schedules, numbering, at_any_rate).packed()


class _Packer:
    """Converts two schedules into columns with a number for each chosen job."""

    def __init__(
        self, schedules: "SchedulePair", numbering: "Numbering", at_any_rate: "Collection[str]"
    ) -> None:
        self._schedules = schedules
        self._runs = (schedules.baseline, schedules.other)
        self._remarks: list[str] = []
        self._numbering = numbering
        self._all, self._users = numbering.jobs, numbering.users
        self._frames = [run.jobs.reindex(self._all.index) for run in self._runs]
        self._places = [
            self._placed(run, frame) for run, frame in zip(self._runs, self._frames, strict=True)
        ]
        submitted = self._all["submission_time"]
        self._first = float(submitted.min()) if len(submitted) else 0.0
        self._last = max(
            (float(frame["finish_time"].max()) for frame in self._frames if len(frame)), default=0.0
        )
        self._unit = max(1, int(np.ceil((self._last - self._first) / LARGEST)))
        self._chosen = self._choose(at_any_rate)

    def _placed(self, run: "Run", frame: "pd.DataFrame") -> "list[Intervals]":
        found, recorded = job_processors(frame, processors=run.processors)
        if not recorded:
            self._remarks.append(
                f"{run.name} does not record the processors of its jobs. Each job is drawn on the "
                "free processors with the lowest numbers."
            )
        return found

    def _choose(self, at_any_rate: "Collection[str]") -> "NDArray[np.int64]":
        """Choose all jobs, or those with most processor seconds if a page cannot hold all."""
        work = sum(
            (frame["requested_number_of_resources"] * frame["execution_time"]).fillna(0.0)
            for frame in self._frames
        )
        assert not isinstance(work, int)
        shares = work.to_numpy(np.float64)
        wanted = self._all.index.isin(list(at_any_rate))
        order = np.lexsort((-shares, ~wanted))
        intervals = np.max(
            [[len(job_intervals) for job_intervals in found] for found in self._places], axis=0
        )
        enough = int(np.searchsorted(np.cumsum(intervals[order]), MOST_INTERVALS, side="right"))
        chosen = np.sort(order[: min(MOST_JOBS, enough)])
        if len(chosen) < len(order):
            part = percent(float(shares[chosen].sum() / shares.sum()))
            self._remarks.append(
                f"Of {counted(len(order), 'job')}, only the {len(chosen):,} with most processor "
                f"seconds are drawn. They have {part} of all work. Queue lengths and overtaking "
                "are computed from these jobs."
            )
        return chosen

    def packed(self) -> PackedSchedules:
        """Return the packed columns, with notes for the reader."""
        if self._unit > 1:
            self._remarks.append(f"Dates are rounded to {timespan(self._unit)}.")
        shared = self._shared()
        schedules = [
            {
                "name": printable(run.name),
                "columns": _packed(self._own(frame.iloc[self._chosen], found, shared)),
            }
            for run, frame, found in zip(self._runs, self._frames, self._places, strict=True)
        ]
        origin = self._origin()
        data = {
            "jobs": len(self._chosen),
            "processors": max(run.processors for run in self._runs),
            "unit": self._unit,
            "end": int(self._seconds(np.array([self._last - self._first]))[0]),
            "origin": origin,
            "opens": self._opens(origin),
            "all": len(self._chosen) == len(self._all),
            "named": self._schedules.names,
            "columns": _packed(shared),
            "schedules": schedules,
            **self._names(),
        }
        return PackedSchedules(data, tuple(self._remarks))

    def _opens(self, origin: float | None) -> float | None:
        """Return the start of the day that is shown first; ``None`` if all days are shown."""
        spans = [
            tuple(frame[name].to_numpy(np.float64) - self._first for name in _SPAN)
            for frame in self._frames
        ]
        sizes = self._all["requested_number_of_resources"].to_numpy(np.float64)
        begins = changed_day(
            (spans[0][0], spans[0][1]),
            (spans[1][0], spans[1][1]),
            sizes,
            midnight=0.0 if origin is None else -(origin % DAY),
        )
        if begins is not None:
            day = day_in_words(begins, origin)
            self._remarks.append(
                f"The charts first show {day}, on which the schedules differ most. The button All "
                "shows all days."
            )
        return begins

    def _origin(self) -> float | None:
        """Return the local first submission as Unix seconds as if it were UTC, if known."""
        workload = self._schedules.baseline.workload
        if workload is None or not len(self._all):
            return None
        start, zone = workload.dates
        last = float(self._all["submission_time"].max())
        clock = make_clock(plausible_start(start, self._first, last), zone)
        if not clock.knows_dates:
            return None
        date = clock.datetime(self._first)
        offset = date.utcoffset()
        return date.timestamp() + (offset.total_seconds() if offset is not None else 0.0)

    def _seconds(self, times: "NDArray[np.float64]") -> "NDArray[np.int64]":
        """Convert seconds to the page's unit; missing times become `NONE`."""
        rounded = np.round(np.where(np.isnan(times), NONE * self._unit, times) / self._unit)
        return np.clip(rounded, NONE, LARGEST).astype(np.int64)

    def _seconds_in(self, frame: "pd.DataFrame", column: str) -> "NDArray[np.int64]":
        if column not in frame:
            return np.full(len(frame), NONE)
        return self._seconds(frame[column].to_numpy(np.float64))

    def _shared(self) -> "dict[str, NDArray[np.int64]]":
        """Return the columns common to both schedules: number, dates, size, walltime, user."""
        jobs = self._all.iloc[self._chosen]
        submitted = self._seconds(jobs["submission_time"].to_numpy(np.float64) - self._first)
        found = {
            # store differences, because smaller numbers compress better
            "number": np.diff(self._numbering.numbers[self._chosen], prepend=0),
            "submit": np.diff(submitted, prepend=0),
            "processors": jobs["requested_number_of_resources"].to_numpy(np.int64),
            "run_time": self._seconds_in(self._known("execution_time"), "execution_time"),
            "walltime": self._seconds_in(self._known("walltime"), "walltime"),
        }
        if self._users is not None:
            found["user"] = 1 + self._users[0][self._chosen]
        return found

    def _known(self, column: str) -> "pd.DataFrame":
        """Return a column of the baseline, with missing values taken from the other run."""
        baseline, other = (frame.iloc[self._chosen].filter([column]) for frame in self._frames)
        return baseline.fillna(other) if column in baseline else other

    def _own(
        self,
        frame: "pd.DataFrame",
        found: "list[Intervals]",
        shared: "dict[str, NDArray[np.int64]]",
    ) -> "dict[str, NDArray[np.int64]]":
        """Return the columns of one schedule; the intervals are in order of the jobs' starts."""
        wait, estimate = (
            self._seconds_in(frame, "waiting_time"),
            self._seconds_in(frame, "first_estimate"),
        )
        run_time = self._seconds_in(frame, "execution_time")
        start = np.cumsum(shared["submit"]) + wait
        ran = np.flatnonzero(wait != NONE)
        order = ran[np.argsort(start[ran], kind="stable")]
        return {
            "wait": wait,
            # mostly 0, because both schedules have the same run times
            "longer": np.where(wait == NONE, 0, run_time - shared["run_time"]),
            # 0 stands for the walltime
            "estimate": np.where(estimate == shared["walltime"], 0, estimate),
            **in_columns([found[job] for job in self._chosen.tolist()], order),
        }

    def _names(self) -> dict[str, str]:
        """Return the names of jobs and users, if they may be shown."""
        if not self._schedules.names:
            return {}
        names = {}
        if not self._numbering.numbers_are_names:
            names["names"] = [str(job) for job in self._all.index[self._chosen]]
        if self._users is not None:
            names["users"] = self._users[1]
        return {
            kind: packed_bytes(msgspec.json.encode([printable(name) for name in some]))
            for kind, some in names.items()
        }


def _packed(columns: "dict[str, NDArray[np.int64]]") -> dict[str, str]:
    return {name: packed(column) for name, column in columns.items()}
