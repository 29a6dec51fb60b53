"""The states of Slurm's jobs, and what each says about a job's end."""

from workload_tools.slurm.errors import UnreadableError

WAITING = frozenset(
    [
        "PENDING",
        "CONFIGURING",
        "REQUEUE_FED",
        "REQUEUE_HOLD",
        "RESV_DEL_HOLD",
        "SPECIAL_EXIT",
        "EXPEDITING",
    ]
)
"""A job in such a state waits, and may have run before."""

UNFINISHED = WAITING | frozenset(
    [
        "RUNNING",
        "SUSPENDED",
        "COMPLETING",
        "STOPPED",
        "SIGNALING",
        "STAGE_OUT",
        "POWER_UP_NODE",
        "UPDATE_DB",
    ]
)
"""A job in such a state has not come to its end."""

ENDED = frozenset(
    [
        "BOOT_FAIL",
        "CANCELLED",
        "COMPLETED",
        "DEADLINE",
        "FAILED",
        "LAUNCH_FAILED",
        "NODE_FAIL",
        "OUT_OF_MEMORY",
        "PREEMPTED",
        "RECONFIG_FAIL",
        "REQUEUED",
        "RESIZING",
        "REVOKED",
        "TIMEOUT",
    ]
)
"""A run that is over; what was `REQUEUED` or is `RESIZING` goes on in another record."""

STATES = UNFINISHED | ENDED

_SHORT = {
    "BF": "BOOT_FAIL",
    "CA": "CANCELLED",
    "CD": "COMPLETED",
    "CF": "CONFIGURING",
    "CG": "COMPLETING",
    "DL": "DEADLINE",
    "F": "FAILED",
    "NF": "NODE_FAIL",
    "OOM": "OUT_OF_MEMORY",
    "PD": "PENDING",
    "PR": "PREEMPTED",
    "R": "RUNNING",
    "RQ": "REQUEUED",
    "RS": "RESIZING",
    "RV": "REVOKED",
    "S": "SUSPENDED",
    "TO": "TIMEOUT",
}

SWF_STATUS = {"COMPLETED": 1, "CANCELLED": 5}
"""The status that the Standard Workload Format has for a state; 0, failed, for the others."""


def read_state(text: str) -> str:
    """Return the state without who cancelled the job, in full where it was cut or short.

    Raises
    ------
    UnreadableError
        There is no such state, or more than one that is cut so.

    Examples
    --------
    >>> read_state("CANCELLED by 1002"), read_state("OUT_OF_ME+"), read_state("TO")
    ('CANCELLED', 'OUT_OF_MEMORY', 'TIMEOUT')
    """
    if text in STATES:
        return text
    word = text.partition(" ")[0]
    if word in STATES:
        return word
    if word in _SHORT:
        return _SHORT[word]
    if word.endswith("+"):
        found = [state for state in STATES if state.startswith(word[:-1])]
        if len(found) == 1:
            return found[0]
    raise UnreadableError("State", text)
