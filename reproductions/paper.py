"""A paper: its claims, and what has to be simulated and replayed to try them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from reproductions.checks.claim import Claim
from reproductions.figures.figures import PaperFigure

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Simulations:
    """Policies that are simulated on some logs, each on each.

    Parameters
    ----------
    policies
        Options by name, as in a campaign's file; the first is the one that shakes are counted by.
        A ``history`` is one of `reproductions.logs.LOGS`, by its name.
    logs
        By name, with what this paper does to each, as in a campaign's file.
    machine
        The Blue Gene that gives out its blocks; none where processors are counted.
    classes
        Of the jobs' sizes and lengths, as in a campaign's file.
    """

    policies: Mapping[str, Mapping[str, Any]]
    logs: Mapping[str, Mapping[str, Any]]
    machine: str = ""
    classes: Mapping[str, Sequence[float]] = field(default_factory=lambda: _NOTHING)


@dataclass(frozen=True, slots=True)
class Paper:
    """What is known of a paper.

    Parameters
    ----------
    number
        As in the README.
    title
        Its title.
    claims
        In the order of the paper.
    simulations
        What is simulated. No two have a log and a policy in common.
    predictors
        What is replayed, by label.
    replayed
        The logs that are.
    own
        Of the logs those that its authors had; all others are of years, or machines, that they
        never saw.
    quick
        Of the logs those that a first look takes.
    measures
        What the policies are compared in.
    figures
        Its tables and figures.
    tau
        Run times below so many seconds count as this in bounded slowdowns.
    """

    number: str
    title: str
    claims: tuple[Claim, ...]
    simulations: tuple[Simulations, ...] = ()
    predictors: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    replayed: tuple[str, ...] = ()
    own: tuple[str, ...] = ()
    quick: tuple[str, ...] = ()
    measures: tuple[str, ...] = ("mean_waiting_time", "mean_bounded_slowdown")
    figures: tuple[PaperFigure, ...] = ()
    tau: float = 10.0
