"""What would be told of sites that are known."""

import numpy as np
import pytest

from pred_aware.recorded_queue.trust import Verdict, error_bar
from pred_aware.site_inference.self_test import (
    Planted,
    SelfTest,
    Told,
    first_jobs,
    planted_sites,
    recorded_by,
    self_test,
    told_of,
)
from tests.pred_aware.site_inference.planted import THREE_EACH, log_of, stream

THREE = Planted(THREE_EACH, known=True)


def said(true: float, fitted: float, verdict: Verdict = "fitted") -> Told:
    return Told(
        site="a limit", known=True, true=true, counted=-0.4, fitted=fitted, with_holds=0.0,
        verdict=verdict, correlation=0.9,
    )  # fmt: skip


def test_a_planted_limit_is_told_right_where_a_machine_without_rules_is_wrong() -> None:
    (told,) = told_of(stream(), {"three each": THREE}, policy="fcfs")
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


def test_nine_of_ten_errors_alike_are_within_the_error_bar() -> None:
    rng = np.random.default_rng(3)
    within = []
    for _ in range(400):
        errors = rng.exponential(30.0, 160).tolist()
        bar = error_bar("held", errors[1:])
        within.append(errors[0] <= bar)
    # those that were tried before are smaller
    assert 0.8 < float(np.mean(within)) < 0.95


def test_where_nothing_is_told_there_is_no_error_bar() -> None:
    assert SelfTest((said(0.1, -0.9, "none"),), None).error is None


def test_the_rest_of_the_sites_is_left_out_when_the_time_is_up() -> None:
    found = self_test(stream(), THREE_EACH, "rules", jobs=800, policy="fcfs", is_over=lambda: True)
    assert [one.site for one in found.told] == ["the rules that were found"]
