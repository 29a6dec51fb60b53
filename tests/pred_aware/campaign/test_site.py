"""Campaigns on logs with a site."""

from pathlib import Path

import pytest

from pred_aware.campaign.campaign import read_campaign
from pred_aware.errors import PredAwareError
from pred_aware.execution.simulate import simulate
from pred_aware.log.job_log import read_log
from pred_aware.runs.reading import read_run
from tests.pred_aware.campaign.conftest import POLICIES, WriteCampaign

LIMIT = '[[limits]]\nof = "jobs"\nper = "user"\nmost = {}\n'


def of_a_site(campaign: WriteCampaign, most: int = 1, *, more: str = POLICIES) -> Path:
    path = campaign(more, top="site = 'site.toml'", shakes=0)
    path.with_name("site.toml").write_text(LIMIT.format(most))
    return path


def test_every_policy_keeps_the_site_of_its_log(campaign: WriteCampaign) -> None:
    path = of_a_site(campaign)
    made = read_campaign(path)
    assert made.run(workers=1).made == len(made.policies)
    assert "made: each policy applies the rules of site: 1 job per user." in made.inventory.sites()
    log = read_log(path.with_name("log.swf"))
    kept = made.inventory.specification.store.glob("runs/**/run_stops.csv.gz")
    found = [read_run(file.with_name("run_jobs.csv.gz")).stops for file in kept]
    assert [{*stops["rule"]} for stops in found] == [{"1 job per user"}] * len(made.policies)
    waits = made.runs().set_index("policy")["mean_waiting_time"]
    for policy, wait in waits.items():
        free, on_site = (simulate(log, policy, site=site).figures["mean_waiting_time"]
                         for site in (None, path.with_name("site.toml")))  # fmt: skip
        assert wait == on_site != free


def test_a_changed_site_needs_new_runs_and_its_old_content_finds_the_old(
    campaign: WriteCampaign,
) -> None:
    of_a_site(campaign)
    digests = [read_campaign(of_a_site(campaign, most)).inventory.agenda().to_do for most in (1, 2)]
    assert digests == [2, 2]
    assert read_campaign(of_a_site(campaign, 1)).run(workers=1).made == 2
    assert read_campaign(of_a_site(campaign, 2)).inventory.agenda().to_do == 2
    assert read_campaign(of_a_site(campaign, 1)).inventory.agenda().to_do == 0


def test_options_that_exclude_a_site_are_reported_before_any_run(campaign: WriteCampaign) -> None:
    for more, words in {
        "[policies.easy_bf]\n": "policy 'easy_bf': .* has no option 'site'",
        "[policies.easy]\nsite = 'site.toml'\n": r"a site; set it for a log, as logs\.NAME",
        "[logs.other]\nfile = 'log.swf'\nsite = 'none.toml'\n[policies.easy]\n": "none.toml: No",
    }.items():
        with pytest.raises(PredAwareError, match=words):
            read_campaign(of_a_site(campaign, more=more)).run(workers=1)
