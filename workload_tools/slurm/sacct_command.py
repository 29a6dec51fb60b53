"""The `sacct` command that collects what a workload is made of."""

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
"""What is asked for; the job's name is last, since it may have the separator in it, as other
texts, which stand between numbers."""


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
    """Return commands of which the outputs, one after the other, are a dump.

    They print Unix seconds, so that no time zone is needed; each run of a job; and everything that
    ran between the dates, whatever became of it. Neither ``--state`` nor ``--truncate`` is among
    the options: the first selects what was once in a state and leaves out all else, the second
    cuts run times at the dates.

    Parameters
    ----------
    start, end
        Between which the jobs ran, in the time of the machine where the command runs.
    monthly
        Whether to ask for a month at a time, for sites where slurmdbd answers no longer spans.
    cluster
        The cluster, where slurmdbd has several and it is not the one of the machine.
    partitions
        Those to ask for; by default all.
    own_limits
        Whether to ask for AdminComment, in which a bridge notes users' own limits.
    submit_lines
        Whether to ask for SubmitLine, which alone tells some of what was asked for; Slurm has it
        from 21.08 on.

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
    asked = fields_asked_for(own_limits=own_limits, submit_lines=submit_lines)
    fields = f"--format={','.join(asked)}"
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


def fields_asked_for(*, own_limits: bool = False, submit_lines: bool = False) -> list[str]:
    """Return `FIELDS`, with AdminComment and SubmitLine among them if they are wanted."""
    fields = [*FIELDS]
    for wanted, field, before in (
        (own_limits, "AdminComment", "ReqCPUS"),
        (submit_lines, "SubmitLine", "AllocCPUS"),
    ):
        if wanted:
            fields.insert(fields.index(before), field)
    return fields


def _months(start: datetime, end: datetime) -> Iterator[tuple[datetime, datetime]]:
    """Yield the parts of a span that are in one month each."""
    while start < end:
        if (start.year, start.month) == (end.year, end.month):
            yield start, end
            return
        # four days after a 28th it is the next month, whichever it was
        following = (start.replace(day=28) + timedelta(days=4)).replace(day=1, hour=0, minute=0)
        following = following.replace(second=0, microsecond=0)
        yield start, following
        start = following
