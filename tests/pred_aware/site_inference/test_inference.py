"""Planted rules are found, and none where there is none."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from pred_aware import Site, Workload, infer_site, simulate
from pred_aware.errors import PredAwareError
from pred_aware.recorded_queue.trust import verdict_of
from pred_aware.site_inference.inferred_site import InferredSite
from pred_aware.site_inference.queue_record import QueueRecord
from pred_aware.site_inference.report import blocks
from schedulers.site.site import Limit
from tests.pred_aware.site_inference.planted import HOUR, like, log_of


@cache
def inferred(site: str) -> InferredSite:
    return infer_site(log_of(site))


def test_no_rule_is_found_in_a_queue_of_easy() -> None:
    found = inferred("no rule")
    assert found.taken == ()
    assert (found.site.limits, found.site.windows, found.site.freezes) == ((), (), ())
    assert found.fitted == found.counted
    assert (found.waiting.share, found.unexplained) == (0.0, 0.0)
    assert found.steps == ()


@pytest.mark.slow
def test_waits_in_arrays_equal_those_of_the_jobs_table() -> None:
    workload = log_of("three each")
    record = QueueRecord.of(workload)
    # in another order, and not of all
    part = replace(record, ids=record.ids[::-3])
    run = simulate(workload, "easy")
    told = dict(zip(run.ids_in_workload, run.ran["waiting_time"].tolist(), strict=True))
    waits = [told[job] for job in part.ids.tolist()]
    assert len(set(waits)) > 1
    assert part.waits_in(simulate(workload, "easy")).tolist() == waits


def test_an_injected_limit_is_found_exactly_and_alone() -> None:
    found = inferred("three each")
    (limit,) = found.site.limits
    assert (limit.of, limit.per, limit.most, limit.inferred) == ("jobs", "user", 3.0, True)
    assert (found.site.windows, found.site.freezes) == ((), ())
    assert found.counted[1].ratio < 0.1
    assert found.fitted[1].ratio == pytest.approx(1.0, abs=0.01)
    assert found.verdict == "fitted"


def test_without_recorded_waits_no_mean_is_stated() -> None:
    found = inferred("no rule")
    nothing = replace(like(1.0, 0.0), recorded=0.0, ratio=None)
    found = replace(found, fitted=(nothing, nothing), counted=(nothing, nothing))
    assert "in the second half of the log, no job waited" in found.sentence
    assert any("no rule" in str(block) or "without rules" in str(block) for block in blocks(found))


def test_injected_consecutive_hours_are_found() -> None:
    found = inferred("long at night")
    assert found.verdict == "fitted"
    # nobody who asks for at most an hour was stopped
    (window,) = found.site.windows
    assert window.inferred
    assert (window.days, window.closed) == ("Mon-Fri", "08:00-18:00")
    # no job asks for more than 1 h and at most 3
    assert window.longer_than == HOUR
    assert found.fitted[1].ratio == pytest.approx(1.0, abs=0.02)


def test_a_limit_that_few_jobs_fill_exactly_is_found() -> None:
    found = inferred("processors each")
    (limit,) = found.site.limits
    assert (limit.of, limit.per) == ("processors", "user")
    assert limit.most == pytest.approx(11.0, abs=1.0)
    assert found.fitted[1].correlation > 0.85


def test_downtime_is_not_read_from_the_record() -> None:
    assert inferred("down").site.freezes == ()


def test_a_stated_limit_is_kept_and_no_other_is_inferred() -> None:
    stated = Site(limits=(Limit(of="jobs", per="user", most=4.0),))
    found = infer_site(log_of("three each"), site=stated)
    assert found.site.limits == stated.limits
    assert found.steps[0].evidence == "stated"
    assert not [step for step in found.steps if step.adds == "limits"]


def test_a_log_without_waits_cannot_be_fitted() -> None:
    jobs = [{"id": 1, "subtime": 0, "res": 1, "walltime": 60, "profile": "d"}]
    profiles = {"d": {"type": "delay", "delay": 10}}
    with pytest.raises(PredAwareError, match="the starts of at least 400 jobs"):
        infer_site(Workload.of({"nb_res": 2, "jobs": jobs, "profiles": profiles}))


def test_the_second_half_determines_the_answer() -> None:
    for ratio, correlation, verdict in (
        (0.77, 0.88, "fitted"), (1.1, 0.84, "none"), (0.2, 0.9, "none"), (2.1, 0.9, "none"),
        (1.0, 0.49, "none"),
    ):  # fmt: skip
        assert verdict_of(like(ratio, correlation)) == verdict, (ratio, correlation)
    # nor may the whole log be another queue: a first half with a quarter of the waits is no rule
    for whole, verdict in ((0.49, "none"), (0.51, "fitted"), (2.1, "none")):
        assert verdict_of(like(0.77, 0.88), whole=whole) == verdict, whole
    for unexplained, correlation, verdict in (
        (0.0, 0.7, "fitted"), (0.0, 0.5, "none"), (0.1, 0.7, "none"), (None, 0.7, "none"),
    ):  # fmt: skip
        found = verdict_of(like(1.0, correlation), unexplained=unexplained)
        assert found == verdict, (unexplained, correlation)


def test_jobs_submitted_before_the_first_start_are_not_fitted() -> None:
    whole = QueueRecord.of(log_of("three each"))
    assert whole.begin == 0
    late = float(whole.schedule.submit_time[99]) + 1.0
    schedule = replace(
        whole.schedule, start_time=np.maximum(whole.schedule.start_time, late + 86400.0)
    )
    record = replace(whole, schedule=schedule)
    early = int((schedule.submit_time < late + 86400.0).sum())
    assert (record.begin, record.half) == (early, (early + len(record)) // 2)
