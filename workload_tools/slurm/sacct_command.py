"""The `sacct` command that collects the data for a workload."""

import shlex
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

FIELDS = (
    "JobIDRaw",
    "JobID",
    "Cluster",
    "User",
    "Group",
    "Account",
    "Partition",
    "QOS",
    "Reservation",
    "State",
    "ExitCode",
    "Submit",
    "Eligible",
    "Start",
    "End",
    "ElapsedRaw",
    "Suspended",
    "TimelimitRaw",
    "ReqCPUS",
    "AllocCPUS",
    "Constraints",
    "ReqNodes",
    "NNodes",
    "ReqMem",
    "ReqTRES",
    "AllocTRES",
    "NodeList",
    "JobName",
)
"""The fields to request. The job's name is last, because it may contain the delimiter.

Other free texts are between numbers, for the same reason.
"""


def sacct_commands(
    start: datetime,
    end: datetime,
    *,
    monthly: bool = False,
    cluster: str | None = None,
    partitions: Sequence[str] = (),
    own_limits: bool = False,
    submit_lines: bool = False,
) -> list[str]:
    """Return commands whose outputs, one after the other, are a dump.

    They print Unix seconds, so no time zone is needed; each run of a job; and everything that ran
    between the dates, with any state. The options do not contain ``--state``, which also removes
    other runs of selected jobs, and ``--truncate``, which cuts run times at the dates.

    Parameters
    ----------
    start, end
        Period in which the jobs ran, in the local time of the machine that runs the command.
    monthly
        True for one command per month, if slurmdbd refuses longer periods.
    cluster
        The cluster, if slurmdbd has several and it is not the machine's own.
    partitions
        The partitions; by default all.
    own_limits
        True to request AdminComment, in which a bridge stores users' own limits.
    submit_lines
        True to request SubmitLine, the only field with some requests; needs Slurm 21.08.

    Examples
    --------
    >>> commands = sacct_commands(datetime(2026, 1, 15), datetime(2026, 3, 1), monthly=True)
    >>> [command.partition("--starttime=")[2][:40] for command in commands]
    ['2026-01-15T00:00:00 --endtime=2026-02-01', '2026-02-01T00:00:00 --endtime=2026-03-01']
    """
    options = ["--allusers", "--allocations", "--duplicates", "--parsable2", "--noconvert"]
    if cluster is not None:
        options.append(f"--clusters={cluster}")
    if partitions:
        options.append(f"--partition={','.join(partitions)}")
    names = requested_fields(own_limits=own_limits, submit_lines=submit_lines)
    fields = f"--format={','.join(names)}"
    spans = _months(start, end) if monthly else [(start, end)]
    return [
        "SLURM_TIME_FORMAT=%s "
        + shlex.join(
            [
                "sacct",
                *options,
                f"--starttime={first.isoformat()}",
                f"--endtime={last.isoformat()}",
                fields,
            ]
        )
        for first, last in spans
    ]


def requested_fields(*, own_limits: bool = False, submit_lines: bool = False) -> list[str]:
    """Return `FIELDS`, plus AdminComment and SubmitLine if wanted."""
    fields = [*FIELDS]
    for wanted, field, before in (
        (own_limits, "AdminComment", "ReqCPUS"),
        (submit_lines, "SubmitLine", "AllocCPUS"),
    ):
        if wanted:
            fields.insert(fields.index(before), field)
    return fields


def _months(start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Yield a period's parts in each month."""
    while start < end:
        if (start.year, start.month) == (end.year, end.month):
            yield start, end
            return
        # four days after a 28th, it is the next month
        following = (start.replace(day=28) + timedelta(days=4)).replace(day=1, hour=0, minute=0)
        following = following.replace(second=0, microsecond=0)
        yield start, following
        start = following
