"""What holds for every schedule, on three hundred random workloads."""

import itertools
from pathlib import Path
from typing import Any

import pytest

from pred_aware.simulator.simulation import Delays
from schedulers import COMBINATIONS, make_policy
from schedulers.contract.playing import Played, Spec, play
from tests.pred_aware.simulator.world import job, simulated, write_inputs
from tests.schedulers.random_workloads import PROCESSORS, workloads

ALLOCATIONS = ("lowest", "contiguous", "best_fit")
UPPER_BOUNDS = ("walltime", "actual")
CANDIDATES = ("queue", "shortest", "smallest", "best_fit")
SOURCES: dict[str, Any] = {"actual": "actual", "constant": {"name": "constant", "seconds": 5}}


def promises(
    name: str, options: dict[str, Any], specs: list[Spec]
) -> tuple[Played, dict[str, Any]]:
    """Play jobs, and say what start each was first promised, if any."""
    policy = make_policy(name, {"call_margin": 0, **options})
    played = play(policy, specs, PROCESSORS)
    assert policy.journal is not None
    return played, {row[0]: float(row[5]) for row in policy.journal.rows() if row[5]}


def test_no_job_starts_before_its_submission_or_on_used_processors() -> None:
    # the model checks dates, sizes and processors at each start
    kinds = itertools.cycle(itertools.product(COMBINATIONS, ALLOCATIONS))
    for specs, (name, allocation) in zip(workloads(300), kinds, strict=False):
        takes_it = "allocation" in COMBINATIONS[name].settable
        options = {"allocation": allocation} if takes_it else {}
        played = play(make_policy(name, options), specs, PROCESSORS)
        assert played.ends.keys() == {spec.id for spec in specs}, (name, allocation)


@pytest.mark.parametrize("predictor", UPPER_BOUNDS)
def test_with_easy_the_first_job_starts_no_later_than_its_reservation(predictor: str) -> None:
    promised = 0
    for specs, candidates in zip(workloads(300), itertools.cycle(CANDIDATES), strict=False):
        options = {"predictor": predictor, "candidates": candidates}
        played, first = promises("easy", options, specs)
        late = {name for name, date in first.items() if played.starts[name] > date}
        assert late == set(), (options, specs)
        promised += len(first)
    assert promised > 300


@pytest.mark.parametrize("predictor", UPPER_BOUNDS)
def test_conservative_keeps_its_first_planned_starts(predictor: str) -> None:
    for specs in workloads(300):
        played, first = promises("conservative", {"predictor": predictor}, specs)
        late = {name for name, date in first.items() if played.starts[name] > date}
        assert late == set(), specs
        assert first.keys() == played.starts.keys()


@pytest.mark.parametrize("call_margin", [0, 1])
def test_a_perfect_estimate_is_never_corrected(call_margin: int) -> None:
    made_of = itertools.cycle(
        itertools.product(
            ("easy", "conservative"), ("walltime", "doubling", "tsafrir", "power", "next_longer")
        )
    )
    for specs, (name, correction) in zip(workloads(300), made_of, strict=False):
        options = {"predictor": "actual", "correction": correction, "call_margin": call_margin}
        policy = make_policy(name, options)
        play(policy, specs, PROCESSORS)
        assert policy.journal is not None
        assert [row for row in policy.journal.rows() if row[3]] == []


@pytest.mark.parametrize("delays", ["none", "batsim"])
def test_a_perfect_estimate_is_never_corrected_in_the_simulator(
    tmp_path: Path, delays: Delays
) -> None:
    specs = [
        spec._replace(id=str(number), submit=spec.submit + 500 * day)
        for number, (day, spec) in enumerate(
            (day, spec) for day, specs in enumerate(workloads(60)) for spec in specs
        )
    ]
    jobs = [job(int(s.id), s.submit, s.size, s.run, s.walltime) for s in specs]
    write_inputs(tmp_path, jobs, processors=PROCESSORS)
    figures = {}
    for predictor in ("actual", "constant"):
        options = {"predictor": SOURCES[predictor], "correction": "tsafrir"}
        run = simulated(tmp_path, "easy", delays=delays, options=options)
        figures[predictor] = run.summary["corrections"]
    assert figures["actual"] == 0
    assert int(figures["constant"]) > 100
