import numpy as np

from pred_aware.recorded_queue.clues import clues
from pred_aware.recorded_queue.labels import Labels
from pred_aware.recorded_queue.limit import ApparentLimit
from pred_aware.recorded_queue.schedule import MachineSchedule


def one_after_another(
    users: int, *, at_once: int, jobs: int = 20
) -> tuple[MachineSchedule, list[str]]:
    """Each user submits all jobs at a date of his own, and has so many running at most."""
    submit, start, name = [], [], []
    for user in range(users):
        for job in range(jobs):
            submit.append(100.0 * user)
            start.append(100.0 * user + 1000.0 * (job // at_once))
            name.append(f"u{user}")
    # somebody comes last of all, so that one looks until then
    submit.append(1000.0 * jobs)
    start.append(submit[-1])
    name.append("last")
    dates = {"submit_time": np.array(submit), "start_time": np.array(start)}
    end = dates["start_time"] + 1000.0
    sizes = np.full(len(end), 4.0)
    return MachineSchedule(**dates, end_time=end, processors=sizes, machine=1000), name


def limits_of(schedule: MachineSchedule, **labels: list[str]) -> tuple[ApparentLimit, ...]:
    numbered = {kind: Labels.of(names) for kind, names in labels.items()}
    return clues(schedule, labels=numbered).limits


def test_a_limit_of_one_user_is_found() -> None:
    schedule, users = one_after_another(1, at_once=3)
    (limit,) = limits_of(schedule, user=users)
    assert (limit.name, limit.amount, limit.most) == ("u0", "processors", 12.0)
    assert limit.share == 1.0
    assert str(limit).startswith("user u0 was never above 12 running processors (100 % of")


def in_periods(*caps: int, users: int = 1, days: int = 90) -> tuple[MachineSchedule, list[str]]:
    """Each user submits 24 jobs of 6 h every three days; how many run at once changes."""
    submit, start, name = [], [], []
    for number, cap in enumerate(caps):
        for day in range(0, days, 3):
            for user in range(users):
                for job in range(24):
                    submit.append(86400.0 * (number * days + day))
                    start.append(submit[-1] + 21600.0 * (job // cap))
                    name.append(f"u{user}")
    # somebody has a job that does not wait
    name[-1] = "last"
    start[-1] = submit[-1]
    dates = {"submit_time": np.array(submit), "start_time": np.array(start)}
    sizes = np.full(len(name), 4.0)
    end = dates["start_time"] + 21600.0
    return MachineSchedule(**dates, end_time=end, processors=sizes, machine=10000), name


def test_a_limit_of_one_that_was_moved_is_told_with_its_periods() -> None:
    schedule, users = in_periods(3, 8)
    found = limits_of(schedule, user=users)
    assert [(limit.name, limit.most) for limit in found] == [("u0", 12.0), ("u0", 32.0)]
    assert sum(limit.share for limit in found) > 0.95
    day = [round((limit.since or 0.0) / 86400) for limit in found]
    assert day == [0, 88]
    assert str(found[0]).startswith("from day 0 to day 88 user u0 was never above 12 running")


def test_a_rule_for_all_that_was_moved_is_told_with_its_periods() -> None:
    schedule, users = in_periods(3, 8, users=6)
    found = limits_of(schedule, user=users)
    assert [(limit.name, limit.most, limit.at_it) for limit in found] == [
        (None, 12.0, 6), (None, 32.0, 6),
    ]  # fmt: skip
    assert str(found[1]).startswith(
        "from day 88 to day 177 the highest that 6 users had is exactly 32 running processors, "
        "nobody had more ("
    )


def test_most_that_differ_from_month_to_month_are_no_limits() -> None:
    schedule, users = in_periods(3, 5, 4, 8, 6, 7, days=30)
    assert limits_of(schedule, user=users) == ()


def test_a_rule_for_all_is_told_once() -> None:
    schedule, users = one_after_another(6, at_once=3)
    (limit,) = limits_of(schedule, user=users)
    assert (limit.name, limit.at_it, limit.above) == (None, 6, 0)
    assert str(limit).startswith(
        "the highest that 6 users ever had is exactly 12 running processors, nobody"
    )


def test_a_queue_that_waits_for_a_full_machine_shows_no_limit() -> None:
    schedule, users = one_after_another(1, at_once=3)
    full = MachineSchedule(
        submit_time=schedule.submit_time, start_time=schedule.start_time,
        end_time=schedule.end_time, processors=schedule.processors, machine=12,
    )  # fmt: skip
    found = clues(full, labels={"user": Labels.of(users)})
    assert (found.room, found.limits) == (0.0, ())
    assert found.sentences() == []


def test_a_user_and_his_own_group_are_told_once() -> None:
    schedule, users = one_after_another(1, at_once=3)
    groups = [f"g{name}" for name in users]
    assert [limit.kind for limit in limits_of(schedule, user=users, group=groups)] == ["user"]


def test_jobs_that_wait_for_one_another_are_told() -> None:
    schedule, users = one_after_another(1, at_once=1)
    found = clues(schedule, labels={"user": Labels.of(users)})
    assert found.after_own == 1.0
    assert any("another job of their user ended" in sentence for sentence in found.sentences())


def test_what_the_baseline_shows_too_is_no_cause() -> None:
    schedule, users = one_after_another(1, at_once=1)
    found = clues(schedule, labels={"user": Labels.of(users)})
    assert any("was never above" in sentence for sentence in found.sentences())
    said = found.sentences(found)
    assert not any("was never above" in sentence for sentence in said)
    assert not any("another job of their user ended" in sentence for sentence in said)


def test_starts_at_one_hour_are_told() -> None:
    schedule, users = one_after_another(200, at_once=1, jobs=2)
    hours = np.full(len(users), 18)
    late = MachineSchedule(
        submit_time=schedule.submit_time - 7200.0, start_time=schedule.start_time,
        end_time=schedule.end_time, processors=schedule.processors, machine=schedule.machine,
    )  # fmt: skip
    found = clues(late, labels={}, hours=hours)
    assert (found.hour, found.in_hour) == (18, 1.0)
    assert found.sentences()[-1].endswith("between 18:00 and 19:00, as if a queue opened then")
