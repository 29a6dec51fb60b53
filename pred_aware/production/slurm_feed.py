"""Ended jobs from Slurm's accounting, asked for by `sacct` again and again."""

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
from workload_tools.slurm.sacct_command import fields_asked_for

PAUSE = 45.0
"""After how many seconds it is asked again; a job's end is known as late as that."""

OVERLAP = 3600
"""How many seconds before what it was read up to it is asked for again: ends are told late where
slurmdbd was away. The store keeps each job once."""

FIRST = 30 * 86400
"""How many seconds before its first start it begins; older jobs are added to the store by hand."""

MOST_AT_ONCE = 7 * 86400
"""How many seconds are asked for at once at most, so that slurmdbd answers soon."""

LEAST_AT_ONCE = 900
"""To how few seconds that comes down where slurmdbd does not answer in time."""

LONGEST = 120.0
"""After how many seconds without an answer `sacct` is ended."""

QUIET = 7 * 86400
"""After how many seconds without an end of another user's job the feed doubts that it sees all."""


class SlurmFeed:
    """Asks `sacct` for the jobs that ended lately.

    It learns a job's own limit, not one that a bridge set in its place: see
    `workload_tools.slurm.job_maker`.

    Parameters
    ----------
    program
        The name or path of `sacct`.
    cluster
        Which cluster, where slurmdbd has several and it is not that of this machine.
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
        # root sees the jobs of all users, so that its own count as well
        self._user = _user() if os.geteuid() else None
        self._alone_since: int | None = None
        self._doubted = False
        self._running: subprocess.Popen[bytes] | None = None
        self._closed = False

    def read(self, positions: Mapping[str, int]) -> Read | None:
        """Ask for what ended since a position.

        Parameters
        ----------
        positions
            Of `WHOLE`, the Unix date up to which it was asked.

        Raises
        ------
        FeedError
            `sacct` can't be run, fails, does not answer in time, or prints what is no dump.
        """
        now = int(self._now())
        # a clock that was ahead and went back must not keep jobs from being seen
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
            # what is hidden now is learned from there on, once it is shown
            until = max(self._alone_since, now - FIRST)
            return Read(jobs, Position(self.name, WHOLE, until), more=False, doubt=doubt)
        return Read(jobs, Position(self.name, WHOLE, until), more=until < now, doubt=doubt)

    def _doubt(self) -> str:
        user = self._user or "root"
        return (
            f"{self._program}: shows no job of another user that ended since "
            f"{_date(self._alone_since or 0)} UTC. If there are such jobs, PrivateData of "
            f"slurmdbd.conf hides them from {user}: sacctmgr add user {user} account=root; "
            f"sacctmgr modify user {user} set adminlevel=Operator"
        )

    def close(self) -> None:
        """End a `sacct` that is running, and start none any more."""
        self._closed = True
        if (running := self._running) is not None:
            running.kill()

    def _jobs(self, since: int, until: int) -> list[Job]:
        with tempfile.TemporaryDirectory(prefix="pred-aware-") as folder:
            dump = Path(folder) / "sacct.txt"
            self._ask(since, until, dump)
            if dump.read_bytes().count(b"\n") <= 1:
                # the header alone
                return []
            try:
                log = SlurmLog(dump, time_zone="UTC", cluster=self._cluster)
                return [job for job in log.jobs() if why_not(job) is None]
            except InputError as error:
                told = str(error).removeprefix(str(dump)).lstrip(":0123456789 ")
                raise FeedError(f"{self._program}: what it printed {told}") from error

    def _ask(self, since: int, until: int, dump: Path) -> None:
        command = [
            self._program, "--allusers", "--allocations", "--duplicates", "--parsable2",
            "--noconvert", f"--starttime={_date(since)}", f"--endtime={_date(until)}",
            f"--format={','.join(fields_asked_for(own_limits=True))}",
        ]  # fmt: skip
        if self._cluster is not None:
            command.append(f"--clusters={self._cluster}")
        # dates in its options and in what it prints are in the time zone of its environment
        surroundings = {**os.environ, "TZ": "UTC", "SLURM_TIME_FORMAT": "%s"}
        with dump.open("wb") as output, tempfile.TemporaryFile() as errors:
            if self._closed:
                raise FeedError(f"{self._program}: the service ends")
            begun = time.monotonic()
            try:
                self._running = subprocess.Popen(  # noqa: S603 - the operator names it
                    command, stdin=subprocess.DEVNULL, stdout=output, stderr=errors,
                    env=surroundings, start_new_session=True,
                )  # fmt: skip
                if self._closed:
                    # closed while it was started
                    end_group(self._running)
                code = self._running.wait(LONGEST)
            except OSError as error:
                raise FeedError(f"{self._program}: can't be run: {error.strerror}") from error
            except subprocess.TimeoutExpired as error:
                self._span = max(self._span // 4, LEAST_AT_ONCE)
                raise FeedError(
                    f"{self._program}: no answer within {LONGEST:g} s; is slurmdbd there? The next "
                    f"call asks for {self._span / 3600:g} h"
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
