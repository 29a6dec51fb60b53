"""The fields that `sacct` prints, and their possible content.

The names are those of ``sacct --helpformat`` in Slurm 22.05, and in earlier and later versions.
"""

import re
from enum import Enum

from workload_tools.slurm.states import STATES


class Kind(Enum):
    """The kind of content of a field, as needed to find its end."""

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


# DerivedExitCode, which steps lack, looks like a duration
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
"""The kind of each known field, by its name in lower case."""

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
"""Full-match patterns of fields by kind; kinds that are not here match any text."""

SPANNING_COMMAS = (Kind.TRES, Kind.NODES, Kind.LIST)
"""Kinds whose content contains commas."""


def kind_of(name: str) -> Kind:
    """Return a field's kind; an unknown field is a word.

    Examples
    --------
    >>> kind_of("jobname")
    <Kind.FREE: 'free text'>
    """
    return KINDS.get(name.lower(), Kind.WORD)


def holds(kind: Kind, text: str) -> bool:
    """Return True if a text can be a field of this kind.

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
