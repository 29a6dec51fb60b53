"""The site of an OpenPBS, of outputs in the forms that its manual has."""

import shutil
from pathlib import Path

import pytest

from pred_aware.site_configuration import ConfiguredSite, configured_site
from schedulers.site.reader import read_site
from schedulers.site.site import SiteError
from tests.pred_aware.command import Command
from tests.pred_aware.site_configuration.stand_in import Refusal, install

RECORDED = Path(__file__).with_name("pbs")
UNAUTHORISED: Refusal = (159, "qmgr obj= svr=default: Unauthorized Request")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(RECORDED, tmp_path / "here")


def told(made: ConfiguredSite, kind: str) -> list[str]:
    return [str(one) for one in made.findings if one.kind == kind]


def test_queues_are_partitions_of_their_nodes_or_of_nodes_without_a_queue() -> None:
    site = configured_site(RECORDED).site
    assert [(one.name, one.count, one.memory) for one in site.nodes] == [
        ("c", 4, 62.5),
        ("g", 2, 128.0),
    ]
    work, gpu = site.partitions
    assert (work.nodes, work.default, work.max_walltime) == (("c",), True, 86400.0)
    assert (gpu.nodes, gpu.max_processors, gpu.priority_tier) == (("g",), 16, 50)
    assert (work.default_walltime, gpu.default_walltime) == (7200.0, 3600.0)


def test_limits_come_from_the_server_and_the_queues() -> None:
    limits = configured_site(RECORDED).site.limits
    assert {(one.of, one.per, one.most, *one.by, *one.only) for one in limits} == {
        ("jobs", "user", 10.0, "ann"), ("jobs", "all", 200.0), ("processors", "group", 64.0),
        ("submitted", "user", 1000.0), ("jobs", "user", 4.0, "partition"),
    }  # fmt: skip


def test_the_scheduler_and_shares_come_from_sched_priv() -> None:
    site = configured_site(RECORDED).site
    pbs = site.openpbs
    assert pbs is not None
    assert (pbs.strict_ordering, pbs.backfill_depth, pbs.by_queue) == (True, 5, True)
    assert (pbs.fairshare_decay_time, pbs.max_starve) == (43200.0, 172800.0)
    assert {(one.account, one.user): one.shares for one in site.associations} == {
        ("physics", None): 60, ("chemistry", None): 40, ("physics", "ann"): 30,
        ("physics", "bob"): 70, ("chemistry", "eve"): 100,
    }  # fmt: skip


def test_starving_jobs_are_helped_only_by_some_versions(folder: Path) -> None:
    server = folder / "server.txt"
    text = server.read_text()
    assert "pbs_version = 23.06.06" in text
    for version, helps in (("23.06.06", False), ("20.0.1", True)):
        server.write_text(text.replace("pbs_version = 23.06.06", f"pbs_version = {version}"))
        pbs = configured_site(folder).site.openpbs
        assert pbs is not None
        assert pbs.help_starving_jobs == helps, version


def test_settings_that_a_site_cannot_have_are_reported() -> None:
    made = configured_site(RECORDED)
    assert told(made, "unknown") == ["sched_config, line 28: taste: sweet: unknown to pred-aware"]
    left_out = " ".join(told(made, "not modelled"))
    for what in (
        "max_run_res.fluent",
        "acl_groups",
        "by_queue: False non_prime",
    ):
        assert what in left_out


def test_preemption_is_reported_if_a_queue_is_express(folder: Path) -> None:
    queues = folder / "queues.txt"
    text = queues.read_text()
    assert "Priority = 50" in text
    for priority, preempts in ((149, False), (150, True)):
        queues.write_text(text.replace("Priority = 50", f"Priority = {priority}"))
        left_out = " ".join(told(configured_site(folder), "not modelled"))
        assert ("preemptive_sched" in left_out) == preempts, priority


def test_without_root_a_snapshot_has_no_sched_priv(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = {"PBS_HOME": str(tmp_path / "home")}
    install(
        "pbs", RECORDED, tmp_path / "bin", environment=home,
        refusing={"qmgr.txt": UNAUTHORISED},
    )  # fmt: skip
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("PBS_HOME", home["PBS_HOME"])
    code, out, _ = command("site", "snapshot", "pbs", "-o", tmp_path / "here")
    assert (code, out.count("failed ")) == (0, 4)
    assert "unknown: shares" in out
    made = configured_site(tmp_path / "here")
    assert made.site.limits == configured_site(RECORDED).site.limits
    assert {one.where for one in made.findings if one.kind == "not read"} >= {
        "sched_config", "resource_group",
    }  # fmt: skip


def test_qmgr_alone_gives_the_same_limits(folder: Path) -> None:
    for name in ("server.txt", "queues.txt"):
        (folder / name).unlink()
    limits = configured_site(folder, "pbs").site.limits
    assert [(one.of, one.per, one.most) for one in limits] == [
        ("jobs", "user", 10.0), ("jobs", "all", 200.0), ("jobs", "user", 4.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("resource_group", "", "half a line\n", "line 7: half a line: must have a name, a number"),
        ("resource_group", "", "lab 60 root x\n", "line 7: lab 60 root x: 'x' is not a whole"),
        (
            "queues.txt",
            "Queue: gpu",
            "Queue: gpu\n    max_run = [u=x]",
            "max_run=[u=x]: the text has",
        ),
        ("sched_config", "12:00:00", "x", "fairshare_decay_time: x: 'x' is not"),
        ("sched_config", "factor: 0.7", "factor: 7", "fairshare_decay_factor=7.0: expected"),
    ],
)
def test_an_unreadable_value_is_reported_and_the_rest_is_read(
    folder: Path, file: str, old: str, new: str, told: str
) -> None:
    text = (folder / file).read_text()
    (folder / file).write_text(text.replace(old, new, 1) if old else text + new)
    site = configured_site(folder)
    assert [one.kind for one in site.findings if told in str(one)] == ["not read"]
    assert len(site.site.partitions) == len(configured_site(RECORDED).site.partitions)


def test_a_site_file_is_made_from_a_folder(command: Command, tmp_path: Path) -> None:
    code, out, _ = command("site", "pbs", RECORDED, "-o", tmp_path / "site.toml")
    assert (code, "OpenPBS 23.06.06, strict order" in out) == (0, True)
    assert read_site(tmp_path / "site.toml") == configured_site(RECORDED).site


def test_a_folder_of_another_batch_system_is_refused(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text("ClusterName=a\n")
    with pytest.raises(SiteError, match=r"has no snapshot files, such as server.txt"):
        configured_site(tmp_path, "pbs")


def test_nodes_are_read_from_texts_and_from_pbss_broken_json(tmp_path: Path) -> None:
    (tmp_path / "qmgr.txt").write_text(
        "create queue q\nset queue q resources_max.walltime = 7:00:00:00\n"
    )
    good = '{"nodes":{"n1":{"resources_available":{"ncpus":8,"mem":"16gb"},"comment":"x"}}}'
    for file, text, processors in (
        ("nodes.json", good.replace('"16gb"', '"16gb","rack":007'), 8),
        ("nodes.json", good.replace("}}}}", '},"last":007}}}'), 8),
        ("nodes.json", good.replace("x", 'disk "2", a: "b" slow'), 8),
        ("nodes.json", good.replace("8", '"<various>"'), 0),
        ("nodes.json", '{"nodes":[]}', 0),
        ("nodes.json", '{"nodes":{"n1":', 0),
        ("nodes.txt", "n1\n     Mom = n1\n     resources_available.ncpus = 8\n", 8),
    ):
        (tmp_path / file).write_text(text)
        found = configured_site(tmp_path)
        assert sum(one.cores * one.count for one in found.site.nodes) == processors, text
        told = [str(one) for one in found.findings if one.kind == "not read" and file in str(one)]
        assert bool(told) == (not processors), (text, told)
        assert ("pbsnodes -av" in "".join(told)) == (not processors), (text, told)
        (tmp_path / file).unlink()
        assert found.site.partitions[0].max_walltime == 7 * 86400


def test_only_a_node_of_another_form_is_left_out(folder: Path) -> None:
    node = '{"resources_available": {"ncpus": 4}}'
    (folder / "nodes.json").write_text(
        f'{{"nodes": {{"a": 5, "b": {node}, "c": [], "d": {node}}}}}'
    )
    site = configured_site(folder)
    assert sum(one.count for one in site.site.nodes) == 2
    told = [str(one) for one in site.findings if "has no resources_available" in str(one)]
    assert [one.split(":")[0] for one in told] == ["nodes.json, node a", "nodes.json, node c"]
