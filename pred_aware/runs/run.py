"""A run: what became of each job, in figures, in files, and how it was made."""

import csv
import hashlib
import io
from collections.abc import Collection, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.errors import PredAwareError
from pred_aware.inputs.workload import Workload
from pred_aware.runs.jobs_table import NUMBERS, read_table
from pred_aware.runs.unpacked import read_unpacked
from pred_aware.simulator.outputs import SUFFIXES, RunFiles

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

KILLED = ("COMPLETED_WALLTIME_REACHED", "COMPLETED_KILLED")
JOBS_SUFFIXES = ("_jobs.csv", "_jobs.csv.gz")

_KEPT = (
    "submission_time", "requested_number_of_resources", "walltime", "final_state", "starting_time",
    "execution_time", "finish_time", "waiting_time", "turnaround_time", "stretch",
    "allocated_resources", "profile", "metadata",
)  # fmt: skip
_SUBMITTED = ("submission_time", "requested_number_of_resources", "walltime")
_IN_WORKLOAD_TOO = frozenset({"submit_time", "processors", "walltime", "run_time"})


class Run:
    """A run of a scheduler on a workload: what became of each job.

    It is made by `pred_aware.simulate` or `pred_aware.read_run`, not by hand. Frames are made when
    they are asked for. It can be sent to other processes.

    Parameters
    ----------
    name
        What the run is called in tables and pictures.
    contents
        The run's files by kind (`pred_aware.simulator.outputs.SUFFIXES`): what is in them, or where
        they are.
    workload
        What was simulated, if it is at hand: users, queues and so on are taken from there.
    warm_up
        Ids of the jobs that only fill the machine; by default those that the workload marks.

    Attributes
    ----------
    summary : dict
        What `pred-aware run --json` prints: the columns of ``_schedule.csv``, bounded slowdowns and
        what is known of estimates; empty for a run that was read.
    rejections : dict
        How many jobs were rejected, by reason, where it is known.
    """

    def __init__(
        self,
        name: str,
        contents: Mapping[str, bytes | Path],
        *,
        workload: Workload | None = None,
        warm_up: Collection[str] | None = None,
        summary: Mapping[str, Any] | None = None,
        rejections: Mapping[str, int] | None = None,
    ) -> None:
        self.name = name
        self.workload = workload
        self.summary = dict(summary or {})
        self.rejections = dict(rejections or {})
        self._contents = dict(contents)
        if warm_up is None:
            warm_up = () if workload is None else workload.warm_up
        self._warm_up = frozenset(warm_up)

    @classmethod
    def written(cls, name: str, files: RunFiles, **known: Any) -> "Run":  # noqa: ANN401
        """Make a run of the files that were just written; what else is known as for the class."""
        paths = {kind: files.path(kind) for kind in SUFFIXES}
        return cls(name, {kind: path for kind, path in paths.items() if path.is_file()}, **known)

    # what stands in the files

    @property
    def path(self) -> Path | None:
        """The jobs file, or ``None`` for a run that is in memory only."""
        content = self._contents["jobs"]
        return None if isinstance(content, bytes) else content

    def content(self, kind: str) -> bytes | None:
        """Return what is in one of the run's files, unpacked; ``None`` where there is none.

        Raises
        ------
        PredAwareError
            The file can't be read.
        """
        content = self._contents.get(kind)
        return read_unpacked(content) if isinstance(content, Path) else content

    @cached_property
    def _table(self) -> "pd.DataFrame":
        return read_table(self.content("jobs") or b"", self.path or self.name)

    @cached_property
    def _schedule(self) -> dict[str, str]:
        content = self.content("schedule")
        if content is None:
            return {}
        try:
            return next(csv.DictReader(io.StringIO(content.decode())), {})
        except UnicodeDecodeError as error:
            raise PredAwareError(f"{self._contents['schedule']!s}: not a text file") from error

    def _schedule_figure(self, column: str) -> float | None:
        text = self._schedule.get(column)
        if text is None and column not in self._schedule:
            return None
        try:
            return float(text)  # type: ignore[arg-type] # None is refused as a text is
        except (TypeError, ValueError) as error:
            where = self._contents["schedule"]
            raise PredAwareError(f"{where!s}:2: {column} is not a number") from error

    def _counts(self) -> "pd.Series[bool]":
        return ~self._table["job_id"].isin(list(self._warm_up))

    # what figures are made from

    @cached_property
    def ran(self) -> "pd.DataFrame":
        """The jobs that ran and count, with Batsim's columns of numbers, in the file's order.

        Times in seconds; indexed by ``workload_name!job_id``.
        """
        ran = self._table["final_state"] != "REJECTED"
        return self._table.loc[self._counts() & ran, list(NUMBERS)]

    @cached_property
    def warm_up(self) -> "pd.DataFrame | None":
        """Those that ran and only fill the machine; ``None`` where no job does that."""
        if not self._warm_up:
            return None
        ran = self._table["final_state"] != "REJECTED"
        return self._table.loc[~self._counts() & ran, list(NUMBERS)]

    @property
    def whole(self) -> "pd.DataFrame":
        """All jobs that ran, those of the warm-up too: what the machine did."""
        if self.warm_up is None:
            return self.ran
        import pandas as pd

        return pd.concat([self.warm_up, self.ran])

    @property
    def never_ran(self) -> "pd.Index[str]":
        """The full names of the jobs that count and never ran, as in the index of `ran`."""
        rejected = self._table["final_state"] == "REJECTED"
        return self._table.index[self._counts() & rejected]

    @property
    def killed(self) -> int:
        """How many of the jobs that ran and count were killed."""
        return int((self._table["final_state"].isin(KILLED) & self._counts()).sum())

    @property
    def machine_processors(self) -> int | None:
        """Size of the machine, from the schedule file; ``None`` without one."""
        size = self._schedule_figure("nb_computing_machines")
        return None if size is None else int(size)

    @property
    def scheduling_time(self) -> float | None:
        """Seconds spent in the scheduler; ``None`` where nobody measured it."""
        return self._schedule_figure("scheduling_time") or None

    @cached_property
    def processors(self) -> int:
        """Size of the machine; without a schedule file the highest number of processors in use."""
        return self.machine_processors or _most_in_use(self.whole)

    # what a notebook shows

    @cached_property
    def jobs(self) -> "pd.DataFrame":
        """A row for each job that ran, in the order of the ends, indexed by `job_id`.

        Batsim's columns, times in seconds: `submission_time`, `requested_number_of_resources`,
        `walltime` (missing where there is none), `final_state`, `starting_time`, `execution_time`,
        `finish_time`, `waiting_time`, `turnaround_time`, `stretch`, `allocated_resources`,
        `profile`, `metadata`. What the workload tells of the job beside these, if it is at hand:
        `user`, `queue` and so on, the wait that the log recorded as `recorded_wait_time`. How it
        was planned, if the scheduler tells: `first_estimate`, `last_estimate`, `corrections`,
        `started_as` (head, queue, backfilled), `first_promised_start`, `last_promised_start`.
        `warm_up`, where jobs only fill the machine. With several workloads the index has the full
        names, such as ``w1!15``.
        """
        table = self._of_jobs(self._table["final_state"] != "REJECTED")
        frame = table[[name for name in _KEPT if name in table]]
        frame = frame.astype({"requested_number_of_resources": "int64", "final_state": "category"})
        return _joined(frame, [*self._known_of_jobs(), *self._planned()])

    @cached_property
    def rejected(self) -> "pd.DataFrame":
        """A row for each job that never ran, with the reason, where it is known."""
        import pandas as pd

        table = self._of_jobs(self._table["final_state"] == "REJECTED")
        frame = table[[name for name in _SUBMITTED if name in table]]
        frame = frame.astype({"requested_number_of_resources": "int64"})
        frame["reason"] = pd.Series(self._reasons(frame), frame.index, dtype="str")
        return _joined(frame, self._known_of_jobs())

    def _of_jobs(self, chosen: "pd.Series[bool]") -> "pd.DataFrame":
        table = self._table[chosen]
        if "requested_time" in table:
            # Batsim writes -1 where there is none
            walltime = table["requested_time"].where(table["requested_time"] >= 0.0)
            table = table.assign(walltime=walltime)
        names = self._table["workload_name"]
        if (names == names.iloc[0]).all():
            table = table.set_index("job_id")
        else:
            table.index.name = "job"
        return table

    def _known_of_jobs(self) -> "list[pd.DataFrame]":
        if self.workload is None:
            return []
        known = self.workload.jobs
        known = known[[name for name in known if name not in _IN_WORKLOAD_TOO]]
        return [known.rename(columns={"wait_time": "recorded_wait_time"})]

    def _planned(self) -> "list[pd.DataFrame]":
        content = self.content("estimates")
        if content is None:
            return []
        import pandas as pd

        words = {"job_id": "str", "started_as": "category"}
        planned = pd.read_csv(
            io.BytesIO(content), dtype=words, keep_default_na=False, na_values=_NO_PROMISE
        )
        return [planned.set_index("job_id")]

    def _reasons(self, rejected: "pd.DataFrame") -> list[str | None]:
        """Say why jobs were rejected: their sizes tell, or there is only one reason."""
        size = self.processors
        told = self.rejections or ({} if self.made is None else self.made.get("rejected", {}))
        other = [reason for reason in told if not reason.startswith("asks for ")]
        return [
            f"asks for {asked} processors; the machine has {size}"
            if asked > size
            else other[0]
            if len(other) == 1
            else None
            for asked in rejected["requested_number_of_resources"]
        ]

    @cached_property
    def figures(self) -> "pd.Series[float]":
        """The figures by name, as `pred-aware compare --json` has them; docs/metrics.md says more.

        Times in seconds. Missing where there is nothing to make one from.
        """
        import pandas as pd

        from pred_aware.comparison.figures import figures

        counts = {
            "jobs": len(self.ran),
            "rejected": len(self.never_ran),
            "killed": self.killed,
            "processors": self.processors,
        }
        return pd.Series({**counts, **figures(self)}, dtype="float64", name=self.name)

    # how it was made

    @cached_property
    def _made(self) -> tuple[dict[str, Any] | None, str | None]:
        content = self.content("run")
        if content is None:
            return None, None
        import msgspec

        where = self._contents["run"]
        label = where.name if isinstance(where, Path) else "how it was made"
        try:
            made = msgspec.json.decode(content, type=dict[str, Any])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            return None, f"{label} can't be read: {error}"
        if made.get("jobs_sha256") != hashlib.sha256(self.content("jobs") or b"").hexdigest():
            return None, f"{label} is of another run: it does not belong to these jobs"
        return made, None

    @property
    def made(self) -> dict[str, Any] | None:
        """How the run was made: what stands in ``PREFIX_run.json``; docs/runs.md tells its fields.

        ``None`` where nothing is known, or where the file is of another run.
        """
        return self._made[0]

    @property
    def remark(self) -> str | None:
        """What has to be known of `made`: that the file beside the jobs is of another run."""
        return self._made[1]

    def __repr__(self) -> str:
        """Name it, and the number of jobs that ran."""
        return f"<Run {self.name}: {len(self.ran)} jobs on {self.processors} processors>"

    def _repr_html_(self) -> str:
        """Show it in a notebook: its figures, and how it was made."""
        from pred_aware.report.in_html import table_in_html
        from pred_aware.runs.made import in_a_line

        made = self.remark or ("" if self.made is None else in_a_line(self.made))
        return table_in_html(repr(self)[1:-1], self.figures.to_frame(), note=made)

    def plot(self) -> "Figure":
        """Draw the machine, the queue and the waits; see `pred_aware.Comparison.plot`."""
        from pred_aware.comparison.picture import figure_of

        return figure_of([self])

    def write(self, prefix: str | Path) -> None:
        """Write the run's files, all or none: ``PREFIX_jobs.csv`` and so on.

        They are those that `pred-aware run -e PREFIX` writes, byte by byte, but for the date and
        the command in ``PREFIX_run.json``.

        Raises
        ------
        SimulationError
            They can't be written.
        """
        with RunFiles(prefix) as files:
            for kind in self._contents:
                content = self.content(kind)
                assert content is not None
                files.open(kind).write(content.decode())


_NO_PROMISE = {"first_promised_start": [""], "last_promised_start": [""]}


def read_run(
    path: str | Path,
    name: str | None = None,
    *,
    workload: Workload | str | Path | None = None,
    warm_up: Collection[str] | None = None,
) -> Run:
    """Read a run from its files, ours or the real Batsim's, plain or gzip.

    Parameters
    ----------
    path
        The jobs file, or the prefix of the files. The others (``PREFIX_schedule.csv`` and so on)
        are taken where they stand beside it.
    name
        What the run is to be called; by default what stands before ``_jobs.csv``.
    workload
        What was simulated, or its file: for the jobs' users and queues, and to leave out the jobs
        that it marks as warm-up.
    warm_up
        Ids of the jobs that only fill the machine, if not those that the workload marks.

    Raises
    ------
    PredAwareError
        The file can't be read, is empty or not a jobs file, lacks a column, has a word for a
        number, a job without its times, the same job twice, or none of the jobs of the warm-up.
    WorkloadError
        The workload can't be read.
    """
    jobs = _jobs_file(Path(path))
    if isinstance(workload, str | Path):
        workload = Workload.read(workload)
    contents: dict[str, bytes | Path] = {"jobs": jobs}
    contents |= {kind: file for kind in SUFFIXES if (file := _beside(jobs, kind)) is not None}
    if name is None:
        name = jobs.name.removesuffix(".gz").removesuffix(".csv").removesuffix("_jobs")
    run = Run(name, contents, workload=workload, warm_up=warm_up)
    # what is wrong with the file shall be told now
    if run.warm_up is not None and run.warm_up.empty:
        raise PredAwareError(f"{jobs}: has none of the jobs that the workload marks as warm-up")
    _ = run.ran, run.machine_processors, run.scheduling_time
    return run


def _jobs_file(path: Path) -> Path:
    if not path.is_file():
        for suffix in JOBS_SUFFIXES:
            file = Path(f"{path}{suffix}")
            if file.is_file():
                return file
    return path


def _beside(jobs: Path, kind: str) -> Path | None:
    """Find another file of a run: the one with its kind for ``jobs`` in the name."""
    head, found, tail = jobs.name.rpartition("jobs")
    if not found or kind == "jobs":
        return None
    plain = f"{head}{kind}{tail}".removesuffix(".gz")
    if SUFFIXES[kind].endswith(".json"):
        plain = plain.removesuffix(".csv") + ".json"
    for name in (plain, f"{plain}.gz"):
        beside = jobs.with_name(name)
        if beside.is_file():
            return beside
    return None


def _joined(frame: "pd.DataFrame", others: "list[pd.DataFrame]") -> "pd.DataFrame":
    for other in others:
        frame = frame.join(other)
    return frame


def _most_in_use(jobs: "pd.DataFrame") -> int:
    import numpy as np

    if jobs.empty:
        return 0
    sizes = jobs["requested_number_of_resources"].to_numpy()
    times = np.concatenate([jobs["finish_time"].to_numpy(), jobs["starting_time"].to_numpy()])
    changes = np.concatenate([-sizes, sizes])
    # a job that ends frees its processors for one that starts at that same date
    order = np.lexsort((changes, times))
    return int(np.cumsum(changes[order]).max())
