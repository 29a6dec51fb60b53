"""Whose queue a study compares prediction with."""

from pathlib import Path
from typing import Any

import pytest

from pred_aware.campaign.campaign import read_campaign
from pred_aware.errors import PredAwareError
from pred_aware.study.contenders import contenders
from pred_aware.study.content import content_of
from schedulers.site.reader import site_of
from schedulers.site.site import Site
from tests.pred_aware.study.conftest import MakeLog, Studied
from tests.suites import each_case

OLD = {"version": "22.05.8", "priority_weight_age": 1000}
PRIORITY = {"priority_weight_age": 1000, "priority_weight_fairshare": 10000}


def site(**told: Any) -> Site:  # noqa: ANN401 - tables of a site's file
    return site_of({"name": "Mine", "processors": 8, **told})


@each_case(
    ("tables", "names"),
    [
        ({}, ["easy", "easy_predicted", "soft_walltime", "recommended"]),
        ({"slurm": PRIORITY}, ["slurm", "slurm_predicted", "recommended"]),
        ({"openpbs": {}}, ["openpbs", "openpbs_predicted", "recommended"]),
    ],
)
def test_the_sites_scheduler_is_the_baseline(tables: dict[str, Any], names: list[str]) -> None:
    assert [one.name for one in contenders(site(**tables)).policies] == names


def test_the_user_can_choose_the_baseline() -> None:
    stated = site(slurm=PRIORITY)
    assert (
        contenders(stated, base="easy").why
        == "The baseline is EASY, because --baseline selects it."
    )
    assert (
        contenders(None, base="slurm").scheduler == "Slurm's scheduler in its default configuration"
    )
    assert contenders(stated).scheduler == "Slurm's scheduler as Mine configures it"
    # without strict_ordering OpenPBS has no plan
    assert "predictions change nothing" in contenders(site(openpbs={})).why
    assert "predictions" not in contenders(site(openpbs={"strict_ordering": True})).why
    with pytest.raises(PredAwareError, match="--baseline fcfs: must be one of easy, slurm"):
        contenders(stated, base="fcfs")
    # rules are looked for with easy alone
    stated = site(slurm=PRIORITY)
    assert contenders(stated, inferred=True).baseline.name == "easy"
    with pytest.raises(PredAwareError, match="--baseline slurm with --infer-site"):
        contenders(stated, base="slurm", inferred=True)


@pytest.mark.slow
def test_a_study_of_a_slurm_site_compares_slurm_with_itself(
    studied: Studied, make_log: MakeLog, tmp_path: Path
) -> None:
    found = studied(make_log(jobs=120), site=site(slurm=OLD))
    names = ["slurm", "slurm_predicted", "recommended"]
    assert [run.name for run in found.runs] == names[:2]
    assert list(found.policies) == names
    told = found.to_dict()
    assert [told["compared"][one] for one in ("baseline", "judged")] == names[:2]
    assert "because the site states its configuration" in told["compared"]["why"]
    campaign = read_campaign(tmp_path / "out" / "campaign.toml")
    assert campaign.inventory.agenda().to_do == 0
    page = content_of(found, command="")
    assert page.answer is not None
    assert "EASY" not in str(page.answer)
