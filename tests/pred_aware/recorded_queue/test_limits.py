"""Waiting with free processors is seen, and limits that explain it are found."""

import numpy as np
import pytest

from pred_aware.recorded_queue.free_processors import waiting
from pred_aware.recorded_queue.limits import VIOLATED, Clues, clues
from pred_aware.recorded_queue.recorded_jobs import Labels
from pred_aware.recorded_queue.schedule import MachineSchedule


def schedule(
    *jobs: tuple[float, float, float, float], machine: int = 4, walltime: float | None = None
) -> MachineSchedule:
    """Return jobs: submitted, started, how long, on how many processors."""
    submit, start, lasts, sizes = (np.array(column, float) for column in zip(*jobs, strict=True))
    asked = lasts if walltime is None else np.full(len(jobs), walltime)
    return MachineSchedule(
        submit_time=submit, start_time=start, end_time=start + lasts, processors=sizes,
        walltime=asked, machine=machine,
    )  # fmt: skip


LAST = (2000.0, 2000.0, 1.0, 1.0)
"""Somebody comes last of all, so that one looks until then."""


@pytest.mark.parametrize(
    ("name", "jobs", "could"),
    [
        ("no processors", [(0, 0, 1000, 4), (10, 1000, 500, 4)], set()),
        ("free ones", [(0, 0, 1000, 2), (10, 1000, 500, 2)], {1}),
        ("soon", [(0, 0, 1000, 2), (10, 110, 500, 2)], set()),
        # 2 are busy until 1000, and the second needs 4: a job of 900 s may end before that
        ("short", [(0, 0, 1000, 2), (0, 1000, 100, 4), (50, 1100, 900, 2)], {2}),
        ("long", [(0, 0, 1000, 2), (0, 1000, 100, 4), (50, 1100, 1500, 2)], set()),
        ("beside", [(0, 0, 1000, 2), (0, 1000, 100, 3), (50, 1100, 1500, 1)], {2}),
    ],
)
def test_a_job_could_start_if_it_delays_no_other(
    name: str, jobs: list[tuple[float, float, float, float]], could: set[int]
) -> None:
    seen = waiting(schedule(*jobs, LAST), looks=201)
    assert set(seen.startable.job.tolist()) == could, name


def one_after_another(
    users: int, *, at_once: int, jobs: int = 20
) -> tuple[MachineSchedule, list[str]]:
    """Each user submits all jobs at a date of his own, and has so many running at most."""
    rows = [
        (100.0 * user, 100.0 * user + 1000.0 * (job // at_once), 1000.0, 4.0)
        for user in range(users)
        for job in range(jobs)
    ]
    names = [f"u{user}" for user in range(users) for _ in range(jobs)]
    last = 1000.0 * jobs
    return schedule(*rows, (last, last, 1000.0, 4.0), machine=1000), [*names, "last"]


def clues_of(schedule: MachineSchedule, **labels: list[str]) -> Clues:
    return clues(schedule, labels={kind: Labels.of(names) for kind, names in labels.items()})


def test_a_limit_has_its_opportunities_and_violations() -> None:
    dates, users = one_after_another(6, at_once=3)
    (limit,) = clues_of(dates, user=users).limits
    assert (limit.per, limit.name, limit.of) == ("user", None, "jobs")
    assert (limit.most, limit.violations, limit.stopped) == (3.0, 0, 6 * 17)
    # the last two minutes before a start do not count
    assert limit.share == pytest.approx(1.0, abs=0.05)
    assert str(limit).startswith("each user had at most 3 running jobs: 102 jobs could have")


def test_a_limit_that_many_starts_break_is_not_reported() -> None:
    dates, users = one_after_another(6, at_once=3)
    assert VIOLATED == 0.02
    start = dates.start_time.copy()
    # two users start all at once
    start[:40] = np.repeat([0.0, 100.0], 20)
    broken = schedule(
        *np.stack([dates.submit_time, start, dates.end_time - dates.start_time,
                   dates.processors]).T.tolist(),
        machine=1000,
    )  # fmt: skip
    assert clues_of(broken, user=users).limits == ()


def test_a_limit_of_one_queue_is_found() -> None:
    dates, users = one_after_another(2, at_once=3)
    queues = ["night" if name == "u0" else "day" for name in users]
    start = dates.start_time.copy()
    start[20:40] = dates.submit_time[20:40]
    some = schedule(
        *np.stack([dates.submit_time, start, dates.end_time - dates.start_time,
                   dates.processors]).T.tolist(),
        machine=1000,
    )  # fmt: skip
    (limit,) = clues_of(some, queue=queues).limits
    assert (limit.per, limit.name, limit.of, limit.most) == ("queue", "night", "jobs", 3.0)


def test_a_queue_that_waits_for_a_full_machine_shows_no_limit() -> None:
    dates, users = one_after_another(1, at_once=3)
    rows = np.stack(
        [dates.submit_time, dates.start_time, dates.end_time - dates.start_time, dates.processors]
    ).T.tolist()
    found = clues_of(schedule(*rows, machine=12), user=users)
    assert (found.with_free_processors, found.limits, found.sentences) == (0.0, (), ())


def test_a_user_alone_in_a_group_is_reported_once() -> None:
    dates, users = one_after_another(2, at_once=3)
    found = clues_of(dates, user=users, group=[f"g{name}" for name in users])
    assert [limit.per for limit in found.limits] == ["user"]
    assert found.sentences[0].startswith("during 96 % of all waiting, the job could have started")
