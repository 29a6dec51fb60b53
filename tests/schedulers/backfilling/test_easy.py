"""EASY on cases small enough to be worked out by hand, on ten processors."""

import pytest

from schedulers import make_policy
from schedulers.contract.playing import Spec, play

SJBF = {"name": "easy", "candidates": "shortest"}


def starts(*specs: Spec, scheduler: str = "easy", **options: object) -> dict[str, float]:
    return play(make_policy(scheduler, options), specs, 10).starts


def test_jobs_at_the_head_start_while_they_fit() -> None:
    assert starts(Spec("a", 0, 4, 50), Spec("b", 0, 6, 50), Spec("c", 1, 1, 50)) == {
        "a": 0, "b": 0, "c": 50,
    }  # fmt: skip


def test_a_candidate_that_ends_by_the_reservation_overtakes() -> None:
    jobs = [Spec("a", 0, 8, 100, 100), Spec("head", 1, 10, 50), Spec("c", 2, 2, 98, 98)]
    assert starts(*jobs) == {"a": 0, "c": 2, "head": 100}


def test_a_candidate_that_ends_a_second_after_the_reservation_waits() -> None:
    jobs = [Spec("a", 0, 8, 100, 100), Spec("head", 1, 10, 50), Spec("c", 2, 2, 98, 99)]
    assert starts(*jobs) == {"a": 0, "head": 100, "c": 150}


def test_a_long_candidate_takes_only_extra_processors() -> None:
    jobs = [Spec("a", 0, 8, 100, 100), Spec("head", 1, 9, 50), Spec("long", 2, 1, 500, 500)]
    assert starts(*jobs) == {"a": 0, "long": 2, "head": 100}


def test_extra_processors_can_be_taken_only_once() -> None:
    jobs = [
        Spec("a", 0, 8, 100, 100), Spec("head", 1, 9, 50),
        Spec("long", 2, 1, 500, 500), Spec("longer", 2, 1, 600, 600),
    ]  # fmt: skip
    assert starts(*jobs) == {"a": 0, "long": 2, "head": 100, "longer": 150}


def test_jobs_that_end_together_all_count_for_extra_processors() -> None:
    jobs = [
        Spec("a", 0, 4, 100, 100), Spec("b", 0, 4, 100, 100),
        Spec("head", 1, 6, 50), Spec("long", 2, 2, 500, 500),
    ]  # fmt: skip
    assert starts(*jobs)["long"] == 2


def test_a_job_that_ends_early_lets_the_head_start_early() -> None:
    jobs = [Spec("a", 0, 8, 10, 100), Spec("head", 1, 10, 50)]
    assert starts(*jobs) == {"a": 0, "head": 10}


def test_a_job_killed_at_its_walltime_frees_its_processors_then() -> None:
    assert starts(Spec("a", 0, 10, 500, 100), Spec("b", 1, 10, 5)) == {"a": 0, "b": 100}


def test_candidates_are_tried_as_they_wait_or_shortest_first() -> None:
    jobs = [
        Spec("a", 0, 8, 100, 100), Spec("head", 1, 10, 50),
        Spec("long", 1, 2, 90, 90), Spec("short", 1, 2, 20, 20),
    ]  # fmt: skip
    assert starts(*jobs)["long"] == 1
    assert starts(*jobs, scheduler="policy", backfilling=SJBF)["short"] == 1


def test_equally_short_candidates_are_tried_as_they_wait() -> None:
    jobs = [Spec("a", 0, 8, 100, 100), Spec("head", 1, 10, 50)]
    jobs += [Spec(name, 1, 2, 20, 20) for name in ("z", "y")]
    started = starts(*jobs, scheduler="policy", backfilling=SJBF)
    assert (started["z"], started["y"]) == (1, 21)


def test_jobs_get_the_lowest_free_processors() -> None:
    played = play(
        make_policy("easy"),
        [Spec("a", 0, 3, 10), Spec("b", 0, 3, 90), Spec("c", 0, 2, 90), Spec("d", 20, 4, 5)],
        10,
    )
    assert played.processors["d"] == {0, 1, 2, 8}


def test_a_head_that_starts_now_counts_as_running_in_the_reservation() -> None:
    jobs = [Spec("a", 0, 6, 30, 30), Spec("b", 0, 5, 50, 50), Spec("c", 0, 4, 25, 25)]
    assert starts(*jobs) == {"a": 0, "c": 0, "b": 30}


def test_the_candidates_own_estimate_decides() -> None:
    jobs = [Spec("a", 0, 8, 100, 100), Spec("head", 1, 10, 50), Spec("c", 2, 2, 90, 3000)]
    assert starts(*jobs)["c"] == 150
    assert starts(*jobs, predictor="actual")["c"] == 2


@pytest.mark.parametrize(("role", "start"), [("backfilling", 2), ("running", 150)])
def test_each_role_has_a_separate_source_of_estimates(role: str, start: float) -> None:
    jobs = [Spec("a", 0, 8, 100, 100), Spec("head", 1, 10, 50), Spec("c", 2, 2, 90, 3000)]
    assert starts(*jobs, estimates={role: "actual"})["c"] == start
