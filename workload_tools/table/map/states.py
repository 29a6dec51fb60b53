"""Outcomes of jobs by the states of a table."""

from collections.abc import Mapping
from typing import NamedTuple

from workload_tools.slurm.errors import UnreadableError
from workload_tools.slurm.states import ENDED, SWF_STATUS, UNFINISHED, read_state

STATUS = {"completed": 1, "failed": 0, "timeout": 0, "cancelled": 5}
"""The status that the Standard Workload Format has for what a state means."""

NOT_OVER = ("running", "waiting")


class Outcome(NamedTuple):
    """What a state says."""

    state: str
    """The state, as the job has it."""
    status: int | None
    """That of the Standard Workload Format; None where the state is not known."""
    over: bool = True
    """Whether the job has come to its end."""
    known: bool = True
    """Whether the map, or Slurm, has such a state."""


def outcome_of(value: str, states: Mapping[str, str]) -> Outcome:
    """Return what a value of the state's column says.

    Parameters
    ----------
    states
        What values mean, as the map has it; without any, Slurm's own and the words of a map count.

    Examples
    --------
    >>> outcome_of("CANCELLED by 12", {}), outcome_of("running", {}).over
    (Outcome(state='CANCELLED', status=5, over=True, known=True), False)
    >>> outcome_of("Pass", {"Pass": "completed"}).status, outcome_of("Odd", {"Pass": "completed"})
    (1, Outcome(state='Odd', status=None, over=True, known=False))
    """
    meaning = states.get(value) if states else _own_word(value)
    if meaning is not None:
        return Outcome(value, STATUS.get(meaning), over=meaning not in NOT_OVER)
    if states:
        return Outcome(value, None, known=False)
    try:
        state = read_state(value.upper() if value.isalpha() else value)
    except UnreadableError:
        return Outcome(value, None, known=False)
    over = state not in UNFINISHED and state in ENDED
    return Outcome(state, SWF_STATUS.get(state, 0), over=over)


def _own_word(value: str) -> str | None:
    word = value.lower()
    return word if word in STATUS or word in NOT_OVER else None
