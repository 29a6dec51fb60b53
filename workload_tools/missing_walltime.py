"""Keep or drop jobs without a walltime, or give them a walltime, in every format."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.log import Log, files_of

MissingWalltime = Literal["keep", "drop"] | float

NO_WALLTIME = "no walltime"
GIVEN_WALLTIME = "no walltime: set to --missing-walltime"

MOST = 0.5
"""If a larger share of jobs lacks a walltime, the other jobs do not represent the log."""


class WithWalltimes:
    """A log after the decision about its jobs without a walltime: keep, drop or give a walltime.

    Some schedulers reject jobs without a walltime, and others use a default walltime. Simulations
    with them would contain different jobs and could not be compared. So one decision is made when
    the log is read.

    Parameters
    ----------
    log
        The log, which has not been read yet. The new log shares its report and machine.
    missing_walltime
        ``drop`` and ``keep`` drop and keep jobs without a walltime; a number is their walltime in
        seconds. ``None`` drops these jobs, but raises an error if they are more than half.
    path
        The log's name, for the error message.

    Examples
    --------
    >>> from workload_tools.swf.log import SwfLog
    >>> WithWalltimes(SwfLog("log.swf"), missing_walltime=86400.0, path="log.swf").report.read
    0
    """

    def __init__(
        self, log: Log, *, missing_walltime: MissingWalltime | None, path: str | Path
    ) -> None:
        self.log = log
        self.missing_walltime = missing_walltime
        self.path = path
        self.report = log.report
        self.machine = log.machine

    def jobs(self) -> Iterator[Job]:
        """Yield the jobs; see `workload_tools.log.Log`.

        Raises
        ------
        LogError
            `missing_walltime` is None, and most jobs have no walltime.
        """
        missing, report = self.missing_walltime, self.report
        if missing == "keep":
            yield from self.log.jobs()
            return
        given = float(missing) if isinstance(missing, int | float) else None
        without = kept = 0
        counts = (report.repaired, report.marked)
        before = [dict(count) for count in counts]
        for job in self.log.jobs():
            if job.walltime is not None:
                kept += 1
                yield job
            elif given is not None:
                without += 1
                yield replace(job, walltime=given)
            else:
                without += 1
                # the report must not count repairs of a dropped job, so restore the earlier counts
                for count, earlier in zip(counts, before, strict=True):
                    count.clear()
                    count.update(earlier)
            # if both counts are empty, which is usual, they need not be copied
            if any(counts):
                before = [dict(count) for count in counts]
        # `kept` is changed last, because some readers set it only after their last job
        if given is not None:
            report.repaired.update({GIVEN_WALLTIME: without} if without else {})
            return
        if missing is None and without > MOST * (kept + without):
            raise LogError(self.path, _most(without, kept + without))
        report.kept -= without
        report.dropped.update({NO_WALLTIME: without} if without else {})

    def files(self) -> Sequence[Path]:
        """Return the files that are read."""
        return files_of(self.log)


def _most(without: int, jobs: int) -> str:
    return (
        f"{without:,} of its {jobs:,} jobs have no walltime. Give them one with "
        "--missing-walltime SECONDS, such as the longest walltime that the site allows. 'drop' "
        "instead of seconds drops these jobs; 'keep' keeps them, but some schedulers reject them"
    )
