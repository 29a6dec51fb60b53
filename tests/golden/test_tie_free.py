"""Logs without simultaneous events, on which every right implementation gives one schedule."""

import gzip
from pathlib import Path

import pytest

from pred_aware import read_workload, simulate
from tests.golden.recorded import columns, starts
from tests.pred_aware.command import Command

LAST_TWO_TSAFRIR = "--predictor last_two -O correction=tsafrir"
COMMANDS = {
    "conservative": "-s conservative",
    "easy": "-s easy",
    "easy_last_two_tsafrir": f"-s easy {LAST_TWO_TSAFRIR}",
    "easy_plus_plus": "-s easy_plus_plus",
    "easy_plus_plus_actual": "-s easy_sjbf --predictor actual",
    "easy_plus_plus_doubling": "-s easy_plus_plus -O correction=doubling",
    "easy_plus_plus_walltime": "-s easy_plus_plus -O correction=walltime",
    "easy_sjbf": "-s easy_sjbf",
    "filler": "-s filler",
    "lxf_easy": "-s easy -O order=lxf",
    "saf_easy": "-s easy -O order=saf",
    "sjf_easy": "-s easy -O order=sjf",
    "sjf_filler_actual": "-s pred_aware --predictor actual",
    "sjf_filler_last_two": "-s pred_aware --predictor last_two",
    "wfp_easy": "-s easy -O order=wfp",
    "wfp_easy_last_two_tsafrir": f"-s easy -O order=wfp {LAST_TWO_TSAFRIR}",
}
QUICK = ("easy_plus_plus",)
"""Those of the quick tests."""


def marks(log: str, name: str) -> tuple[pytest.MarkDecorator, ...]:
    """Return the marks of a case, by how long it takes and how little it adds."""
    if log == "kth" and name in QUICK:
        return ()
    is_long = log != "kth" and name not in QUICK
    return (pytest.mark.large if is_long else pytest.mark.slow,)


CASES = [
    pytest.param(log, name, marks=marks(log, name))
    for log in ("kth", "hpc2n50k")
    for name in COMMANDS
]


def estimates(text: str) -> dict[str, tuple[str, str]]:
    """First estimate, to the microsecond, and number of corrections by job, where given."""
    return {
        job: (f"{float(estimate):.6f}", corrections)
        for job, estimate, corrections in columns(text, "job_id", "first_estimate", "corrections")
        if estimate
    }


@pytest.mark.parametrize(("log", "name"), CASES)
def test_starts_and_estimates_equal_those_of_independent_simulators(
    shared: Path,
    tmp_path: Path,
    command: Command,
    log: str,
    name: str,
) -> None:
    folder = shared / "golden" / "tie-free" / log
    ended = command(
        "run", "-q", "-p", folder / "platform.xml", "-w", folder / "workload.json.gz",
        "-e", tmp_path / "out", *COMMANDS[name].split(),
    )  # fmt: skip
    assert ended == (0, "", "")
    text = gzip.decompress((folder / f"{name}.csv.gz").read_bytes()).decode()
    expected, ours = starts(text), starts((tmp_path / "out_jobs.csv").read_text())
    assert len(expected) > 20000
    assert {job for job in expected if ours.get(job) != expected[job]} == set()
    assert len(ours) == len(expected)
    given = estimates(text)
    noted = estimates((tmp_path / "out_estimates.csv").read_text())
    assert {job for job in given if noted[job] != given[job]} == set()


def test_schedulers_that_predict_have_estimates(shared: Path) -> None:
    folder = shared / "golden" / "tie-free" / "kth"
    texts = {name: gzip.decompress((folder / f"{name}.csv.gz").read_bytes()) for name in COMMANDS}
    assert {name for name, text in texts.items() if estimates(text.decode())} == {
        "easy_last_two_tsafrir", "easy_plus_plus", "easy_plus_plus_actual",
        "easy_plus_plus_doubling", "easy_plus_plus_walltime",
    }  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("log", "slowdown", "wait"), [("kth", 92.73, 6837.49), ("hpc2n", 89.04, 10800.79)]
)
def test_all_events_of_a_date_come_before_its_scheduling_pass(
    shared: Path, tmp_path: Path, log: str, slowdown: float, wait: float
) -> None:
    summary = simulate(
        read_workload(shared / "golden" / log / "workload.json.gz"), "easy",
        platform=shared / "golden" / log / "platform.xml", write_to=tmp_path / "out",
    ).summary  # fmt: skip
    assert round(float(summary["mean_bounded_slowdown"]), 2) == slowdown
    assert round(float(summary["mean_waiting_time"]), 2) == wait
