"""Messages of the simulator to a decision process, without any wire format."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import msgspec

from pred_aware.simulator.job import SimulatedJob
from workload_tools.batsim.decisions import Decision
from workload_tools.batsim.workload import RawWorkload
from workload_tools.platform.reader import Platform

JsonValue: TypeAlias = Any
"""A value as JSON has it."""

BATSIM_5 = "5.0.0-rc2"
"""The version of Batsim 5 whose messages and files these are."""

DIGITS = 6
"""Batsim writes all numbers that are no integers with this many decimals."""

DIGITS_5 = 12
"""The same of Batsim 5, as Flatbuffers writes JSON."""


class Begins(msgspec.Struct, frozen=True, gc=False):
    """The simulation begins: the machine, the workloads by their names, and what is allowed."""

    date: float
    platform: Platform
    workloads: dict[str, RawWorkload]
    dynamic_jobs: bool = False
    """Whether the decision process may register jobs."""
    acknowledged: bool = False
    """Whether it is told of those jobs that they are submitted."""
    decimals: int | None = None
    """The decimals of numbers in messages; ``None`` for as many as they need."""


def in_decimals(value: JsonValue, decimals: int) -> JsonValue:
    """Return a message as read when its numbers are written with so many decimals.

    Examples
    --------
    >>> in_decimals({"walltime": 20.0000004, "res": 4, "own": [0.1234567]}, 6)
    {'walltime': 20.0, 'res': 4, 'own': [0.123457]}
    """
    if isinstance(value, float):
        return round(value, decimals)
    if isinstance(value, dict):
        return {key: in_decimals(item, decimals) for key, item in value.items()}
    if isinstance(value, list):
        return [in_decimals(item, decimals) for item in value]
    return value


class Ends(msgspec.Struct, frozen=True, gc=False):
    """The simulation has ended."""

    date: float


class EventsAt(msgspec.Struct, frozen=True, gc=False):
    """The jobs that ended, the calls that are due and the submissions at a date, in this order."""

    date: float
    ended: Sequence[SimulatedJob] = ()
    """By themselves, at their walltimes or killed; the `state` of each says which."""
    calls: Sequence[str] = ()
    """The ids of the calls that were asked for and are due; in version 4 they are empty."""
    submitted: Sequence[SimulatedJob] = ()


class Killed(msgspec.Struct, frozen=True, gc=False):
    """The kill of these jobs, asked for by the decision process, is done."""

    date: float
    job_ids: list[str]
    stopped: list[tuple[SimulatedJob, float]]
    """The jobs that were still running, each with its progress from 0 to 1."""


class NoMoreJobs(msgspec.Struct, frozen=True, gc=False):
    """Every job of the workload has been submitted."""

    date: float


Event: TypeAlias = Begins | EventsAt | Killed | NoMoreJobs | Ends


class DecisionProcess(Protocol):
    """A policy in this process, or a peer at the other end of a socket."""

    @property
    def scheduling_time(self) -> float:
        """The time that it has taken so far, in seconds."""
        ...

    def exchange(self, now: float, events: list[Event]) -> tuple[Sequence[Decision], float]:
        """Answer the events of a date, in their order, with decisions and the reply's date.

        Dates are in seconds, and the decisions stand by date. The decision process took the time
        from the request to the reply.
        """
        ...
