"""Paper 004: adjusting users' run time estimates on the Blue Gene/P."""

from collections.abc import Iterator, Mapping
from typing import Any

from reproductions.checks.claim import in_order
from reproductions.claims.paper_004_accuracy import ACCURACY, TRACES
from reproductions.claims.paper_004_adjusting import ADJUSTED, IN_CLASSES
from reproductions.claims.paper_004_figures import FIGURES
from reproductions.claims.paper_004_roles import IN_ROLES
from reproductions.claims.paper_004_trying import (
    ACCURACIES,
    BEFORE,
    BELOW,
    JULY,
    MEASURES,
    ON_BLOCKS,
    ROLES,
    SCHEMES,
    STARTS,
)
from reproductions.paper import OwnLog, Paper, Simulations

CLAIMS = in_order(*TRACES, *ACCURACY, *IN_ROLES, *ADJUSTED, *IN_CLASSES)
_ALL_JOBS = 100_000
"""More than there are: the paper's ratios are of all past jobs, ours usually of the last 1,000."""
_NODES = (512, 2048, 8192, 16384)
"""Nodes of the largest job of each class but the last; the paper's are in its figures alone. Jobs
of more than the last take more than 40 % of Intrepid."""
_LENGTHS = (600, 3600, 14400)


def _accuracy(order: str, a: float) -> dict[str, Any]:
    return {
        "scheduler": "policy",
        "order": order,
        "backfilling": "easy",
        "predictor": {"name": "accuracy", "a": a},
    }


def _policies(
    schemes: tuple[str, ...], history: Mapping[str, Any] | None = None
) -> dict[str, Mapping[str, Any]]:
    made: dict[str, Mapping[str, Any]] = {
        "WFP": {"scheduler": "wfp"},
        "FCFS": {"scheduler": "policy", "order": "fcfs", "backfilling": "easy"},
    }
    for order in ("wfp", "fcfs"):
        made |= {f"{order.upper()} a={a:g}": _accuracy(order, a) for a in ACCURACIES}
    made |= {name: {"scheduler": f"wfp_{name.lower()}"} for name in ROLES}
    return made | {name: _adjusted(name, history) for name in schemes}


def _adjusted(scheme: str, history: Mapping[str, Any] | None) -> dict[str, Any]:
    selective = scheme == "selective"
    ratio = f"ratio_{'combined' if selective else scheme.removesuffix('-based')}"
    scheduler = "wfp_selective" if selective else "wfp_adjusted"
    if history is None:
        return {"scheduler": scheduler, "predictor": ratio}
    return {"scheduler": scheduler, "predictor": {"name": ratio, "jobs": _ALL_JOBS}, **history}


def _classes(node_processors: int) -> dict[str, tuple[int, ...]]:
    return {"size": tuple(node_processors * nodes for nodes in _NODES), "length": _LENGTHS}


def _blocked(policies: Mapping[str, Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    return {f"{name}{ON_BLOCKS}": options for name, options in policies.items()}


_AT_INTREPID = {"options": {"processors_from": "allocated"}}
_LEARNED: Mapping[str, Any] = {"history": "Intrepid, January to June"}
"""As in the paper; without it predictors begin with nothing, and learn from the jobs that end."""
_OF_USERS = ("user-based", "selective")


def _simulations() -> Iterator[Simulations]:
    for log, policies, done, machine, node in (
        ("Intrepid", _policies(_OF_USERS), _AT_INTREPID, "intrepid", 4),
        ("Intrepid, July", _policies(_OF_USERS, _LEARNED), _AT_INTREPID, "intrepid", 4),
        ("Mira", _policies(SCHEMES), {}, "mira", 1),
    ):
        yield Simulations(policies, {log: done}, classes=_classes(node))
        yield Simulations(_blocked(policies), {log: done}, machine, _classes(node))


_RELEASE = (
    "the archive's release, which is not the jobs that the paper counts, and tells no projects"
)
PAPER = Paper(
    "004",
    "Analyzing and adjusting user runtime estimates to improve job scheduling on the Blue Gene/P",
    CLAIMS,
    tuple(_simulations()),
    own={
        "Intrepid": OwnLog(jobs=48_056 + 10_479, differs=f"{_RELEASE}; until September"),
        JULY: OwnLog(jobs=10_479, differs=_RELEASE),
        BEFORE: OwnLog(jobs=48_056, differs=_RELEASE),
    },
    quick=("Intrepid, July",),
    measures=(*MEASURES, *BELOW, *STARTS),
    figures=FIGURES,
)
