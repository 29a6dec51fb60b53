"""Ended jobs from Slurm's accounting, through repeated calls of `sacct`."""

import os
import pwd
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from pred_aware.process_group import end_group
from pred_aware.production.errors import FeedError
from pred_aware.production.feed import Read
from pred_aware.production.schema import why_not
from pred_aware.production.store import WHOLE, Position
from workload_tools.errors import InputError
from workload_tools.job import Job
from workload_tools.slurm.log import SlurmLog
from workload_tools.slurm.sacct_command import requested_fields

PAUSE = 45.0
"""Seconds between two calls, so a job's end is known at most this much later."""

OVERLAP = 3600
"""Seconds of overlap with the previous call, because Slurm reports ends late after slurmdbd was
unreachable. The store keeps each job once.
"""

FIRST = 30 * 86400
"""At its first start, the feed reads the jobs of this period, in seconds; `service store add` adds
older jobs.
"""

MOST_AT_ONCE = 7 * 86400
"""Longest period of a call in seconds, so that slurmdbd answers soon."""

LEAST_AT_ONCE = 900
"""Shortest period of a call, after slurmdbd did not answer in time."""

LONGEST = 120.0
"""Time limit of `sacct`, in seconds."""

QUIET = 7 * 86400
"""Seconds without an ended job of another user, after which the feed reports a doubt."""


class SlurmFeed:
    """Asks `sacct` for recently ended jobs.

    The walltime of a job is the limit that the user requested, even if a program has replaced it;
    see `workload_tools.slurm.job_maker`.

    Parameters
    ----------
    program
        Name or path of `sacct`.
    cluster
        Name of the cluster; ``None`` for this machine's cluster.
    now
        Returns the Unix date.
    """

    pause = PAUSE

    def __init__(
        self, program: str, *, cluster: str | None = None, now: Callable[[], float]
    ) -> None:
        self.name = f"sacct {cluster or ''}".strip()
        self._program = program
        self._cluster = cluster
        self._now = now
        self._span = MOST_AT_ONCE
        # root sees all users' jobs, so even root's own jobs show that the feed is complete
        self._user = _user() if os.geteuid() else None
        self._alone_since: int | None = None
        self._doubted = False
        self._running: subprocess.Popen[bytes] | None = None
        self._closed = False

    def read(self, positions: Mapping[str, int]) -> Read | None:
        """Return the jobs that ended since a position.

        Parameters
        ----------
        positions
            For `WHOLE`, the Unix date reached.

        Raises
        ------
        FeedError
            `sacct` cannot be run, fails, does not answer in time, or its output cannot be read.
        """
        now = int(self._now())
        # at most the current date: otherwise jobs would be missed after the clock was set back
        since = min(positions.get(WHOLE, now - FIRST), now)
        if self._alone_since is None:
            self._alone_since = since
        until = min(since + self._span, now)
        jobs = self._jobs(since - min(OVERLAP, self._span), until)
        if any(job.user != self._user for job in jobs):
            self._alone_since, self._doubted = until, False
        elif until == now:
            self._doubted = now - self._alone_since >= QUIET
        doubt = self._doubt() if self._doubted else ""
        if self._doubted and until == now:
            # read this period again later, for jobs that are hidden now
            until = max(self._alone_since, now - FIRST)
            return Read(jobs, Position(self.name, WHOLE, until), more=False, doubt=doubt)
        return Read(jobs, Position(self.name, WHOLE, until), more=until < now, doubt=doubt)

    def _doubt(self) -> str:
        user = self._user or "root"
        return (
            f"{self._program}: shows no job of other users that ended since "
            f"{_date(self._alone_since or 0)} UTC. If there are such jobs, PrivateData of "
            f"slurmdbd.conf hides them from {user}: sacctmgr add user {user} account=root; "
            f"sacctmgr modify user {user} set adminlevel=Operator"
        )

    def close(self) -> None:
        """End a running `sacct`, and do not start another."""
        self._closed = True
        if (running := self._running) is not None:
            running.kill()

    def _jobs(self, since: int, until: int) -> list[Job]:
        with tempfile.TemporaryDirectory(prefix="pred-aware-") as folder:
            dump = Path(folder) / "sacct.txt"
            self._ask(since, until, dump)
            if dump.read_bytes().count(b"\n") <= 1:
                # the output is only the header
                return []
            try:
                log = SlurmLog(dump, time_zone="UTC", cluster=self._cluster)
                return [job for job in log.jobs() if why_not(job) is None]
            except InputError as error:
                reason = str(error).removeprefix(str(dump)).lstrip(":0123456789 ")
                raise FeedError(f"{self._program}: its output {reason}") from error

    def _ask(self, since: int, until: int, dump: Path) -> None:
        command = [
            self._program, "--allusers", "--allocations", "--duplicates", "--parsable2",
            "--noconvert", f"--starttime={_date(since)}", f"--endtime={_date(until)}",
            f"--format={','.join(requested_fields(own_limits=True))}",
        ]  # fmt: skip
        if self._cluster is not None:
            command.append(f"--clusters={self._cluster}")
        # the options and output of sacct use the time zone of its environment
        surroundings = {**os.environ, "TZ": "UTC", "SLURM_TIME_FORMAT": "%s"}
        with dump.open("wb") as output, tempfile.TemporaryFile() as errors:
            if self._closed:
                raise FeedError(f"{self._program}: the service is stopping")
            begun = time.monotonic()
            try:
                self._running = subprocess.Popen(  # noqa: S603 - the operator names the program
                    command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                    env=surroundings, start_new_session=True,
                )  # fmt: skip
                if self._closed:
                    # `close` was called while sacct started
                    end_group(self._running)
                code = self._running.wait(LONGEST)
            except OSError as error:
                raise FeedError(f"{self._program}: cannot be run: {error.strerror}") from error
            except subprocess.TimeoutExpired as error:
                self._span = max(self._span // 4, LEAST_AT_ONCE)
                raise FeedError(
                    f"{self._program}: no answer within {LONGEST:g} s; is slurmdbd running? The "
                    "next "
                    f"call requests the jobs of {self._span / 3600:g} h"
                ) from error
            finally:
                if self._running is not None:
                    end_group(self._running)
                    self._running.wait()
                    self._running = None
            if code:
                errors.seek(0)
                words = " ".join(errors.read(2000).decode(errors="replace").split())
                raise FeedError(f"{self._program}: failed with exit code {code}: {words[:200]}")
        if time.monotonic() - begun < LONGEST / 8:
            self._span = min(2 * self._span, MOST_AT_ONCE)


def _user() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return str(os.geteuid())


def _date(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")
