"""Build the `sacct` command that collects the data for a workload."""

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

For the same reason, numbers stand before and after other free texts.
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
    """Return `sacct` commands, whose outputs in one file can be read as a log.

    The commands print each run of each job that ran between the dates, with any state. Dates are in
    Unix seconds, so no time zone is needed. The option ``--state`` is not used, because it removes
    other runs of the selected jobs. ``--truncate`` is not used, because it shortens run times.

    Parameters
    ----------
    start, end
        Period in which the jobs ran, in the local time of the machine that runs the command.
    monthly
        If True, return one command per month, for a slurmdbd that refuses longer periods.
    cluster
        Name of the cluster; by default the cluster of the machine that runs the command.
    partitions
        The partitions; by default all.
    own_limits
        If True, request AdminComment, in which a bridge stores the limits that users requested.
    submit_lines
        If True, request SubmitLine, the only field that contains some requests (Slurm >= 21.08).

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
    """Return `FIELDS`, and on request also AdminComment and SubmitLine."""
    fields = [*FIELDS]
    for wanted, field, before in (
        (own_limits, "AdminComment", "ReqCPUS"),
        (submit_lines, "SubmitLine", "AllocCPUS"),
    ):
        if wanted:
            fields.insert(fields.index(before), field)
    return fields


def _months(start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Split a period at the starts of months, and yield the parts."""
    while start < end:
        if (start.year, start.month) == (end.year, end.month):
            yield start, end
            return
        # four days after the 28th, any month is over
        following = (start.replace(day=28) + timedelta(days=4)).replace(day=1, hour=0, minute=0)
        following = following.replace(second=0, microsecond=0)
        yield start, following
        start = following
