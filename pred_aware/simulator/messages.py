"""The simulator's messages to a decision process, independent of the wire format."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import msgspec

from pred_aware.simulator.job import SimulatedJob
from workload_tools.batsim.decisions import Decision
from workload_tools.batsim.workload import RawWorkload
from workload_tools.platform.reader import Platform

JsonValue: TypeAlias = Any
"""A JSON value."""

BATSIM_5 = "5.0.0-rc2"
"""The version of Batsim 5 that is reproduced."""

DIGITS = 6
"""Batsim 4 writes non-integer numbers with this many decimals."""

DIGITS_5 = 12
"""Batsim 5 writes non-integer numbers with this many decimals, as Flatbuffers does."""


class Begins(msgspec.Struct, frozen=True, gc=False):
    """The simulation begins: the machine, the workloads by name, and the allowed features."""

    date: float
    platform: Platform
    workloads: dict[str, RawWorkload]
    dynamic_jobs: bool = False
    """Whether the decision process may register jobs."""
    acknowledged: bool = False
    """Whether the simulator reports submissions of registered jobs."""
    decimals: int | None = None
    """The decimals of numbers in messages; ``None`` for as many as each number needs."""


def in_decimals(value: JsonValue, decimals: int) -> JsonValue:
    """Return a message with its numbers rounded to `decimals` decimals.

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
    """The events of one date, in this order: ends, due calls, submissions."""

    date: float
    ended: Sequence[SimulatedJob] = ()
    """The ended jobs. The `state` of each says whether it reached its walltime or was killed."""
    calls: Sequence[str] = ()
    """The ids of the due calls. In version 4 they are empty texts."""
    submitted: Sequence[SimulatedJob] = ()


class Killed(msgspec.Struct, frozen=True, gc=False):
    """The simulator has carried out a kill that the decision process requested."""

    date: float
    job_ids: list[str]
    stopped: list[tuple[SimulatedJob, float]]
    """The jobs that were still running, each with its progress from 0 to 1."""


class NoMoreJobs(msgspec.Struct, frozen=True, gc=False):
    """Every job of the workload has been submitted."""

    date: float


Event: TypeAlias = Begins | EventsAt | Killed | NoMoreJobs | Ends


class DecisionProcess(Protocol):
    """Makes decisions: a policy in this process, or a peer at the other end of a socket."""

    @property
    def scheduling_time(self) -> float:
        """The total time of its answers so far, in seconds."""
        ...

    def exchange(self, now: float, events: list[Event]) -> tuple[Sequence[Decision], float]:
        """Return the decisions for the events of a date, and the date of the reply.

        Dates are in seconds. The decisions are sorted by date. A reply later than its request means
        that the decision took simulated time.
        """
        ...
