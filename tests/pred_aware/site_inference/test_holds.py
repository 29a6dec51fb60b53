"""How long jobs waited with free processors."""

import numpy as np
import pytest

from pred_aware.recorded_queue.labels import Labels
from pred_aware.recorded_queue.schedule import MachineSchedule
from pred_aware.site_inference.holds import Holds, _Walk, holds_of
from pred_aware.site_inference.queue_record import QueueRecord
from tests.pred_aware.site_inference.planted import log_of


def held(*jobs: tuple[float, float, float, float], machine: int = 4) -> list[float]:
    """Return releases of jobs: submitted, started, how long, on how many processors."""
    submitted, started, lasts, sizes = (
        np.array(column, float) for column in zip(*jobs, strict=True)
    )
    schedule = MachineSchedule(
        submit_time=submitted, start_time=started, end_time=started + lasts, processors=sizes,
        machine=machine,
    )  # fmt: skip
    record = QueueRecord(
        ids=np.array([str(place) for place in range(len(jobs))]), schedule=schedule,
        walltime=lasts, labels={"user": Labels.of(["ann"] * len(jobs))}, start_time=None,
        time_zone=None,
    )  # fmt: skip
    return [float(one) for one in _Walk(record).release()]


def test_a_job_that_waits_for_room_is_not_held() -> None:
    assert held((0, 0, 1000, 4), (10, 1000, 500, 4)) == [0, 10]


def test_a_job_with_room_is_held_up_to_the_last_date_at_which_it_had_some() -> None:
    # something happens at 300 and at 900; the other starts at 2000
    found = held((0, 0, 300, 2), (10, 2000, 100, 2), (900, 900, 50, 1))
    assert found[1] == 951


def test_a_start_within_two_minutes_is_no_hold() -> None:
    assert held((0, 100, 50, 1), (500, 621, 50, 1)) == [0, 501]


def test_who_waits_behind_a_held_job_waits_for_room() -> None:
    # the first is chosen and held, and has the room that the other one needs
    found = held((0, 1000, 100, 3), (10, 1100, 100, 3), (20, 20, 5, 1))
    assert found[0] > 0
    assert found[1] == 10


def test_a_backfilled_job_must_end_before_the_reservation() -> None:
    # 2 are busy until 1000, the first to wait needs 4; one of 990 s would fit until then
    running, head = (0, 0, 1000, 2), (1, 1000, 100, 4)
    short, long = (2, 1100, 900, 2), (2, 1100, 1500, 2)
    assert held(running, head, short)[2] == 3
    assert held(running, head, long)[2] == 2


@pytest.fixture(scope="module")
def alone() -> Holds:
    return holds_of(log_of("three each"))


def test_waiting_for_a_limit_had_free_processors(alone: Holds) -> None:
    assert alone.share > 0.8


def test_parts_of_the_waiting_sum_up_to_it(alone: Holds) -> None:
    for kind in ("queue", "user", "week"):
        parts = alone.by(kind)
        assert sum(part.jobs for part in parts) == len(alone.record)
        assert sum(part.held for part in parts) == pytest.approx(alone.held.sum())
    assert alone.by("project") == []
