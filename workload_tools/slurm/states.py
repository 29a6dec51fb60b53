"""The states of Slurm's jobs: waiting, unfinished or ended."""

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
"""States of a waiting job. Such a job may have run before, and then been requeued."""

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
"""States of a job that has not ended."""

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
"""States of a run that has ended. `REQUEUED` and `RESIZING` jobs continue in another record."""

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
"""The SWF status for each state. For all other states, the status is 0 (failed)."""


def read_state(text: str) -> str:
    """Return the full name of a state, without the user who cancelled the job.

    Raises
    ------
    UnreadableError
        The state is unknown, or its abbreviation is ambiguous.

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
