"""Each kind of log has a first sentence of its own."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pred_aware.errors import PredAwareError
from pred_aware.recorded_queue.waits import waits_of
from pred_aware.statistics import Difference
from pred_aware.study.study import Study
from tests.pred_aware.study.conftest import MakeLog, Studied
from workload_tools.errors import LogError


def test_who_gains_and_what_it_costs_is_told_in_words(with_shakes: Study) -> None:
    verdict, wait = with_shakes.verdict, with_shakes.recommended["mean_waiting_time"]
    assert wait.change.shakes == 2
    assert any("Of 5 users" in sentence for sentence in verdict.gains)
    (cost,) = verdict.costs
    assert cost.startswith("The longest wait is ")


def test_of_predictions_that_tell_nothing_it_is_said_that_jobs_start_as_by_easy(
    with_shakes: Study,
) -> None:
    # its run times are drawn at random
    sentences = with_shakes.verdict.compared
    assert any("100 % of the jobs started as by EASY" in one for one in sentences)


WAITED = waits_of(np.full(120, 7200.0))


@pytest.mark.parametrize(
    ("answer", "begin"),
    [
        ("alike", "Yes: with predictions"),
        ("unknown", "Yes, if this site's queue is like EASY's"),
        ("impossible", "Worth trying, but what it would gain here is not known"),
        ("shorter", "Worth trying, but what it would gain here is not known"),
        ("longer", "Worth trying, but what it would gain here is not known"),
    ],
)
def test_a_baseline_unlike_the_queue_is_said_first(
    with_shakes: Study, answer: str, begin: str
) -> None:
    waits = {"recorded": WAITED, "simulated": WAITED}
    found = better(replace(with_shakes, check=replace(with_shakes.check, answer=answer, **waits)))
    assert (found.verdict.kind, found.verdict.sentence[: len(begin)]) == ("better", begin)


@pytest.mark.parametrize(
    ("answer", "begin"),
    [
        ("alike", "No: with predictions"),
        ("unknown", "No: in a simulated queue that no recorded wait confirms, with predictions"),
        ("impossible", "No: in a simulated queue that the log's impossible waits do not"),
        ("shorter", "No: in a simulated queue that is not this site's, with predictions"),
    ],
)
def test_that_it_is_worse_in_another_queue_is_said_with_it(
    with_shakes: Study, answer: str, begin: str
) -> None:
    waits = {"recorded": WAITED, "simulated": WAITED}
    check = replace(with_shakes.check, answer=answer, **waits)
    found = better(replace(with_shakes, check=check), by=0.25)
    assert found.verdict.sentence.startswith(begin)


def better(study: Study, by: float = -0.25) -> Study:
    """The same study, but that all measures differ by as much."""
    surely = Difference(by, by - 0.01, by + 0.01, 0.95, 10)
    measures = {
        name: replace(
            one,
            change=surely,
            holm=0.0,
            value=replace(one.value, value=(1.0 + by) * (one.baseline.value or 0.0)),
        )
        for name, one in study.recommended.items()
    }
    return replace(study, policies={**study.policies, "recommended": measures})


def test_of_waits_for_other_things_only_a_small_part_is_said_to_be_shorter(
    with_shakes: Study,
) -> None:
    waited = waits_of(np.full(120, 5e6))
    check = replace(with_shakes.check, answer="shorter", recorded=waited, simulated=WAITED)
    sentence = better(replace(with_shakes, check=check)).verdict.sentence
    assert sentence.startswith("Only a small part of these waits would be shorter")
    assert "but in the log 58 d, mostly for something else" in sentence


@pytest.mark.parametrize(
    ("by", "kind", "begin"),
    [
        (0.25, "worse", "No: in a simulated queue that no recorded wait confirms, with pre"),
        (0.005, "not significant", "No significant difference"),
    ],
)
def test_what_is_worse_or_cannot_be_told_is_said_so(
    with_shakes: Study, by: float, kind: str, begin: str
) -> None:
    verdict = better(with_shakes, by).verdict
    assert (verdict.kind, verdict.sentence[: len(begin)]) == (kind, begin)


def test_a_shorter_mean_with_a_longer_tail_depends_on_who_counts(with_shakes: Study) -> None:
    found = better(with_shakes)
    longer = better(with_shakes, 0.5).recommended["p99_waiting_time"]
    measures = {**found.recommended, "p99_waiting_time": longer}
    verdict = replace(found, policies={**found.policies, "recommended": measures}).verdict
    assert (verdict.kind, ", but the wait that 1 %" in verdict.sentence) == ("mixed", True)


def test_no_shakes_are_no_answer_yet(studied: Studied, make_log: MakeLog) -> None:
    found = studied(make_log())
    assert (found.verdict.kind, found.gains) == ("one run", {})
    assert found.verdict.sentence.startswith("Not sure yet: in one run of each, in a simulated ")


def test_where_nobody_waits_there_is_nothing_to_gain(studied: Studied, make_log: MakeLog) -> None:
    found = studied(make_log(between=10**6, wait=0))
    assert found.verdict.kind == "nobody waits"
    assert found.verdict.sentence.startswith("There is nothing to gain: simulated under EASY")


def test_waits_for_something_else_than_processors_are_told(
    studied: Studied, make_log: MakeLog
) -> None:
    sentence = studied(make_log(between=10**6, wait=7200)).verdict.sentence
    assert sentence.endswith("2 h, so jobs wait there for something else than free processors.")


def test_a_log_of_one_job_is_too_little(studied: Studied, make_log: MakeLog) -> None:
    found = studied(make_log(jobs=1), shakes=2)
    assert found.verdict.sentence.startswith("Too few jobs to say anything: 1 job")


def test_a_guessed_size_stands_in_the_first_sentence(studied: Studied, make_log: MakeLog) -> None:
    found = studied(make_log(header="; UnixStartTime: 1700000000\n", wait=60, between=1000))
    size = found.log.size.processors
    begin = f"If the machine has {size} processors, which is a guess: "
    assert found.verdict.sentence.startswith(begin)


def test_few_jobs_on_a_machine_of_unknown_size_are_told(
    studied: Studied, make_log: MakeLog
) -> None:
    found = studied(make_log(header="; UnixStartTime: 1700000000\n", jobs=60, wait=60))
    assert found.to_dict()["recorded_queue"]["in_words"][0].endswith("60 jobs are too few to tell.")


@pytest.mark.parametrize("kind", ["one run", "not significant"])
def test_a_queue_that_is_not_the_sites_stands_in_the_first_sentence(
    with_shakes: Study, kind: str
) -> None:
    check = replace(with_shakes.check, answer="shorter", recorded=WAITED, simulated=WAITED)
    found = better(replace(with_shakes, check=check), 0.005)
    if kind == "one run":
        found = replace(found, rounds=replace(found.rounds, shakes=0))
    assert found.verdict.kind == kind
    assert "in a simulated queue that is not this site's, " in found.verdict.sentence


def test_in_one_run_the_slowdown_is_told_with_the_wait(studied: Studied, make_log: MakeLog) -> None:
    assert "and the mean bounded slowdown is" in studied(make_log()).verdict.sentence


def test_a_log_of_one_user_is_about_that_user(studied: Studied, make_log: MakeLog) -> None:
    assert studied(make_log(users=1)).verdict.sentence.startswith("All jobs are of one user")


def test_without_walltimes_all_get_the_same_and_the_answer_says_so(
    studied: Studied, make_log: MakeLog
) -> None:
    found = studied(make_log(walltime=-1))
    assert (found.log.walltimes.given, found.log.walltimes.missing) == (86400.0, 120)
    assert "EASY was simulated with the same one for all (1 d)" in found.verdict.sentence
    assert found.runs[0].rejections == {}


def test_a_log_without_users_is_studied(studied: Studied, make_log: MakeLog) -> None:
    found = studied(make_log(users=0))
    assert (found.log.users, found.verdict.kind) == (0, "one run")


def test_an_empty_log_is_one_clear_error(studied: Studied, make_log: MakeLog) -> None:
    with pytest.raises(LogError, match="has no jobs"):
        studied(make_log(jobs=0))


def test_a_log_of_which_no_job_ran_is_one_clear_error(studied: Studied, tmp_path: Path) -> None:
    log = tmp_path / "none.swf"
    log.write_text("; MaxProcs: 8\n1 0 -1 0 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n")
    with pytest.raises(PredAwareError, match="none of its 1 records is a job that ran"):
        studied(log)
