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
    """Policies that are simulated on some logs, each on each."""

    policies: Mapping[str, Mapping[str, Any]]
    """Options by name, as in a campaign's file; the first is the one that shakes are counted by. A
    ``history`` is one of `reproductions.logs.LOGS`, by its name."""
    logs: Mapping[str, Mapping[str, Any]]
    """By name, with what this paper does to each, as in a campaign's file."""
    machine: str = ""
    """The Blue Gene that gives out its blocks; none where processors are counted."""
    classes: Mapping[str, Sequence[float]] = field(default_factory=lambda: _NOTHING)
    """Of the jobs' sizes and lengths, as in a campaign's file."""


@dataclass(frozen=True, slots=True)
class OwnLog:
    """A log that a paper's authors had, and what of it can be had."""

    release: str = ""
    """What the name of the file begins with that they used; empty where the paper does not say."""
    jobs: int | None = None
    """How many jobs the paper says that it has."""
    differs: str = ""
    """How what can be had is not what they used, whatever its release; empty where it is."""


@dataclass(frozen=True, slots=True)
class Paper:
    """What is known of a paper."""

    number: str
    """As in the README."""
    title: str
    claims: tuple[Claim, ...]
    """In the order of the paper."""
    simulations: tuple[Simulations, ...] = ()
    """What is simulated. No two have a log and a policy in common."""
    predictors: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    """What is replayed, by label."""
    replayed: tuple[str, ...] = ()
    """The logs that are."""
    own: Mapping[str, OwnLog] = field(default_factory=lambda: _NOTHING)
    """Of the logs those that its authors had; all others are of years, or machines, that they never
    saw."""
    answers: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """What its authors may answer to a claim that has no answer of its own, by kind of data."""
    quick: tuple[str, ...] = ()
    """Of the logs those that a first look takes."""
    measures: tuple[str, ...] = ("mean_waiting_time", "mean_bounded_slowdown")
    """What the policies are compared in."""
    figures: tuple[PaperFigure, ...] = ()
    """Its tables and figures."""
    tau: float = 10.0
    """Run times below so many seconds count as this in bounded slowdowns."""
