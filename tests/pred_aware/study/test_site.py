"""Studies of a log with its site."""

import dataclasses
from pathlib import Path

import pytest
from msgspec.structs import replace

from pred_aware.campaign.campaign import read_campaign
from pred_aware.errors import PredAwareError
from pred_aware.site_configuration import configured_site
from pred_aware.site_configuration.configured import FindingKind, SiteFinding
from pred_aware.study.content import content_of
from pred_aware.study.study import Study
from schedulers.site.reader import site_of
from schedulers.site.site import Limit, Site
from tests.pred_aware.study.conftest import MakeLog, Studied

SNAPSHOT = Path(__file__).parents[1] / "site_configuration/slurm"
LIMITS = {"limits": [{"of": "jobs", "per": "user", "most": 2, "by": {"3": 1, "never seen": 4}}]}


@pytest.fixture
def site() -> Site:
    return site_of({"name": "Mine", "processors": 16, **LIMITS})


def test_the_rules_of_a_site_are_kept_with_numbers_for_names(
    studied: Studied, make_log: MakeLog, site: Site, tmp_path: Path
) -> None:
    log = make_log(jobs=20)
    found, numbers = (
        studied(log, site=site, names=names, folder=str(names)) for names in (True, False)
    )
    said = str(content_of(found, command=""))
    assert "apply these rules: 2 jobs per user (1 for 3, 4 for never seen)." in said
    assert "The machine has 16 processors (source: --site)." in said
    titles = [getattr(block, "title", "") for one in content_of(found, command="").sections
              for block in one.blocks]  # fmt: skip
    assert "What jobs waited for" in titles
    starts = [one.runs[0].jobs["starting_time"].tolist() for one in (found, numbers)]
    assert starts[0] == starts[1]
    assert "never seen" not in (tmp_path / "False" / "site.toml").read_text()
    campaign = read_campaign(tmp_path / "False" / "campaign.toml")
    assert campaign.log("log").site is not None
    assert campaign.inventory.agenda().to_do == 0


def test_two_sizes_of_the_machine_are_refused(
    studied: Studied, make_log: MakeLog, site: Site
) -> None:
    with pytest.raises(
        PredAwareError, match=r"--site \(16\) and --processors \(8\) give different"
    ):
        studied(make_log(jobs=20), site=site, processors=8)


def test_the_page_names_the_snapshot_and_its_unknown_settings(
    studied: Studied, make_log: MakeLog, tmp_path: Path
) -> None:
    made = configured_site(SNAPSHOT)
    there = {"partitions": (), "nodes": (), "reservations": (), "processors": 16}
    log, site = make_log(jobs=20), replace(made.site, **there)
    for names in (True, False):
        found = studied(log, site=site, configured=made, names=names, folder=str(names))
        said = str(content_of(found, command=""))
        assert "read from a snapshot of tb, Slurm 22.05.8, backfill" in said
        assert "GrpTRES=billing=20: holds jobs above the limit (not modelled)" in said
        assert ("account physics" in said) is names
        told = found.to_dict()["log"]["site"]["base"]
        assert told["scheduler"].startswith("Slurm 22.05.8")
        assert ("physics" in str(told)) is names
        assert ("physics" in (tmp_path / str(names) / "site.toml").read_text()) is names


def test_the_summary_lists_some_of_many_rules_and_the_evidence_says_where_all_are(
    with_shakes: Study, site: Site
) -> None:
    def with_limits(many: int) -> Study:
        limits = tuple(Limit(of="jobs", per="user", most=float(n + 1)) for n in range(many))
        log = dataclasses.replace(with_shakes.log, site=replace(site, limits=limits))
        return dataclasses.replace(with_shakes, log=log)

    few, many = (str(content_of(with_limits(limits), command="")) for limits in (7, 300))
    assert "7 jobs per user" in few
    assert ("10 jobs per user" in many, "11 jobs per user" in many) == (True, False)
    assert "site.toml has all 300 rules" in many
    kinds: list[FindingKind] = ["not modelled"] * 30 + ["not read"]
    findings = tuple(SiteFinding(kind, "a.txt", f"X{n}=1", "?") for n, kind in enumerate(kinds))
    configured = dataclasses.replace(configured_site(SNAPSHOT), findings=findings)
    log = dataclasses.replace(with_shakes.log, configured=configured)
    page = str(content_of(dataclasses.replace(with_shakes, log=log), command=""))
    # those that change results in an unknown way come first
    assert all(one in page for one in ("X30=1", "X8=1", "study.json has all 31 settings"))
    assert "X9=1" not in page
