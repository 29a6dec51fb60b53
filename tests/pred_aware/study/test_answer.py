"""Each kind of log and of result has an answer of its own."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pred_aware.errors import PredAwareError
from pred_aware.recorded_queue.waits import waits_of
from pred_aware.statistics import Difference
from pred_aware.study.study import Study
from tests.pred_aware.study.conftest import MakeLog, Studied
from tests.suites import each_case
from workload_tools.errors import LogError

WAITED = waits_of(np.full(120, 7200.0))


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


def test_gains_and_costs_are_those_of_the_shakes(with_shakes: Study) -> None:
    verdict, wait = with_shakes.verdict, with_shakes.recommended["mean_waiting_time"]
    assert wait.change.shakes == 2
    assert any("Of 5 users" in sentence for sentence in verdict.gains)
    assert len(verdict.costs) == 1
    # the run times are drawn at random, so predictions change nothing
    assert any("100 % of the jobs started as by EASY" in one for one in verdict.compared)


@each_case(
    ("by", "kind", "begins"),
    [
        (-0.25, "better", {"alike": "Yes: ", "unknown": "Yes, if", "impossible": "Worth trying",
                           "shorter": "Worth trying", "longer": "Worth trying"}),
        (0.25, "worse", {"alike": "No: with", "unknown": "No: in a simulated queue that no rec",
                         "impossible": "No: in a simulated", "shorter": "No: in a simulated"}),
        (0.005, "not significant", {"alike": "No significant", "unknown": "No significant"}),
    ],
)  # fmt: skip
def test_the_answer_is_the_sign_of_the_change_and_how_alike_the_queues_are(
    with_shakes: Study, by: float, kind: str, begins: dict[str, str]
) -> None:
    for answer, begin in begins.items():
        check = replace(with_shakes.check, answer=answer, recorded=WAITED, simulated=WAITED)
        verdict = better(replace(with_shakes, check=check), by).verdict
        assert (verdict.kind, verdict.sentence[: len(begin)]) == (kind, begin), answer


def test_a_shorter_mean_with_a_longer_tail_is_mixed(with_shakes: Study) -> None:
    found = better(with_shakes)
    longer = better(with_shakes, 0.5).recommended["p99_waiting_time"]
    measures = {**found.recommended, "p99_waiting_time": longer}
    verdict = replace(found, policies={**found.policies, "recommended": measures}).verdict
    assert verdict.kind == "mixed"


def test_another_queue_than_the_sites_stands_in_the_first_sentence(with_shakes: Study) -> None:
    check = replace(with_shakes.check, answer="shorter", recorded=WAITED, simulated=WAITED)
    found = better(replace(with_shakes, check=check), 0.005)
    one_run = replace(found, rounds=replace(found.rounds, shakes=0))
    assert [one.verdict.kind for one in (found, one_run)] == ["not significant", "one run"]
    for one in (found, one_run):
        assert "not this site's" in one.verdict.sentence
    mostly_other = replace(check, recorded=waits_of(np.full(120, 5e6)))
    assert "58 d" in better(replace(with_shakes, check=mostly_other)).verdict.sentence


def test_logs_of_each_kind_have_an_answer(
    nobody_waits: Study, studied: Studied, make_log: MakeLog
) -> None:
    guessed = {"header": "; UnixStartTime: 1700000000\n", "wait": 60}
    found = {
        name: studied(make_log(**{"jobs": 100, **log}), folder=name)
        for name, log in {
            "few jobs": {**guessed, "jobs": 60},
            "guessed size": {**guessed, "between": 1000},
            "one user": {"users": 1},
            "no users, no walltimes": {"users": 0, "walltime": -1},
        }.items()
    }
    sentences = {name: one.verdict.sentence for name, one in found.items()}
    assert (nobody_waits.verdict.kind, nobody_waits.rounds.shakes) == ("nobody waits", 0)
    assert nobody_waits.rounds.why.startswith("hardly a job waits")
    check = replace(nobody_waits.check, answer="shorter", recorded=WAITED)
    waited = replace(nobody_waits, check=check).verdict.sentence
    assert waited.endswith("for something else than free processors.")
    assert found["few jobs"].verdict.kind == "few jobs"
    recorded = found["few jobs"].to_dict()["recorded_queue"]["in_words"]
    assert recorded[0].endswith("60 jobs are too few to tell.")
    size = found["guessed size"].log.size
    assert f"has {size.processors} processors, which is a guess" in sentences["guessed size"]
    assert "All jobs are of one user" in sentences["one user"]
    bare = found["no users, no walltimes"]
    assert (bare.log.users, bare.verdict.kind, bare.gains) == (0, "one run", {})
    assert (bare.log.walltimes.given, bare.log.walltimes.missing) == (86400.0, 100)
    assert "with the same one for all (1 d)" in bare.verdict.sentence
    assert "the mean bounded slowdown is" in bare.verdict.sentence
    assert bare.runs[0].rejections == {}


def test_a_log_of_no_jobs_that_ran_is_one_clear_error(
    studied: Studied, make_log: MakeLog, tmp_path: Path
) -> None:
    with pytest.raises(LogError, match="has no jobs"):
        studied(make_log(jobs=0))
    log = tmp_path / "none.swf"
    log.write_text("; MaxProcs: 8\n1 0 -1 0 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n")
    with pytest.raises(PredAwareError, match="none of its 1 records is a job that ran"):
        studied(log, folder="none")
