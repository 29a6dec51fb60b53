"""New predictions for the waiting jobs of a PBS server, from jobs that ended in the meantime."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from pred_aware.errors import PredAwareError
from pred_aware.production import pbs_hook
from pred_aware.production.client import ask
from pred_aware.production.errors import FeedError
from pred_aware.production.pbs_paths import output, program
from workload_tools.pbs.quantities import seconds

MOST_CALLS = 4
"""Largest number of calls of `qalter` in a round.

Each call opens a connection to the server, and about a thousand connections per minute would use up
the privileged ports.
"""

MOST_JOBS = 500
"""Largest number of jobs that one call changes."""

WORTH_IT = 0.1
"""Smallest relative change for which a new soft walltime is set."""

_KNOWN = {"Job_Name": "jobname", "Account_Name": "account", "project": "project", "queue": "queue"}


@dataclass(frozen=True, slots=True)
class PbsJob:
    """A waiting job."""

    id: str
    attributes: Mapping[str, str]
    """The job's known attributes, named as in PBS's accounting log."""
    walltime: float
    """Walltime in seconds."""
    soft: float | None
    """Soft walltime in seconds; ``None`` without one."""


class WaitingJobs:
    """Gives the waiting jobs of a PBS server new soft walltimes, in rounds.

    If another program or person has changed the soft walltime of a job, the job is not changed any
    more. Jobs without a walltime, shrink-to-fit jobs, arrays, running jobs, and jobs of excepted
    queues and users are never changed.

    Parameters
    ----------
    service
        Socket of the prediction service.
    except_queues, except_users
        Queues and users whose jobs are not changed.
    dry
        True to only return the jobs that would be changed.

    Raises
    ------
    PredAwareError
        PBS's programs are missing.
    """

    def __init__(
        self,
        service: Path,
        *,
        except_queues: Collection[str] = (),
        except_users: Collection[str] = (),
        dry: bool = False,
    ) -> None:
        self._service = service
        self._except = {"queue": frozenset(except_queues), "user": frozenset(except_users)}
        self._dry = dry
        self._qstat, self._qalter = program("qstat"), program("qalter")
        self._seen: dict[str, float | None] = {}
        self._left_alone: set[str] = set()

    def round(self) -> dict[int, list[str]]:
        """Predict all waiting jobs, and set the `MOST_CALLS` most frequent new soft walltimes.

        Returns
        -------
        dict
            The changed jobs by new soft walltime in seconds; with `dry`, the jobs to change.

        Raises
        ------
        FeedError
            PBS's programs fail.
        PredAwareError
            The service does not answer.
        """
        waiting = read_waiting(output([self._qstat, "-f", "-F", "json"]))
        here = {job.id for job in waiting}
        self._left_alone &= here
        self._seen = {job: soft for job, soft in self._seen.items() if job in here}
        groups: dict[int, list[str]] = {}
        estimates: dict[tuple[tuple[str, str], ...], float | None] = {}
        for job in filter(self._is_ours, waiting):
            known = tuple(sorted(job.attributes.items()))
            if known not in estimates:
                estimates[known] = self._estimate(job)
            soft = new_soft_walltime(job, estimates[known])
            if soft is not None:
                groups.setdefault(soft, []).append(job.id)
        largest = sorted(groups, key=lambda soft: (-len(groups[soft]), soft))[:MOST_CALLS]
        changed = {soft: groups[soft][:MOST_JOBS] for soft in largest}
        for soft, jobs in changed.items():
            if not self._dry:
                # for a job that has ended or started meanwhile, qalter reports an error and goes on
                output([self._qalter, "-l", f"soft_walltime={soft}", *jobs], any_code=True)
                self._seen.update(dict.fromkeys(jobs, float(soft)))
        return changed

    def _is_ours(self, job: PbsJob) -> bool:
        if self._seen.setdefault(job.id, job.soft) != job.soft:
            self._left_alone.add(job.id)
        return job.id not in self._left_alone and not any(
            job.attributes.get(kind) in names for kind, names in self._except.items()
        )

    def _estimate(self, job: PbsJob) -> float | None:
        answer = ask(self._service, {"ask": "pbs", "job": dict(job.attributes)})
        try:
            return pbs_hook.read_estimate(answer)
        except pbs_hook.HookError as error:
            raise PredAwareError(f"{self._service}: {error}") from error


def new_soft_walltime(job: PbsJob, estimate: float | None) -> int | None:
    """Return a job's new soft walltime by the hook's rule; None to keep the current one.

    Examples
    --------
    >>> job = PbsJob("7", {}, 7200.0, 1200.0)
    >>> [new_soft_walltime(job, seconds) for seconds in (1250.0, 1801.0, 9000.0, None)]
    [None, 1860, 7200, None]
    """
    if estimate is None:
        return None
    soft = pbs_hook.soft_walltime(estimate, int(job.walltime)) or int(job.walltime)
    before = job.walltime if job.soft is None else job.soft
    return soft if abs(soft - before) > WORTH_IT * before else None


def read_waiting(content: bytes) -> list[PbsJob]:
    """Parse the output of ``qstat -f -F json``.

    Raises
    ------
    FeedError
        The output does not have the form of this command's output.
    """
    try:
        jobs = msgspec.json.decode(content, type=_Qstat).jobs
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise FeedError(f"qstat: its output cannot be read: {error}") from error
    found = (_waiting(name, job) for name, job in jobs.items() if job.get("job_state") == "Q")
    return [job for job in found if job is not None]


class _Qstat(msgspec.Struct):
    jobs: dict[str, dict[str, Any]] = msgspec.field(default_factory=dict, name="Jobs")


def _waiting(name: str, job: Mapping[str, Any]) -> PbsJob | None:
    wanted = job.get("Resource_List")
    if "[" in name or not isinstance(wanted, dict) or "min_walltime" in wanted:
        return None
    walltime, soft = (seconds(str(wanted.get(kind))) for kind in ("walltime", "soft_walltime"))
    if not walltime:
        return None
    known = {called: str(job[kind]) for kind, called in _KNOWN.items() if job.get(kind)}
    known["user"] = str(job.get("euser") or str(job.get("Job_Owner", "")).partition("@")[0])
    known |= {
        f"Resource_List.{kind}": str(wanted[kind]) for kind in pbs_hook.RESOURCES if kind in wanted
    }
    return None if pbs_hook.too_long(known) else PbsJob(name, known, walltime, soft)
