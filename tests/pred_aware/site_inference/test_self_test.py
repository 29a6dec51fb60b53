"""What would be told of sites that are known."""

from collections.abc import Iterator
from math import inf

import numpy as np
import pytest

from pred_aware.recorded_queue.trust import Verdict, error_bar
from pred_aware.site_inference.self_test import (
    Planted,
    SelfTest,
    SelfTestResult,
    Watch,
    first_jobs,
    planted_sites,
    recorded_by,
    results_of,
    self_test,
)
from tests.pred_aware.site_inference.planted import THREE_EACH, log_of, stream

THREE = Planted(THREE_EACH, known=True)


def said(true: float, fitted: float, verdict: Verdict = "fitted") -> SelfTestResult:
    return SelfTestResult(
        site="a limit", known=True, true=true, counted=-0.4, fitted=fitted,
        verdict=verdict, correlation=0.9,
    )  # fmt: skip


def test_a_planted_limit_is_told_right_where_a_machine_without_rules_is_wrong() -> None:
    (told,) = results_of(stream(), {"three each": THREE}, policy="fcfs")
    assert told.verdict == "fitted"
    assert told.told == pytest.approx(told.true, abs=0.01)
    assert abs(told.counted - told.true) > 0.02


def test_what_is_recorded_is_what_the_site_does() -> None:
    assert recorded_by(log_of("no rule"), THREE).raw.content == log_of("three each").raw.content


def test_every_planted_site_can_be_simulated_and_makes_jobs_wait() -> None:
    part = first_jobs(stream(), 600)
    counted = recorded_by(part, Planted(None, known=True)).jobs["wait_time"].mean()
    for name, site in planted_sites(part).items():
        assert recorded_by(part, site).jobs["wait_time"].mean() > counted, name


def test_the_error_bar_is_of_what_is_told_with_such_a_verdict() -> None:
    far, alike = said(0.1, -0.9), [said(-0.2, -0.65)] * 20
    found = SelfTest((said(-0.2, -0.25), said(0.1, -0.9, "none"), *alike, far), "rules")
    assert found.error == pytest.approx(45.0)
    sentences = list(found.sentences)
    assert "nothing would have been told, true is +10 %" in sentences[1]
    assert sentences[-1].startswith("Error bar of the base: 45 points")
    assert SelfTest((said(0.1, -0.9, "none"),), None).error is None


def test_nine_of_ten_errors_alike_are_within_the_error_bar() -> None:
    rng = np.random.default_rng(3)
    within = []
    for _ in range(400):
        errors = rng.exponential(30.0, 160).tolist()
        bar = error_bar("bare", errors[1:])
        within.append(errors[0] <= bar)
    # those that were tried before are smaller
    assert 0.8 < float(np.mean(within)) < 0.95


def test_what_was_begun_is_left_out_when_the_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    def simulated(*_: object, watch: Watch, **__: object) -> Iterator[SelfTestResult]:
        yield said(-0.2, -0.25)
        watch(1, 2)
        yield said(-0.2, -0.3)

    monkeypatch.setattr("pred_aware.site_inference.self_test.results_of", simulated)
    for until, told in ((0.0, 1), (inf, 2)):
        found = self_test(stream(), THREE_EACH, "rules", jobs=500, until=until)
        assert len(found.told) == told


def test_simulations_end_when_who_watches_them_raises() -> None:
    def watch(*_: int) -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        next(results_of(first_jobs(stream(), 500), {"three each": THREE}, watch=watch))


def test_a_machine_that_is_smaller_for_a_while_holds_the_largest_job_at_last() -> None:
    part = first_jobs(stream(), 500)
    capacity = planted_sites(part)["fewer processors for weeks"].site
    assert capacity is not None
    machine = part.raw.nb_res
    assert min(one.processors for one in capacity.capacity) < machine
    assert capacity.capacity[-1].processors == machine
