"""What a study makes in a process beside its own is what it would make itself."""

from functools import partial
from pathlib import Path

import pytest

from pred_aware.campaign.making.workers import Workers
from pred_aware.campaign.specification import Limits
from pred_aware.errors import PredAwareError
from pred_aware.study.beside import beside
from pred_aware.study.evidence import GAINS, SCHEDULES, written_of_the_runs
from pred_aware.study.request import Reading, StudyEffort
from pred_aware.study.study import Study, study
from tests.pred_aware.study.conftest import MakeLog


def drawn(log: Path, folder: Path, *, workers: int) -> Study:
    effort = StudyEffort(shakes=2, workers=workers)
    return study(Reading(paths=(log,)), folder, effort=effort, on_progress=lambda _: None)


def test_two_processes_tell_what_one_tells(make_log: MakeLog, tmp_path: Path) -> None:
    log = make_log()
    one, two = (drawn(log, tmp_path / str(many), workers=many) for many in (1, 2))
    for title in (GAINS, SCHEDULES):
        assert one.prepared[title] == two.prepared[title]
    assert one.policies == two.policies
    errors = [[by.by_user for by in each.predicted.evaluations] for each in (one, two)]
    assert errors[0] == errors[1]


def test_a_failure_says_what_was_being_made(tmp_path: Path) -> None:
    tell = partial(written_of_the_runs, tmp_path / "none.json", (), explained=False)
    with (
        beside(tell, what="telling") as telling,
        pytest.raises(PredAwareError, match=r"telling: .*none"),
    ):
        telling.get()


def test_what_is_made_beside_takes_the_place_of_a_worker() -> None:
    team = Workers(None, 3, limits=Limits())  # type: ignore[arg-type] # nothing is made
    assert len(team.idle) == 3
    team.lent = 1
    assert len(team.idle) == 2
