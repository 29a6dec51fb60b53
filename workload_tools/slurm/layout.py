"""The layout of the records in an output of `sacct`: fields, order and delimiters."""

import re
from dataclasses import dataclass, field
from enum import Enum

from workload_tools.slurm.states import STATES


class Kind(Enum):
    """The kind of a field's content, which helps to find where the field ends."""

    JOB = "job"
    DATE = "date"
    NUMBER = "number"
    DURATION = "duration"
    STATE = "state"
    EXIT_CODE = "exit code"
    TRES = "trackable resources"
    NODES = "node list"
    LIST = "list"
    WORD = "word"
    FREE = "free text"


# DerivedExitCode looks like a duration, and is empty for steps
_KINDS = {
    Kind.JOB: "JobID JobIDRaw",
    Kind.DATE: "Submit Eligible Start End",
    Kind.NUMBER: """AllocCPUS AllocNodes AssocID CPUTimeRAW ConsumedEnergyRaw DBIndex ElapsedRaw GID
        NCPUS NNodes NTasks PlannedCPURAW Priority QOSRAW ReqCPUS ReqMem ReqNodes ReservationId
        Restarts ResvCPURAW UID WCKeyID""",
    Kind.DURATION: """CPUTime DerivedExitCode Elapsed Planned PlannedCPU Reserved ResvCPU
        Suspended SystemCPU Timelimit TimelimitRaw TotalCPU UserCPU""",
    Kind.STATE: "State",
    Kind.EXIT_CODE: "ExitCode",
    Kind.TRES: """AllocTRES ReqTRES TRESUsageInAve TRESUsageInMax TRESUsageInMin TRESUsageInTot
        TRESUsageOutAve TRESUsageOutMax TRESUsageOutMin TRESUsageOutTot""",
    Kind.NODES: "NodeList",
    Kind.LIST: """AllocGRES FailedNode Flags Licenses Partition QOSREQ ReqGRES Reservation
        TRESUsageInMaxNode TRESUsageInMaxTask TRESUsageInMinNode TRESUsageInMinTask
        TRESUsageOutMaxNode TRESUsageOutMaxTask TRESUsageOutMinNode TRESUsageOutMinTask""",
    Kind.WORD: """Account AveCPU AveCPUFreq AveDiskRead AveDiskWrite AvePages AveRSS AveVMSize
        BlockID Cluster ConsumedEnergy Group Layout MaxDiskRead MaxDiskReadNode MaxDiskReadTask
        MaxDiskWrite MaxDiskWriteNode MaxDiskWriteTask MaxPages MaxPagesNode MaxPagesTask MaxRSS
        MaxRSSNode MaxRSSTask MaxVMSize MaxVMSizeNode MaxVMSizeTask McsLabel MinCPU MinCPUNode
        MinCPUTask QOS Reason ReqCPUFreq ReqCPUFreqGov ReqCPUFreqMax ReqCPUFreqMin SLUID
        SegmentSize User""",
    Kind.FREE: """AdminComment Comment Constraints Container Extra JobName StdErr StdIn StdOut
        SubmitLine SystemComment WCKey WorkDir""",
}

KINDS = {name.lower(): kind for kind, names in _KINDS.items() for name in names.split()}
"""The kind of each known field, by field name in lower case."""

_TRES_ITEM = r"[A-Za-z][^=,]*=[^=,]*"
_HOST = r"[A-Za-z0-9][\w.-]*(?:\[[0-9,-]+\][\w.-]*)*"

PATTERNS = {
    Kind.JOB: re.compile(r"[0-9]+(?:_(?:[0-9]+|\[[^\]]*\]))?(?:\+[0-9]+)?(?:\.[\w+.-]+)?"),
    Kind.DATE: re.compile(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:]+(?: ?Z| ?[+-][0-9:]+)?|[0-9]{9,11}"
        r"|[0-9]{2}:[0-9]{2}:[0-9]{2}|Unknown|None|N/A"
    ),
    Kind.NUMBER: re.compile(r"-?[0-9]+(?:\.[0-9]+)?[A-Za-z]{0,2}|"),
    Kind.DURATION: re.compile(r"[0-9:.-]+|[A-Za-z]+(?:_[A-Za-z]+)?|"),
    Kind.STATE: re.compile(rf"(?:{'|'.join(sorted(STATES))})(?: by .+)?|[A-Z_]{{3,}}\+"),
    Kind.EXIT_CODE: re.compile(r"[0-9]+:[0-9]+"),
    Kind.TRES: re.compile(rf"{_TRES_ITEM}(?:,{_TRES_ITEM})*|"),
    Kind.NODES: re.compile(rf"{_HOST}(?:,{_HOST})*|None assigned|"),
}
"""A pattern that the whole field must match, by kind. Kinds without a pattern match any text."""

SPANNING_COMMAS = (Kind.TRES, Kind.NODES, Kind.LIST)
"""Kinds of fields that may contain commas."""


def kind_of(name: str) -> Kind:
    """Return the kind of a field. The kind of an unknown field is `Kind.WORD`.

    Examples
    --------
    >>> kind_of("jobname")
    <Kind.FREE: 'free text'>
    """
    return KINDS.get(name.lower(), Kind.WORD)


def holds(kind: Kind, text: str) -> bool:
    """Return True if a text can be the content of a field of this kind.

    Examples
    --------
    >>> holds(Kind.STATE, "CANCELLED by 1002"), holds(Kind.DATE, "a|b")
    (True, False)
    >>> holds(Kind.TRES, "cpu=2,node=1,cpu=2,node=1")
    False
    """
    pattern = PATTERNS.get(kind)
    if pattern is None:
        return True
    if pattern.fullmatch(text) is None:
        return False
    if kind is not Kind.TRES:
        return True
    names = [item.partition("=")[0] for item in text.split(",")]
    return len(set(names)) == len(names)


PIPE = "|"

_FIRST_SEPARATOR = re.compile(r"[A-Za-z][A-Za-z0-9]*([^A-Za-z0-9]+)")
_RULES = re.compile(r"-{3,}( -{2,})+ *\r?")
_GREETING = 50
_WIDTH = re.compile(r"%-?[0-9]+$")


@dataclass(frozen=True, slots=True)
class Layout:
    """The fields and delimiters of records."""

    names: tuple[str, ...]
    """Field names in lower case, in the order of the records."""
    separator: str = PIPE
    """The delimiter between fields."""
    trailing: bool = False
    """True if a delimiter follows the last field, as with ``sacct --parsable``."""
    kinds: tuple[Kind, ...] = field(init=False)
    """The kind of each field."""
    separators: int = field(init=False)
    """Smallest number of delimiters in a record."""

    def __post_init__(self) -> None:
        """Compute the kinds and the number of delimiters."""
        object.__setattr__(self, "kinds", tuple(map(kind_of, self.names)))
        object.__setattr__(self, "separators", len(self.names) - 1 + self.trailing)

    def index(self, *names: str) -> int:
        """Return the position of the first name that exists; if none exists, the number of fields.

        Examples
        --------
        >>> layout = Layout(("jobid", "state"))
        >>> layout.index("jobidraw", "jobid"), layout.index("submit")
        (0, 2)
        """
        for name in names:
            if name in self.names:
                return self.names.index(name)
        return len(self.names)


def layout_of_header(line: str, separator: str | None = None) -> Layout | None:
    """Return the layout of a header line; None if the line is not a header.

    Parameters
    ----------
    line
        A line of the file.
    separator
        The delimiter; by default the text between the first two names.

    Examples
    --------
    >>> layout_of_header("JobID~|~State~|~Submit").separator
    '~|~'
    >>> layout_of_header("1|COMPLETED") is None
    True
    """
    if separator is None:
        match = _FIRST_SEPARATOR.match(line)
        if match is None:
            return None
        separator = match[1]
    trailing = line.endswith(separator)
    names = tuple(line.removesuffix(separator).lower().split(separator))
    if "jobid" not in names and "jobidraw" not in names:
        return None
    # a later version of Slurm may have further fields, but most field names must be known
    known = sum(name in KINDS for name in names)
    return Layout(names, separator, trailing) if 2 * known > len(names) else None


def first_layout(lines: list[str], separator: str | None = None) -> Layout | None:
    """Return the layout of the first header. Lines before it, such as a login message, are skipped.

    Examples
    --------
    >>> first_layout(["Welcome to Refs", "JobID|State", "1|COMPLETED"]).names
    ('jobid', 'state')
    """
    found = (layout_of_header(line.rstrip("\r"), separator) for line in lines[:_GREETING])
    return next((layout for layout in found if layout is not None), None)


def layout_of_format(format_: str, separator: str | None, lines: list[str]) -> Layout:
    """Return the layout of records without a header.

    Parameters
    ----------
    format_
        The fields, as given to ``sacct --format``.
    separator
        The delimiter; by default ``|``.
    lines
        Lines of the file, which show whether a delimiter follows the last field.

    Examples
    --------
    >>> layout_of_format("JobID,JobName%40", None, ["1|a|", "2|b|"])
    ... # doctest: +ELLIPSIS
    Layout(names=('jobid', 'jobname'), separator='|', trailing=True, kinds=..., separators=2)
    """
    names = tuple(
        _WIDTH.sub("", name.strip()).lower() for name in format_.split(",") if name.strip()
    )
    separator = separator or PIPE
    ends = [line.endswith(separator) for line in lines if separator in line]
    return Layout(names, separator, 2 * sum(ends) > len(ends))


def is_table(lines: list[str]) -> bool:
    """Return True for the default output of `sacct`, with a line of dashes below the header.

    Examples
    --------
    >>> is_table(["JobID           JobName", "------------ ----------"])
    True
    """
    return len(lines) > 1 and _RULES.fullmatch(lines[1]) is not None
