"""A picture of a day of a machine of blocks."""

from pathlib import Path

import pytest

import pred_aware as pa
from pred_aware.errors import PredAwareError
from pred_aware.report.durations import DAY
from pred_aware.runs.blocks_picture import DrawnTime, day_of, draw, pictures
from schedulers.machine.block import Block, BlockList
from tests.pred_aware.simulator.world import job, workload_of
from tests.suites import each_case

HALVES = BlockList(
    "halves", 8, (Block("left", ((0, 3),)), Block("right", ((4, 7),)), Block("all", ((0, 7),)))
)


def run_of(*jobs: tuple[int, int, int], start_time: int | None = None) -> pa.Run:
    """Simulate jobs that are submitted at a date, ask for so many processors, last for so long."""
    told = {} if start_time is None else {"start_time": start_time, "time_zone": "America/Chicago"}
    rows = [job(n, date, size, last, last) for n, (date, size, last) in enumerate(jobs)]
    return pa.simulate(workload_of(rows, 8, **told), "easy", machine=HALVES)


DRAINED_TWICE = (
    (0, 3, 100), (50, 8, 10),
    (int(DAY), 4, 2000), (int(DAY) + 500, 8, 10),
)  # fmt: skip
"""For 50 s of the first day and 1,500 s of the second."""


def test_the_day_is_the_one_with_most_draining_or_the_requested_one() -> None:
    run = run_of(*DRAINED_TWICE)
    assert day_of(run, None) == DrawnTime(DAY, 2 * DAY, "day 1")
    assert day_of(run, "0") == DrawnTime(0.0, DAY, "day 0")
    # second 0 is 2009-01-05 00:00 in Chicago
    run = run_of(*DRAINED_TWICE, start_time=1231135200)
    assert day_of(run, "2009-01-06") == DrawnTime(DAY, 2 * DAY, "2009-01-06")


@each_case(
    ("day", "message"),
    [
        ("7", "nothing ran on day 7; the run lasts from day 0 to day 1"),
        (
            "tuesday",
            "'tuesday' is not a day. Give a date such as 2009-07-05, or a number from 0 on",
        ),
        ("2009-01-05", "the date of the run's second 0 is unknown; give the number of a day"),
    ],
)
def test_an_invalid_day_is_reported(day: str, message: str) -> None:
    with pytest.raises(PredAwareError, match=message):
        day_of(run_of(*DRAINED_TWICE), day)


def test_an_unknown_block_is_reported() -> None:
    other = BlockList("other", 8, (Block("all", ((0, 7),)),))
    with pytest.raises(PredAwareError, match="'left' is not a block of 'other'"):
        pictures(run_of((0, 3, 100)), other, DrawnTime(0.0, DAY, "day 0"))


def test_the_picture_states_the_shares_of_the_day_and_is_reproducible(tmp_path: Path) -> None:
    run = run_of(*DRAINED_TWICE)
    # one half runs; the other is free, and drained in the second 100 s
    stretch = DrawnTime(DAY + 400, DAY + 600, "200 s")
    for name in ("first.svg", "again.svg"):
        draw(run, HALVES, stretch, path=tmp_path / name)
    first, again = ((tmp_path / name).read_bytes() for name in ("first.svg", "again.svg"))
    assert first == again
    (made,) = pictures(run, HALVES, stretch)
    told = made.panels[0].svg().decode()
    assert "50.0 % used, 0.0 % in jobs' blocks but not requested, 25.0 % drained, 25.0 %" in told
    assert "for job 3" in told
    assert ">right<" in told
