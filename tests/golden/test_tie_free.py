"""Logs without simultaneous events, on which every right implementation gives one schedule."""

import gzip
from pathlib import Path
from typing import Any

import pytest

from pred_aware.simulation import simulate
from tests.golden.recorded import starts

SJBF = {"name": "easy", "candidates": "shortest"}
POLICIES: dict[str, tuple[str, dict[str, Any]]] = {
    "easy": ("easy", {}),
    "filler": ("filler", {}),
    "sjf_filler_last_two": ("pred_aware", {"predictor": "last_two"}),
    "sjf_filler_actual": ("pred_aware", {"predictor": "actual"}),
    "easy_sjbf": ("policy", {"backfilling": SJBF}),
    "easy_plus_plus_walltime": ("policy", {"backfilling": SJBF, "predictor": "last_two"}),
    "easy_plus_plus_actual": ("policy", {"backfilling": SJBF, "predictor": "actual"}),
    "sjf_easy": ("policy", {"order": "sjf", "backfilling": "easy"}),
}
RUNS = [("kth", name) for name in POLICIES] + [
    pytest.param("hpc2n50k", name, marks=() if name == "easy" else pytest.mark.slow)
    for name in POLICIES
]


@pytest.mark.parametrize(("log", "name"), RUNS)
def test_every_start_is_that_of_the_independent_simulators(
    shared: Path, tmp_path: Path, log: str, name: str
) -> None:
    folder = shared / "golden" / "tie-free" / log
    scheduler, options = POLICIES[name]
    simulate(
        platform=folder / "platform.xml",
        workload=folder / "workload.json.gz",
        scheduler=scheduler,
        prefix=tmp_path / "out",
        options=options,
    )
    expected = starts(gzip.decompress((folder / f"{name}.csv.gz").read_bytes()).decode())
    ours = starts((tmp_path / "out_jobs.csv").read_text())
    assert len(expected) > 20000
    assert {job for job in expected if ours.get(job) != expected[job]} == set()
    assert len(ours) == len(expected)


@pytest.mark.parametrize(
    ("log", "slowdown", "wait"), [("kth", 92.73, 6837.49), ("hpc2n", 89.04, 10800.79)]
)
def test_where_events_coincide_all_of_a_date_are_handled_before_one_pass(
    shared: Path, tmp_path: Path, log: str, slowdown: float, wait: float
) -> None:
    summary = simulate(
        platform=shared / "golden" / log / "platform.xml",
        workload=shared / "golden" / log / "workload.json.gz",
        scheduler="easy",
        prefix=tmp_path / "out",
    ).summary
    assert round(float(summary["mean_bounded_slowdown"]), 2) == slowdown
    assert round(float(summary["mean_waiting_time"]), 2) == wait
