"""The time that a study is given is kept, and what it could not finish is told."""

import os
from functools import partial
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic

import pytest

from pred_aware.campaign.making import workers
from pred_aware.campaign.making.forking import Forked
from pred_aware.campaign.store import Store
from pred_aware.study import rounds
from pred_aware.study.campaign import StudyCampaign
from pred_aware.study.contenders import contenders
from pred_aware.study.request import LEAST, Budget, Reading, StudyEffort
from pred_aware.study.rounds import unperturbed_run
from pred_aware.study.showing import publish
from pred_aware.study.study import study
from tests.pred_aware.study.conftest import MakeLog, Studied, recorded_log

ON_EASY = contenders(None)


@pytest.fixture
def campaign(studied: Studied, make_log: MakeLog, tmp_path: Path) -> StudyCampaign:
    """Of a log that was read, by two processes, with a store of its own."""
    studied(make_log(jobs=20))
    out = tmp_path / "out"
    Store(tmp_path / "runs").begin()
    return StudyCampaign(
        out / "workload.json", out / "platform.xml", tmp_path / "runs", workers=2,
        definitions=ON_EASY.definitions,
    )  # fmt: skip


def nothing(_line: str) -> None:
    """Tell nobody."""


def test_a_run_that_takes_too_long_leaves_no_files(campaign: StudyCampaign, tmp_path: Path) -> None:
    simulate = partial(
        unperturbed_run, campaign, ON_EASY.judged, folder=tmp_path, on_progress=nothing
    )
    assert simulate(until=monotonic() - 1.0) is None
    assert not [*tmp_path.glob("easy_predicted*")]
    made, read = simulate(until=None), simulate(until=monotonic() - 1.0)
    assert made is not None
    assert read is not None
    assert made.jobs_sha256 == read.jobs_sha256


def test_worker_processes_last_for_all_rounds_and_then_end(
    campaign: StudyCampaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    forked = []

    def fork(connection: Connection) -> Forked:
        forked.append(Forked(connection))
        return forked[-1]

    monkeypatch.setattr(workers, "Forked", fork)
    simulating = rounds.Simulating(learning_nothing(campaign))
    found = simulating.run(StudyEffort(shakes=2), until=None, on_progress=nothing)
    assert found.shakes == 2
    assert len(forked) == 2
    for one in forked:
        with pytest.raises(ProcessLookupError):
            os.kill(one.id, 0)


def learning_nothing(campaign: StudyCampaign) -> StudyCampaign:
    """Return the campaign with two policies that learn nothing."""
    return StudyCampaign(
        campaign.workload, campaign.platform, campaign.store, workers=2,
        definitions={"easy": {}, "fcfs": {}},
    )  # fmt: skip


def test_simulations_stop_at_the_requested_precision(campaign: StudyCampaign) -> None:
    simulating = rounds.Simulating(learning_nothing(campaign))
    effort = StudyEffort(seconds=None, precision=10.0)
    found = simulating.run(effort, until=None, on_progress=nothing)
    assert (found.shakes, found.why) == (5, "precision 10 reached")


def test_an_unfinished_round_does_not_count(
    studied: Studied, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = recorded_log(tmp_path, jobs=100)
    studied(log)
    # with a clock that goes on by a minute whenever it is looked at, the time is up in a round
    ticks = count()
    monkeypatch.setattr(rounds, "monotonic", lambda: monotonic() + 60.0 * next(ticks))
    found = studied(log, seconds=600.0)
    assert found.rounds.why == "time is up"
    assert found.rounds.shakes < rounds.FIRST


def test_without_time_for_other_schedulers_only_the_baseline_is_reported(tmp_path: Path) -> None:
    effort = StudyEffort(seconds=0.0, workers=2)
    asked = Reading(paths=(recorded_log(tmp_path),))
    found = study(asked, tmp_path / "out", effort=effort, on_progress=nothing)
    assert [run.name for run in found.runs] == ["easy"]
    assert (found.verdict.reason, found.rounds.shakes) == ("time", 0)
    assert found.verdict.next.startswith("Repeat the study with the same -o and --minutes")
    publish(found, tmp_path / "out", command="pred-aware study")
    page = (tmp_path / "out" / "study.html").read_text()
    assert "Need input. Give the study more time (--minutes)." in page
    assert "The two schedules" not in page


def test_a_budget_reserves_time_for_the_page() -> None:
    budget = Budget(StudyEffort(seconds=60.0), began=100.0)
    assert (budget.until(10.0), budget.until(0.0)) == (150.0, 160.0 - LEAST)
    endless = Budget(StudyEffort(seconds=60.0, shakes=5), began=100.0)
    assert (endless.until(10.0), endless.by(0.1)) == (None, None)
