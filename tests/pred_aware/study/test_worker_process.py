"""What a study makes in a process beside its own is what it would make itself."""

import os
import time
from functools import partial
from pathlib import Path

import pytest

from pred_aware.campaign.making.workers import Worker
from pred_aware.errors import PredAwareError
from pred_aware.log.workload import read_workload
from pred_aware.study.request import Reading, StudyEffort
from pred_aware.study.study import Study, study
from pred_aware.study.worker_process import in_worker
from tests.pred_aware.study.conftest import MakeLog


def drawn(log: Path, folder: Path, *, workers: int) -> Study:
    effort = StudyEffort(shakes=2, workers=workers)
    return study(Reading(paths=(log,)), folder, effort=effort, on_progress=lambda _: None)


@pytest.mark.slow
def test_two_processes_tell_what_one_tells(make_log: MakeLog, tmp_path: Path) -> None:
    log = make_log(jobs=20)
    one, two = (drawn(log, tmp_path / str(many), workers=many) for many in (1, 2))
    assert one.policies == two.policies
    errors = [[by.by_user for by in each.predicted.evaluations] for each in (one, two)]
    assert errors[0] == errors[1]


def test_a_failure_says_what_was_being_made(tmp_path: Path, worker: Worker) -> None:
    with in_worker(
        partial(read_workload, tmp_path / "none.json"), worker, what="telling"
    ) as telling:
        assert telling is not None
        with pytest.raises(PredAwareError, match=r"telling: .*none"):
            telling.get()


def test_processes_make_one_thing_after_the_other(worker: Worker) -> None:
    made = []
    for _ in range(2):
        with in_worker(os.getpid, worker, what="looking") as looking:
            assert looking is not None
            made.append(looking.get())
    assert made[0] == made[1] != os.getpid()
    with in_worker(partial(time.sleep, 60.0), worker, what="waiting") as waiting:
        assert waiting is not None
        assert not waiting.is_over()
    with in_worker(os.getpid, worker, what="looking again") as looking:
        assert looking is not None
        assert looking.get() not in made
    # nothing is made beside the only process
    with in_worker(os.getpid, None, what="looking") as looking:
        assert looking is None
