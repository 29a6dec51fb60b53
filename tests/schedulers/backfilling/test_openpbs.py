"""The calendar of OpenPBS: schedules worked out by hand, and every date tried."""

import pytest

from predictors import OptionError
from schedulers import make_policy
from schedulers.backfilling import BACKFILLINGS
from schedulers.backfilling.openpbs import OpenPbsCalendar, last_events
from schedulers.contract.playing import Spec, play
from tests.schedulers.backfilling.test_top_jobs import NOW, PROCESSORS, fits, moments, places
from tests.schedulers.site import on_site
from tests.suites import each_case


def starts(*specs: Spec, **options: object) -> dict[str, float]:
    backfilling: dict[str, object] = {"name": "openpbs", **options}
    policy = make_policy("policy", {"backfilling": backfilling, "call_margin": None})
    return play(policy, specs, PROCESSORS).starts


@each_case(("fuzzy", "head", "short"), [("off", 65, 95), ("low", 95, 3), ("high", 95, 3)])
def test_ends_within_one_window_count_as_its_last_end(
    fuzzy: str, head: float, short: float
) -> None:
    # "head" fits from 65 on; promised 95, the other end of that minute, it lets "short" pass
    jobs = [
        Spec("a", 0, 5, 65, 65), Spec("b", 1, 4, 94, 94), Spec("head", 2, 6, 100, 100),
        Spec("short", 3, 1, 92, 92),
    ]  # fmt: skip
    found = starts(*jobs, opt_backfill_fuzzy=fuzzy)
    assert found == {"a": 0, "b": 1, "head": head, "short": short}


def test_a_window_ends_at_a_whole_multiple_of_its_length() -> None:
    # from 119 the minute is over at 120: 121 is looked at by itself
    jobs = [
        Spec("a", 0, 4, 119, 119), Spec("b", 0, 5, 121, 121), Spec("head", 1, 5, 100, 100),
        Spec("short", 2, 1, 119, 119),
    ]  # fmt: skip
    assert starts(*jobs)["short"] == 121
    assert list(last_events({119.0, 120.0, 121.0}, 60.0)) == [120.0, 121.0]
    assert list(last_events({65.0, 95.0, 130.0, float("inf")}, 60.0)) == [95.0, 130.0]
    assert list(last_events({float("inf")}, 60.0)) == []
    # minutes since 1970 are over at 20, 80, 140
    assert list(last_events({65.0, 95.0, 110.0}, 60.0, epoch=1_600_000_000.0)) == [65.0, 110.0]


def test_a_job_that_starts_is_not_a_top_job() -> None:
    # "third" gets the second place, since "second" starts; "long" would take it
    jobs = [
        Spec("a", 0, 7, 100, 100), Spec("head", 1, 8, 50, 50), Spec("second", 2, 1, 10, 10),
        Spec("third", 3, 10, 50, 50), Spec("long", 4, 1, 300, 300),
    ]  # fmt: skip
    assert starts(*jobs, backfill_depth=2)["long"] == 200
    assert starts(*jobs, backfill_depth=1)["long"] == 4


@pytest.mark.parametrize("depth", [1, 3])
def test_all_planned_jobs_fit_and_the_first_starts_within_a_second(depth: int) -> None:
    started = 0
    for moment in moments(500):
        running = moment.again().plan.jobs
        calendar = OpenPbsCalendar(backfill_depth=depth, opt_backfill_fuzzy="off")
        calendar.begin(moment.machine())
        chosen = calendar.choose(moment.queue, moment.plan, NOW)
        taken = [(NOW, NOW + job.running, job.processors) for job in running + chosen]
        top_jobs = [job for job in moment.queue if job.first_promise >= 0]
        assert 1 <= len(top_jobs) <= depth
        exact = places(top_jobs, running, 1)[top_jobs[0].id]
        assert 0 <= top_jobs[0].first_promise - exact <= 1
        for job in top_jobs:
            assert fits(job, job.first_promise, taken)
            end = job.first_promise + job.backfilling
            taken.append((job.first_promise, end, job.processors))
        started += len(chosen)
    assert started > 100


@each_case("option", ["strict_ordering", "backfill_depth", "scheduler_iteration"])
def test_invalid_option_values_are_refused(option: str) -> None:
    with pytest.raises(OptionError, match=f"{option} (is|must be)"):
        BACKFILLINGS.make({"name": "openpbs", option: "x"})


def test_an_invalid_window_is_refused() -> None:
    with pytest.raises(OptionError, match="opt_backfill_fuzzy 'x' is not known"):
        BACKFILLINGS.make({"name": "openpbs", "opt_backfill_fuzzy": "x"})


@pytest.mark.parametrize(("most", "stopped", "other"), [(1, 100, 150), (2, 1, 51)])
def test_room_is_kept_for_a_job_that_a_limit_stops(most: int, stopped: int, other: int) -> None:
    # the second of "ann" would fit beside the first, and what "bob" asks for would be in its way
    jobs = [
        on_site.job(1, 0, 1, 100, user_id="ann"),
        on_site.job(2, 1, 3, 50, walltime=50, user_id="ann"),
        on_site.job(3, 2, 2, 300, walltime=300, user_id="bob"),
        on_site.job(4, 3, 2, 90, walltime=90, user_id="eve"),
    ]
    site = {
        "limits": [{"of": "jobs", "per": "user", "most": most}],
        "openpbs": {"strict_ordering": True, "backfill_depth": 2},
    }
    found = on_site.starts(site, jobs, "openpbs")
    assert (found[2], found[3]) == (stopped, other)
