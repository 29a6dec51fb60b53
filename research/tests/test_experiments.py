"""Paper 001's experiments over random splits: kept split by split, and compared."""

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from pred_aware.statistics import mean_interval, paired_difference
from reproductions.checks.claim import OPEN
from reproductions.checks.of_counts import ExperimentDifference, ExperimentFigure
from reproductions.evidence import Evidence
from reproductions.experiments import Measured, experiments_on

SEEDS = (1, 2)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("experiments")


@pytest.fixture(scope="module")
def measured(folder: Path) -> Measured:
    chance = random.Random(5)  # noqa: S311 - a made log
    lines = [
        f"{place} {60 * place} 0 {chance.randint(10, 3000)} 4 -1 -1 4 3600 -1 1 {place % 3}"
        " 1 1 1 1 -1 -1"
        for place in range(1, 121)
    ]
    (folder / "log.swf").write_text("\n".join(["; MaxProcs: 64", *lines, ""]))
    return experiments_on(folder / "log.swf", folder=folder / "kept", seeds=SEEDS)


def figure(experiment: str, model: str = "decision_tree", measure: str = "mae") -> ExperimentFigure:
    return ExperimentFigure(experiment, model, measure)


def evidence(measured: Measured) -> Evidence:
    return cast("Evidence", SimpleNamespace(experiments=lambda _: measured))


def values(measured: Measured, experiment: str, model: str, measure: str) -> list[Any]:
    return [one[measure] for one in measured[experiment, model]]


def test_each_split_is_kept_and_not_made_again(folder: Path, measured: Measured) -> None:
    assert len(measured["baseline", "random_forest"]) == len(SEEDS)
    assert len(measured["consecutive", "decision_tree"]) == len(SEEDS)
    kept = {path: path.stat().st_mtime_ns for path in (folder / "kept").iterdir()}
    assert len(kept) == 4 * len(SEEDS)
    again = experiments_on(folder / "log.swf", folder=folder / "kept", seeds=SEEDS)
    assert again == measured
    assert {path: path.stat().st_mtime_ns for path in (folder / "kept").iterdir()} == kept


def test_a_figure_has_the_interval_of_splits_that_overlap(measured: Measured) -> None:
    found = figure("baseline", measure="over").estimate("KTH", evidence(measured))
    own = values(measured, "baseline", "decision_tree", "over")
    assert (found.low, found.runs) == (mean_interval(own, overlap=0.25).low, 2)


def test_experiments_are_compared_split_by_split(measured: Measured) -> None:
    one, other = figure("baseline"), figure("baseline", "gradient_boosting")
    found = ExperimentDifference(one, other).estimate("KTH", evidence(measured))
    trees, boosted = (
        values(measured, "baseline", name, "mae") for name in ("decision_tree", "gradient_boosting")
    )
    expected = paired_difference(boosted, trees, overlap=0.25)
    assert (found.value, found.high) == (expected.value, expected.high)


def test_the_one_split_of_the_last_jobs_stands_beside_random_ones_and_alone_tells_nothing(
    measured: Measured,
) -> None:
    last = figure("consecutive")
    beside = ExperimentDifference(last, figure("baseline")).estimate("KTH", evidence(measured))
    assert beside.low is not None
    assert beside.runs == 2
    alone = figure("consecutive", measure="over").estimate("KTH", evidence(measured))
    assert alone.verdict == OPEN
    assert "one split" in alone.words
