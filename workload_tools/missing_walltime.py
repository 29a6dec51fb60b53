"""Jobs without a walltime: kept, dropped, or given one, in every format."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from workload_tools.errors import LogError
from workload_tools.job import Job
from workload_tools.log import Log, files_of

MissingWalltime = Literal["keep", "drop"] | float

NO_WALLTIME = "no walltime"
GIVEN_WALLTIME = "no walltime: the given maximum taken"

MOST = 0.5
"""Above this share of jobs without a walltime, those that have one are not the log any more."""


class WithWalltimes:
    """A log of which every job has a walltime, so that all schedulers simulate the same jobs.

    Some schedulers reject jobs without a walltime, others plan with a default for them. Their runs
    are of different jobs then, and can't be compared: so it is decided here, before any of them.

    Parameters
    ----------
    log
        The log, of which nothing was read yet; its report is this one's.
    missing_walltime
        A job without a walltime is left out (``drop``), given this many seconds, or kept as it is
        (``keep``). Without a word (``None``) such jobs are left out where they are few, and an
        error where they are more than half.
    path
        The log's name, for that error.

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
        """Yield the jobs, as `workload_tools.log.Log` has it.

        Raises
        ------
        LogError
            Nothing is said of jobs without a walltime, and most are.
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
                # what was repaired is counted of the jobs that are kept
                for count, earlier in zip(counts, before, strict=True):
                    count.clear()
                    count.update(earlier)
            # mostly there is nothing to remember
            if any(counts):
                before = [dict(count) for count in counts]
        # now, for a reader may count what it kept at its end
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
        f"{without:,} of its {jobs:,} jobs have no walltime: give them one with "
        "--missing-walltime SECONDS, such as the longest that the site allows; 'drop' in the place "
        "of the seconds leaves them out, 'keep' keeps them so, and then some schedulers reject them"
    )
