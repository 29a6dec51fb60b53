"""The answer is one of four, and says no more than the simulated queue supports."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pred_aware.effects.effect import Effect
from pred_aware.errors import PredAwareError
from pred_aware.metrics.table import OF_SIZES
from pred_aware.recorded_queue.trust import ERROR_BAR, verdict_of
from pred_aware.recorded_queue.waits import waits_of
from pred_aware.statistics import Difference, Interval
from pred_aware.study.base import BaselineSimilarity
from pred_aware.study.contenders import contenders
from pred_aware.study.study import Study
from pred_aware.study.verdict import MOST_WORDS, Bar, known_without_shakes
from schedulers.site.reader import site_of
from tests.pred_aware.site_inference.planted import like
from tests.pred_aware.study.conftest import Studied, write_log
from tests.suites import each_case
from workload_tools.errors import LogError

WAITS = {"recorded": 7200.0, "simulated": 4200.0}
WAITED = waits_of(np.full(120, 7200.0))
LARGEST = OF_SIZES[-1]
BAR = ERROR_BAR / 100.0


def changed(one: Effect, by: float, half: float = 0.01) -> Effect:
    """Return an effect with another change and half of its interval."""
    change = Difference(by, by - half, by + half, 0.95, 10)
    value = replace(one.value, value=(1.0 + by) * (one.baseline.value or 0.0))
    return replace(one, change=change, value=value)


def on_base(study: Study, ratio: float = 1.0, correlation: float = 0.95) -> Study:
    """Return a study whose simulated queue is so much like the recorded one."""
    test = like(ratio, correlation)
    base = BaselineSimilarity(test=test, verdict=verdict_of(test), held=0.77)
    check = replace(study.check, answer="others", recorded=WAITED)
    return replace(study, base=base, check=check)


def found(
    study: Study,
    wait: float,
    *,
    large: tuple[float, float] = (0.0, 0.01),
    weighted: float = 0.0,
) -> Study:
    """Return a study in which waits change so: of all, of the largest jobs, of processor time."""
    judged = study.log.contenders.judged
    measures = {
        **study.judged,
        "mean_waiting_time": changed(study.judged["mean_waiting_time"], wait),
        "area_weighted_waiting_time": changed(study.judged["area_weighted_waiting_time"], weighted),
        LARGEST: changed(study.judged[LARGEST], *large),
    }
    return replace(study, policies={**study.policies, judged: measures})


YES = "Yes. Jobs would wait 25 % (±7) less if the scheduler planned with predictions."


@each_case(
    ("wait", "others", "kind", "reason", "headline"),
    [
        (-0.25, {}, "yes", "", YES),
        # the bar reaches beyond -2 %
        (-0.08, {}, "cannot_tell", "error", "Cannot tell. The error of this study is too large"),
        (0.03, {}, "cannot_tell", "error", "Cannot tell. "),
        (BAR - 0.01, {}, "no", "change", "No. Jobs would wait 6 % (±7) longer if the scheduler"),
        (-0.25, {"large": (0.17, 0.05)}, "no", "large jobs",
         "No. With predictions, jobs on more than 2 processors would wait 17 % (±5) longer."),
        (-0.25, {"weighted": 0.1}, "no", "processor time",
         "No. With predictions, waits weighted by processor time would be 10 % (±1) longer."),
        (-0.25, {"large": (0.03, 0.01), "weighted": 0.03}, "yes", "", YES),
        (-0.25, {"large": (0.1, 0.2)}, "cannot_tell", "few large jobs", "Cannot tell. Too few"),
    ],
)  # fmt: skip
def test_the_answer_depends_on_the_error_bar_and_the_price(
    with_shakes: Study, wait: float, others: dict[str, Any], kind: str, reason: str, headline: str
) -> None:
    verdict = found(on_base(with_shakes), wait, **others).verdict
    assert (verdict.kind, verdict.reason) == (kind, reason)
    assert verdict.headline.startswith(headline)
    assert len(verdict.headline.split()) <= MOST_WORDS
    assert bool(verdict.price) == bool(verdict.reordering) == (kind in {"yes", "no"})
    assert bool(verdict.seen) == (kind not in {"yes", "no"})
    # the error is of the queue, which more copies of the log do not make nearer
    assert "perturbed copies" not in verdict.next
    # no simulation makes this error smaller
    assert verdict.next.startswith("Change nothing") or reason not in {"error", "change"}


def test_an_error_bar_is_the_larger_of_interval_and_error(with_shakes: Study) -> None:
    wait = changed(with_shakes.judged["mean_waiting_time"], -0.2, 0.05)
    halves = [bar.half for points in (13.0, 1.0) if (bar := Bar.of(wait, points))]
    assert halves == pytest.approx([0.13, 0.05])
    assert Bar.of(replace(wait, change=Interval.alone(-0.2)), 13.0) is None
    assert Bar(-0.12, 0.05).clause == "jobs would wait 12 % (±5) less"
    assert Bar(-0.004, 0.07).clause == "waits would be the same (±7 %)"


def test_for_another_queue_no_change_is_reported(with_shakes: Study) -> None:
    for ratio, correlation in ((1.1, 0.6), (0.2, 0.95)):
        other = found(on_base(with_shakes, ratio, correlation), -0.31)
        verdict = other.verdict
        assert (verdict.kind, verdict.reason) == ("cannot_tell", "another queue")
        assert "31 %" not in str(verdict)
        assert "--site FILE" in verdict.next
    # the sentence states the waits that the chart shows, unless these are alike
    waits = {name: waits_of(np.full(120, wait)) for name, wait in WAITS.items()}
    for ranks, said in ((0.3, "waited 2 h on average, but 1 h 10 min"), (0.9, "second half")):
        check = replace(other.check, **waits, ranks=ranks)
        told = on_base(with_shakes, 0.7, 0.3)
        assert said in replace(told, check=check).verdict.seen
    slurm = replace(other, log=replace(other.log, format="slurm"))
    assert "pred-aware site snapshot slurm" in slurm.verdict.next
    stated = replace(other.log, format="slurm", site=site_of({"name": "Mine"}))
    assert "correct the site's rules" in replace(other, log=stated).verdict.next


def test_a_different_queue_with_missing_data_needs_input(with_shakes: Study) -> None:
    other, log = on_base(with_shakes, 0.2), with_shakes.log
    logs = {
        "size": replace(log, size=replace(log.size, source="a guess")),
        "walltimes": replace(log, walltimes=replace(log.walltimes, missing=log.walltimes.jobs)),
    }
    for reason, without in logs.items():
        verdict = replace(other, log=without).verdict
        assert (verdict.kind, verdict.reason) == ("need_input", reason)
    contradicted = replace(log, size=replace(log.size, contradicted=True, overfull=0.3))
    # a larger machine shortens waits, so it explains only simulated waits that are too long
    for wait, reason in ((15000.0, "size"), (1500.0, "another queue")):
        check = replace(other.check, simulated=waits_of(np.full(120, wait)))
        verdict = replace(other, check=check, log=contradicted).verdict
        assert (verdict.reason, "30 % of the time" in verdict.seen) == (reason, reason == "size")
    impossible = replace(other, check=replace(other.check, answer="impossible", most_busy=12))
    assert (impossible.verdict.kind, impossible.verdict.reason) == ("need_input", "size")
    # a size that the record confirms is not asked for
    assert found(on_base(replace(with_shakes, log=logs["size"])), -0.25).verdict.kind == "yes"


def test_if_few_jobs_wait_the_answer_is_no(nobody_waits: Study) -> None:
    verdict = nobody_waits.verdict
    assert (verdict.kind, verdict.reason) == ("no", "hardly any waits")
    assert verdict.headline.startswith("No. Jobs hardly wait: ")
    assert nobody_waits.rounds.shakes == 0
    assert nobody_waits.rounds.why.startswith("the answer is known: No.")


def test_without_perturbed_copies_more_time_is_requested(with_shakes: Study) -> None:
    measures = {
        name: replace(one, change=Interval.alone(one.change.value))
        for name, one in with_shakes.judged.items()
    }
    judged = with_shakes.log.contenders.judged
    one_run = replace(with_shakes, policies={**with_shakes.policies, judged: measures}, gains={})
    for study in (one_run, replace(with_shakes, policies={})):
        verdict = on_base(study).verdict
        assert (verdict.kind, verdict.reason) == ("need_input", "time")
        assert "same -o and --minutes" in verdict.next
        assert known_without_shakes(on_base(study)) == ""
        # which would not help on another queue
        other = on_base(study, 0.2)
        assert other.verdict.reason == "another queue"
        assert other.base is not None
        # unless the time was too short to look for rules; copies of the log do not help then
        unfinished = replace(other, base=replace(other.base, unfinished=True))
        assert unfinished.verdict.reason == "time"
        assert known_without_shakes(unfinished) != ""


@each_case(
    ("tables", "condition"),
    [
        ({"slurm": {}}, "with Slurm's soft time limits"),
        ({"slurm": {"version": "25.11.7"}}, "with Slurm's soft time limits"),
        ({"slurm": {"version": "24.11.5"}}, "after an upgrade to Slurm 25.05.4"),
        ({"openpbs": {}}, "with PBS's soft walltimes"),
    ],
)
def test_the_headline_says_how_predictions_are_deployed(
    with_shakes: Study, tables: dict[str, Any], condition: str
) -> None:
    stated = contenders(site_of({"name": "Mine", "processors": 8, **tables}))
    study = found(on_base(with_shakes), -0.25)
    slurm = replace(stated, policies=(stated.baseline, study.log.contenders.policies[1]))
    headline = replace(study, log=replace(study.log, contenders=slurm)).verdict.headline
    assert headline.endswith(f"less {condition}.")
    assert len(headline.split()) <= MOST_WORDS


def test_a_log_of_no_jobs_that_ran_is_one_clear_error(studied: Studied, tmp_path: Path) -> None:
    with pytest.raises(LogError, match="has no jobs"):
        studied(write_log(tmp_path, jobs=0))
    log = tmp_path / "none.swf"
    log.write_text("; MaxProcs: 8\n1 0 -1 0 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n")
    with pytest.raises(PredAwareError, match="none of its 1 records is a job that ran"):
        studied(log, folder="none")
