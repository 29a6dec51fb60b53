import pickle
from pathlib import Path

import msgspec
import pytest

from pred_aware import Platform, Workload, check_baseline, read_run, simulate
from pred_aware.errors import PredAwareError
from pred_aware.recorded_queue import BaselineCheck
from tests.pred_aware.recorded_queue.queues import JOBS, MACHINE, baseline_of, waits_on, workload

SMALLER = 13
QUEUES = ["short", "long"] * (JOBS // 2)


@pytest.fixture(scope="module")
def shorter() -> BaselineCheck:
    """Check a baseline on more processors than the site let run at once."""
    return check_baseline(baseline_of(waits_on(SMALLER), queue=QUEUES))


def test_equal_waits_are_similar() -> None:
    check = check_baseline(baseline_of(waits_on(MACHINE)))
    assert (check.answer, check.ranks, check.apart) == ("alike", 1.0, 0.0)
    assert check.is_our_queue is True


def test_more_busy_processors_than_exist_are_reported() -> None:
    check = check_baseline(baseline_of([0.0] * JOBS))
    assert check.answer == "impossible"
    assert check.is_our_queue is None
    assert check.most_busy > MACHINE
    assert f"up to {check.most_busy} of {MACHINE} processors" in check.sentence


def test_a_log_with_shorter_waits_is_reported() -> None:
    halves = [wait / 2 for wait in waits_on(MACHINE)]
    check = check_baseline(baseline_of(halves, allocated_processors=[1] * JOBS))
    assert check.answer == "longer"


def test_no_factor_is_stated_if_one_side_never_waits() -> None:
    log = workload(wait_time=waits_on(SMALLER))
    never = check_baseline(simulate(log, "easy", platform=Platform.of(9 * JOBS)))
    nobody = check_baseline(baseline_of([0.0] * JOBS, allocated_processors=[1] * JOBS))
    assert (never.answer, nobody.answer) == ("shorter", "longer")
    for check in (never, nobody):
        assert " inf " not in check.sentence
        assert "times as long" not in check.sentence
        assert "0.0 s" in check.sentence


def test_equal_means_over_different_jobs_are_not_similar() -> None:
    others = waits_on(MACHINE)[40:] + waits_on(MACHINE)[:40]
    check = check_baseline(baseline_of(others, allocated_processors=[1] * JOBS))
    assert (check.answer, check.apart) == ("others", 0.0)
    assert "different jobs wait" in check.sentence


def test_a_workload_without_waits_cannot_be_compared() -> None:
    check = check_baseline(baseline_of([None] * JOBS))
    assert (check.answer, check.is_our_queue) == ("unknown", None)
    assert check.sentence.endswith("made: no waits are recorded.")
    assert check.tables() == []
    assert (check.base, check.about_base) == (None, "")
    with pytest.raises(PredAwareError, match="nothing to draw"):
        check.plot()


def test_invalid_waits_count_as_missing() -> None:
    half = [wait if wait % 2 else "long" for wait in range(JOBS)]
    check = check_baseline(baseline_of(half))
    assert check.reason == "the log has the waits of only 200 of 400 jobs"


def test_a_check_states_the_ratio_of_waits_and_can_be_pickled(
    shorter: BaselineCheck,
) -> None:
    assert (shorter.answer, shorter.is_our_queue) == ("shorter", False)
    assert (
        "The mean wait is 30 h 51 min under easy, and 2 d 7 h in made (median" in shorter.sentence
    )
    assert "that the simulation ignores" in shorter.sentence
    assert pickle.loads(pickle.dumps(shorter)) == shorter  # noqa: S301 - our own
    told = msgspec.json.decode(msgspec.json.encode(shorter.to_dict()))
    assert told["answer"] == "shorter"
    assert {group["name"] for group in told["groups"]} == {"short", "long"}
    assert told["in_words"][0] == shorter.sentence


def test_tables_and_picture_show_both_sides(shorter: BaselineCheck) -> None:
    waits, queues = shorter.tables()
    assert waits.columns == ("", "in the log", "under easy")
    assert sorted(row[0] for row in queues.rows) == ["long", "short"]
    assert len(shorter.plot().axes) == 4
    assert shorter.recorded is not None
    assert shorter.recorded.mean == pytest.approx(sum(waits_on(SMALLER)) / JOBS)


def test_warm_up_jobs_are_left_out_of_the_waits() -> None:
    marks = [number < 50 for number in range(JOBS)]
    check = check_baseline(baseline_of(waits_on(MACHINE), warm_up=marks))
    assert check.recorded is not None
    assert check.recorded.jobs == JOBS - 50


def test_jobs_match_by_number_and_by_name(tmp_path: Path) -> None:
    # one that needs more than there is never runs, so that numbers and places differ
    told = msgspec.json.decode(baseline_of(waits_on(SMALLER), queue=QUEUES).workload.raw.content)
    told["jobs"][9]["res"] = MACHINE + 1
    run = simulate(Workload.of(told, "made"), "easy")
    run.write(tmp_path / "out")
    read = read_run(tmp_path / "out_jobs.csv", name="easy", workload=run.workload)
    assert (run.numbered is None, read.numbered) == (False, None)
    checks = [check_baseline(one) for one in (run, read)]
    assert checks[0].to_dict() == checks[1].to_dict()
    assert checks[0].recorded is not None
    assert checks[0].recorded.jobs == JOBS - 1


def test_the_second_half_determines_whether_the_baseline_fits(shorter: BaselineCheck) -> None:
    halves = [wait * (1.0 if place < JOBS / 2 else 4.0)
              for place, wait in enumerate(waits_on(MACHINE))]  # fmt: skip
    other = check_baseline(baseline_of(halves, allocated_processors=[1] * JOBS))
    assert other.second_half is not None
    assert other.second_half.ratio == pytest.approx(0.25)
    assert (other.base, shorter.base) == ("none", "fitted")
    assert "is unknown" in other.sentences[-1]
    assert "are right for this site" in shorter.sentences[-1]


def test_jobs_submitted_before_the_first_recorded_start_are_not_compared() -> None:
    submitted = workload().raw.arrays.submit
    waits = [1e5 if number < 20 else wait for number, wait in enumerate(waits_on(MACHINE))]
    first = min(date + wait for date, wait in zip(submitted, waits, strict=True))
    early = int((submitted < first).sum())
    check = check_baseline(baseline_of(waits, allocated_processors=[1] * JOBS))
    assert early >= 20
    assert check.recorded is not None
    assert check.recorded.jobs == JOBS - early
