"""Runs of the Python parts and of the engine, and what differs between them."""

import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from pred_aware import Run, Workload, simulate
from pred_aware.metrics import MEASURES
from predictors.compile_cache import VARIABLE

FILES = ("jobs", "machine_states", "estimates", "trust", "stops")
MEASURED = ("scheduling_time", "simulation_time")


def both(
    monkeypatch: pytest.MonkeyPatch,
    workload: Workload,
    policy: str | dict[str, Any],
    options: dict[str, Any] | None = None,
) -> list[Run]:
    """Simulate by both; fail if the engine leaves it to Python."""
    runs = []
    for engine in ("python", "arrays"):
        monkeypatch.setenv(VARIABLE, engine)
        runs.append(simulate(workload, policy, options=options))
        assert (runs[-1].provenance or {})["engine"] == engine
    return runs


def compared(workload: Workload, policy: str, options: dict[str, Any]) -> tuple[list[str], str]:
    """Name what differs between the runs of both, and the engine that simulated the second."""
    runs: list[Run] = []
    for engine in ("python", "arrays"):
        os.environ[VARIABLE] = engine
        runs.append(simulate(workload, policy, options=options))
    return unlike(runs), str((runs[1].provenance or {})["engine"])


def unlike(runs: list[Run]) -> list[str]:
    """Name what differs between two runs."""
    one, other = runs
    found = [kind for kind in FILES if one.content(kind) != other.content(kind)]
    if _figures(one.summary) != _figures(other.summary):
        found.append("summary")
    if one.rejections != other.rejections:
        found.append("rejections")
    if not one.ran.equals(other.ran) or not one.never_ran.equals(other.never_ran):
        found.append("table")
    names = [name for name in MEASURES if name not in MEASURED]
    if not one.measures(names).equals(other.measures(names)):
        found.append("measures")
    if not np.array_equal(one.places_in_workload, other.places_in_workload):
        found.append("places")
    return found


def _figures(summary: Mapping[str, Any]) -> dict[str, Any]:
    return {name: repr(value) for name, value in summary.items() if name not in MEASURED}
