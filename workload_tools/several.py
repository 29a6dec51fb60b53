"""Read several logs of one machine as one log."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from workload_tools.errors import LogError
from workload_tools.formats import open_log, recognised
from workload_tools.job import Job, later
from workload_tools.log import Log, Machine, files_of
from workload_tools.report import Report
from workload_tools.slurm.sizes import Busy

SEEN_BEFORE = "same job as in an earlier file"
FEWEST_USERS = 3
"""Logs with fewer users are not compared: even on one machine, they may have no user in common."""
_IN_FILES = frozenset({"slurm", "swf"})
"""Formats whose readers read single files, so that each file of a folder is a separate log."""


def open_logs(
    paths: Iterable[Path],
    *,
    format: str | None = None,  # noqa: A002 - the option's name in all commands
    options: Mapping[str, Any] | None = None,
    processors: int | None = None,
    time_zone: str | None = None,
) -> Log:
    """Open a log, or several logs of one machine as one log.

    Parameters
    ----------
    paths
        Files and folders. If the format's reader reads single files, each file of a folder is a
        log.
    format, options, processors, time_zone
        As in `workload_tools.formats.open_log`.

    Raises
    ------
    LogError
        As in `workload_tools.formats.open_log`.
    """
    how: dict[str, Any] = {"options": options, "processors": processors, "time_zone": time_zone}
    every = (one for path in paths for one in _files(path, format))
    logs = [(path, open_log(path, format=format, **how)) for path in every]
    return logs[0][1] if len(logs) == 1 else SeveralLogs(logs)


def _files(path: Path, format_name: str | None) -> Iterator[Path]:
    if path.is_dir() and _IN_FILES.issuperset(
        [format_name] if format_name else recognised(path) or ["unknown"]
    ):
        yield from sorted(
            one for one in path.iterdir() if one.is_file() and not one.name.startswith(".")
        )
    else:
        yield path


@dataclass(frozen=True, slots=True)
class _Read:
    """The users of a file's jobs, and the number of processors that the file states."""

    path: Path
    users: frozenset[str]
    processors: int | None


class SeveralLogs:
    """Logs of the same machine, such as one file per month.

    If a job with the same id and submission time is in several logs, only the first one is
    yielded. If only the id is the same, the later job gets a new id.

    Parameters
    ----------
    logs
        The path of each log, and the log, which has not been read yet.
    """

    def __init__(self, logs: Sequence[tuple[Path, Log]]) -> None:
        self._logs = logs
        self.report = Report()
        self.machine = Machine()
        self._read: list[_Read] = []
        self._busy = Busy()

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs of each log; see `workload_tools.log.Log`.

        Raises
        ------
        LogError
            A log cannot be read, or has no dates, so that its jobs cannot be ordered in time.
        """
        seen: set[tuple[str, float]] = set()
        taken: set[str] = set()
        for path, log in self._logs:
            # some readers know the log's start date only after the last job
            jobs = list(log.jobs())
            start = log.machine.start_time
            if start is None:
                raise LogError(
                    path, "has no dates, so it cannot be combined with other logs; read it alone"
                )
            self.machine.start_time = 0.0
            size = None if log.machine.guessed else log.machine.processors
            users = frozenset(job.user for job in jobs if job.user is not None)
            self._read.append(_Read(path, users, size))
            before = len(seen)
            for job in jobs:
                shifted = later(job, start)
                key = shifted.id, shifted.submit_time
                if key in seen:
                    continue
                seen.add(key)
                begun = shifted.submit_time + (shifted.wait_time or 0.0)
                held = shifted.allocated_processors or shifted.processors
                self._busy.add(begun, begun + shifted.run_time, processors=held)
                yield self._named(shifted, taken)
            self._take_over(log, again=len(jobs) - (len(seen) - before))
        if self.machine.guessed:
            # jobs of several files may run at the same time
            self.machine.processors = max(self.machine.processors or 0, self._busy.peak()) or None

    @property
    def apart(self) -> str:
        """Reason why the logs are probably not of one machine; empty without such a reason.

        Possible reasons: the logs state different machine sizes, or share no users. The value is
        valid after all jobs were read.
        """
        sizes = sorted({one.processors for one in self._read if one.processors is not None})
        if len(sizes) > 1:
            texts = " and ".join(f"{size:,}" for size in sizes)
            return f"they state machine sizes of {texts} processors"
        strangers = self._logs_without_common_user()
        if not strangers:
            return ""
        return f"no user of {strangers[0].name} has jobs in {strangers[1].name}"

    def _logs_without_common_user(self) -> "tuple[Path, Path] | None":
        """Return two logs that share no user, neither directly nor through other logs."""
        met: list[_Read] = []
        for one in self._read:
            if len(one.users) < FEWEST_USERS:
                # too few users to decide whether two logs are of the same machine
                continue
            shared = [other for other in met if other.users & one.users]
            users = one.users.union(*(other.users for other in shared))
            met = [other for other in met if other not in shared]
            met.append(_Read(one.path, frozenset(users), None))
        return (met[0].path, met[1].path) if len(met) > 1 else None

    def files(self) -> Sequence[Path]:
        """Return all files that are read."""
        return [file for path, log in self._logs for file in (path, *files_of(log))]

    @staticmethod
    def _named(job: Job, taken: set[str]) -> Job:
        name, number = job.id, 1
        while name in taken:
            number += 1
            name = f"{job.id}/{number}"
        taken.add(name)
        return job if name == job.id else replace(job, id=name)

    def _take_over(self, log: Log, *, again: int) -> None:
        report, other = self.report, log.report
        report.read += other.read
        report.kept += other.kept - again
        report.dropped.update(other.dropped)
        report.dropped.update({SEEN_BEFORE: again} if again else {})
        report.repaired.update(other.repaired)
        report.marked.update(other.marked)
        report.left_out.update(other.left_out)
        report.notes += [note for note in other.notes if note not in report.notes]
        self._know_machine(log.machine)

    def _know_machine(self, other: Machine) -> None:
        """Use the largest stated size. If no log states its size, use the largest guessed size."""
        mine = self.machine
        if other.processors is not None:
            surer = mine.processors is None or (mine.guessed and not other.guessed)
            as_sure = mine.guessed == other.guessed
            if surer or (as_sure and other.processors > (mine.processors or 0)):
                mine.processors, mine.guessed = other.processors, other.guessed
        mine.nodes = max(mine.nodes or 0, other.nodes or 0) or None
        mine.time_zone = mine.time_zone or other.time_zone
        mine.origin += [line for line in other.origin if line not in mine.origin]
