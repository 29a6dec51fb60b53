"""What determines a run, and what does not."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pred_aware.campaign.run_digest import PARTS, digest_of_run, of_policy, versions_of
from pred_aware.campaign.specification import PolicyOfCampaign
from pred_aware.log.workload import Resample, Shake
from schedulers.machine.block import Block, BlockList
from schedulers.machine.block_file import text_of
from schedulers.options import NEUTRAL


def digest(scheduler: str = "easy", **options: object) -> str:
    return of_policy(PolicyOfCampaign("any", scheduler, options), delays="none").digest


def test_only_values_other_than_the_default_change_the_digest() -> None:
    assert digest() == digest(order="fcfs", candidates="queue")
    assert len({digest(), digest(order="sjf"), digest(max_wait=60), digest("easy_bf")}) == 4


def test_a_newer_option_with_a_neutral_value_keeps_the_digest() -> None:
    for name, value in NEUTRAL.items():
        told = of_policy(PolicyOfCampaign("any", "easy", {name: value}), delays="none").inputs
        assert name not in told["scheduler"]["options"]


def test_lxf_without_a_head_start_keeps_its_old_digest() -> None:
    told = of_policy(PolicyOfCampaign("any", "easy", {"order": "lxf"}), delays="none").inputs
    assert told["scheduler"]["options"]["order"] == {"name": "lxf"}
    assert digest(order="lxf") != digest(order={"name": "lxf", "head_start": 60})


def test_margins_for_all_users_keep_their_old_digest() -> None:
    def told(**margins: object) -> dict[str, Any]:
        predictor = {"name": "median_of", "predictors": [{"name": "safe", **margins}]}
        policy = PolicyOfCampaign("any", "easy", {"estimates": {"backfilling": predictor}})
        made = of_policy(policy, delays="none").inputs["scheduler"]["options"]["estimates"]
        return dict(made["backfilling"]["predictors"][0])

    assert "by" not in told()
    assert told() == told(by=None)
    assert told(by="user")["by"] == "user"


def test_options_of_a_bound_have_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest(max_wait={"backlog": 1}), digest(max_wait={"wait": 60})
    monkeypatch.setattr(
        "pred_aware.campaign.run_digest.PARTS",
        {**PARTS, "max_wait backlog": PARTS["max_wait backlog"] + 1},
    )
    after = digest(max_wait={"backlog": 1}), digest(max_wait={"wait": 60})
    assert (before[0] == after[0], before[1] == after[1]) == (False, True)


def test_a_new_version_of_a_part_changes_only_runs_with_that_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = digest(), digest(predictor="last_two")
    raised = {**PARTS, "predictor LastTwo": 2}
    monkeypatch.setattr("pred_aware.campaign.run_digest.PARTS", raised)
    assert versions_of(["predictor LastTwo"])["predictor LastTwo"] == 2
    after = digest(), digest(predictor="last_two")
    assert (before[0] == after[0], before[1] == after[1]) == (True, False)


def test_libraries_count_for_predictors_that_compute_with_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = digest(predictor="decision_tree"), digest(predictor="last_two")
    monkeypatch.setattr("pred_aware.runs.provenance.version", lambda _: "0.0.1")
    after = digest(predictor="decision_tree"), digest(predictor="last_two")
    assert (before[0] == after[0], before[1] == after[1]) == (False, True)


def test_a_history_counts_by_its_content_and_not_by_its_name(tmp_path: Path) -> None:
    lines = "1 0 5 60 4 -1 -1 4 90 -1 1 7 1 -1 1 -1 -1 -1\n"
    digests = []
    for name, jobs in (("a.swf", lines), ("b.swf", lines), ("c.swf", lines.replace("60", "61"))):
        (tmp_path / name).write_text(f"; MaxProcs: 8\n{jobs}")
        digests.append(digest(predictor="last_two", history=str(tmp_path / name)))
    assert (digests[0] == digests[1], digests[0] == digests[2]) == (True, False)


def test_a_machines_file_counts_by_its_content_and_not_by_its_name(tmp_path: Path) -> None:
    whole, digests = BlockList("m", 4, (Block("all", ((0, 3),)),)), []
    for name, machine in (("a", whole), ("b", whole), ("c", replace(whole, name="n"))):
        (tmp_path / f"{name}.json").write_text(text_of(machine))
        digests.append(digest(machine=str(tmp_path / f"{name}.json")))
    assert (digests[0] == digests[1], digests[0] == digests[2]) == (True, False)
    assert digest(machine=whole) != digest(machine=replace(whole, name="n"))


def test_seed_shift_and_tau_change_the_digest() -> None:
    one = of_policy(PolicyOfCampaign("any", "easy", {}), delays="none")
    copies = (None, Shake(1, 600.0), Shake(2, 600.0), Shake(1, 60.0), Resample(1))
    found = {digest_of_run(one, one, copy=copy, tau=tau) for copy in copies for tau in (10.0, 60.0)}
    assert len(found) == 10


def test_a_run_is_known_by_its_two_parts_its_copy_and_tau() -> None:
    one = of_policy(PolicyOfCampaign("any", "easy", {}), delays="none")
    copies = {None: "as it is", Shake(3, 600.0): "3 600.0", Resample(3): "resample 3 1"}
    for copy, told in copies.items():
        text = f"2\n{one.digest}\n{one.digest}\n{told}\n10.0\n"
        known = hashlib.sha256(text.encode()).hexdigest()
        assert digest_of_run(one, one, copy=copy, tau=10.0) == known, copy
