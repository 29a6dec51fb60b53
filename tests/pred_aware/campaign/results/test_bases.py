"""Several bases of one log in a campaign."""

from dataclasses import replace

import pytest

from pred_aware.campaign.campaign import read_campaign
from pred_aware.campaign.report import CampaignReport
from pred_aware.campaign.results.bases import AcrossBaselines, OnBaseline
from pred_aware.effects.effect import Effect
from pred_aware.recorded_queue.trust import Verdict
from pred_aware.statistics import Difference, Interval
from tests.pred_aware.campaign.conftest import POLICIES, WriteCampaign

ONE_EACH = '[[limits]]\nof = "jobs"\nper = "user"\nmost = 1\n'
SECOND = "[logs.one_each]\nfile = 'log.swf'\nsite = 'site.toml'\nbase_of = 'made'\n"


def on(base: str, change: float, verdict: Verdict | None) -> OnBaseline:
    old, new = (Interval(mean, None, None, 0.95, 10) for mean in (100.0, 100.0 * (1.0 + change)))
    surely = Difference(change, change - 0.01, change + 0.01, 0.95, 10)
    effect = Effect(policy="new", measure="mean_waiting_time", baseline=old, value=new,
                    change=surely, holm=0.0)  # fmt: skip
    return OnBaseline(base=base, verdict=verdict, ratio=1.0, correlation=0.6, effect=effect)


def of(*several: OnBaseline) -> AcrossBaselines:
    return AcrossBaselines(log="KTH", policy="new", measure="mean_waiting_time", on=several)


def test_a_change_with_one_sign_on_all_baselines_does_not_depend_on_the_rules() -> None:
    found = of(on("counted", -0.3, "none"), on("fitted", -0.1, "fitted"))
    assert found.agree
    assert "All signs agree" in found.sentence


def test_if_signs_differ_the_baseline_closest_to_the_recorded_queue_is_named() -> None:
    found = of(on("counted", -0.3, "none"), on("fitted", 0.06, "fitted"))
    assert not found.agree
    assert "use fitted" in found.sentence
    assert "do not rely on the sign of changes below 7 %" in found.sentence


def test_if_signs_differ_and_no_baseline_is_close_none_is_named() -> None:
    found = of(on("counted", -0.3, "none"), on("fitted", 0.06, "none"))
    assert found.best is None
    assert "no direction can be claimed for this site" in found.sentence


def test_an_insignificant_change_agrees_with_no_baseline() -> None:
    sure = on("counted", -0.3, "none")
    chance = replace(sure, effect=replace(sure.effect, holm=1.0))
    assert not of(sure, chance).agree


@pytest.fixture
def report(campaign: WriteCampaign) -> CampaignReport:
    path = campaign(SECOND + POLICIES, shakes=2)
    path.with_name("site.toml").write_text(ONE_EACH)
    made = read_campaign(path)
    made.run(workers=1)
    return CampaignReport(made)


def test_logs_with_one_baseline_are_shown_together(report: CampaignReport) -> None:
    (found,) = report.to_dict()["bases"]
    assert [one["base"] for one in found["bases"]] == ["made", "one_each"]
    assert found["log"] == "made"
    (table,) = [one for one in report.tables() if one.title == "Several baselines of one log"]
    assert [row[2] for row in table.rows] == ["made", "one_each"]
