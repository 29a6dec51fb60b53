"""The site of a Slurm of one machine, of what its commands really said."""

import shutil
from pathlib import Path

import pytest

from pred_aware.site_configuration import ConfiguredSite, configured_site
from pred_aware.site_configuration.slurm.keys import NOT_MODELLED
from schedulers.site.reader import content_of, read_site
from tests.pred_aware.command import Command

RECORDED = Path(__file__).with_name("slurm")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(RECORDED, tmp_path / "here")


def told(made: ConfiguredSite, kind: str) -> list[str]:
    return [str(one) for one in made.findings if one.kind == kind]


def test_partitions_have_their_configured_settings() -> None:
    made = configured_site(RECORDED)
    batch, long, odd = made.site.partitions
    assert (batch.default, batch.nodes, batch.default_walltime) == (True, (), 600.0)
    assert (long.whole, long.max_nodes, long.priority_tier) == (True, 1, 5)
    assert (long.accounts, long.qos) == (("physics", "sub"), ("normal", "part"))
    assert odd.billing == {"cpu": 1.0, "mem": 0.25}
    assert any("minnodes=2: smaller jobs get this many nodes" in one
               for one in told(made, "not modelled"))  # fmt: skip


def test_limits_of_accounts_include_their_children_and_limits_of_users_are_inherited() -> None:
    limits = configured_site(RECORDED).site.limits
    physics = [one for one in limits if one.only.get("project") == ("physics", "sub")]
    assert {one.most for one in physics} == {8.0}
    of_carol = [one for one in limits if "carol:sub" in one.by]
    assert [(one.of, one.by) for one in of_carol] == [("jobs", {"carol:sub": 7.0})]


def test_limits_of_a_qos_with_denyonlimit_refuse_and_replace_those_of_associations() -> None:
    limits = configured_site(RECORDED).site.limits
    short = [one for one in limits if one.only == {"qos": ("short",)}]
    assert {(one.of, one.most, one.above) for one in short} == {
        ("nodes", 2.0, "rejected"), ("jobs", 2.0, "rejected"), ("processors", 3.0, "rejected"),
        ("memory", 100.0, "rejected"), ("walltime", 300.0, "rejected"),
    }  # fmt: skip
    walls = [one for one in limits if one.of == "walltime" and one not in short]
    assert [one.exempt for one in walls] == [{"qos": ("short",)}]


def test_indents_determine_the_tree_of_shares(folder: Path) -> None:
    (sub,) = (one for one in configured_site(folder).site.associations if one.account == "sub"
              and one.user is None)  # fmt: skip
    assert (sub.parent, sub.shares) == ("physics", 5)
    text = (folder / "associations.txt").read_text()
    (folder / "associations.txt").write_text(text.replace("| ", "|").replace("| ", "|"))
    assert configured_site(folder).site.associations == configured_site(RECORDED).site.associations


def test_unknown_and_unmodelled_settings_are_reported(folder: Path) -> None:
    config = (folder / "config.txt").read_text()
    config = config.replace("preempt/none", "preempt/qos").replace("bf_continue", "bf_novelty=3")
    (folder / "config.txt").write_text(f"{config}ScheduleByTaste = yes\n")
    made = configured_site(folder)
    unknown = told(made, "unknown")
    assert any("bf_novelty=3" in one for one in unknown)
    assert any("ScheduleByTaste=yes" in one for one in unknown)
    assert any("PreemptType=preempt/qos" in one for one in told(made, "not modelled"))
    assert made.without_effect > 150


def test_a_setting_printed_for_none_gives_no_finding(folder: Path) -> None:
    config = (folder / "config.txt").read_text()
    before = told(configured_site(folder), "not modelled")
    names = [name for name, (off, effect) in NOT_MODELLED.items() if off and effect != "-"]
    (folder / "config.txt").write_text(config + "".join(f"{name} = (null)\n" for name in names))
    assert told(configured_site(folder), "not modelled") == before


def test_settings_that_no_scheduler_follows_are_reported(tmp_path: Path) -> None:
    for setting, what, kind in (
        ("OverTimeLimit=5", "OverTimeLimit=5 min: jobs may run this long past", "not modelled"),
        ("SchedulerParameters=bf_min_prio_reserve=7", "=bf_min_prio_reserve=7", "not modelled"),
        ("PriorityFlags=INCR_ONLY", "priorities never decrease", "not modelled"),
        ("SchedulerParameters=bf_interval=9", "bf_continue is not set", "assumed"),
    ):
        settings = (
            f"SchedulerParameters=bf_continue\n{setting}\nPriorityType=priority/multifactor\n"
        )
        (tmp_path / "slurm.conf").write_text(f"{NODES}{settings}")
        assert any(what in one for one in told(configured_site(tmp_path), kind)), setting


def test_private_and_hidden_data_is_reported_and_read_from_slurm_conf(folder: Path) -> None:
    config = (folder / "config.txt").read_text()
    config = config.replace("PrivateData             = none", "PrivateData = accounts,nodes")
    (folder / "config.txt").write_text(config)
    nodes = (folder / "nodes.txt").read_text()
    (folder / "nodes.txt").write_text(nodes[: nodes.index("NodeName=n3")])
    made = configured_site(folder)
    unread = " ".join(told(made, "not read"))
    assert "PrivateData=accounts,nodes: users who are not operators see only" in unread
    assert "1 nodes of slurm.conf, such as n3: scontrol does not show them" in unread
    assert made.site.size == configured_site(RECORDED).site.size


def test_a_real_configuration_has_no_unknown_setting() -> None:
    assert told(configured_site(RECORDED), "unknown") == []


def test_limits_that_are_not_enforced_are_ignored(folder: Path) -> None:
    config = (folder / "config.txt").read_text()
    (folder / "config.txt").write_text(config.replace("associations,limits,qos", "associations"))
    made = configured_site(folder)
    assert {one.of for one in made.site.limits} == {"licences"}
    assert any("without 'limits'" in one for one in told(made, "assumed"))


def test_slurm_conf_alone_gives_the_same_nodes_and_settings(folder: Path) -> None:
    for path in folder.iterdir():
        if path.name != "slurm.conf":
            path.unlink()
    alone, whole = configured_site(folder).site, configured_site(RECORDED).site
    assert alone.size == whole.size
    assert alone.slurm is not None
    assert whole.slurm is not None
    assert alone.slurm.bf_interval == whole.slurm.bf_interval == 2
    # its partitions were made later, by scontrol
    assert alone.partitions[0] == whole.partitions[0]


NODES = """\
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
NodeName=DEFAULT Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=65536
NodeName=c[01-02] CPUs=32
NodeName=c03 CPUs=16 # cores alone
NodeName=g[1-2] CPUs=32 MemSpecLimit=4096 Gres=gpu:a100:4(S:0-1),nvme:1 Feature=ib,a100 Weight=9
NodeName=late[1-9] State=FUTURE
PartitionName=DEFAULT MaxTime=2-0 State=UP
PartitionName=all Nodes=ALL Default=YES OverSubscribe=FORCE:2 DefMemPerNode=2048
PartitionName=gpu Nodes=g[1-2] \\
  MaxTime=12:00:00 MaxNodes=2 DenyAccounts=guests
"""


def test_nodes_form_classes_with_threads_gpus_and_memory(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text(NODES)
    made = configured_site(tmp_path)
    kinds = [(one.count, one.cores, one.threads, one.memory) for one in made.site.nodes]
    assert kinds == [(2, 16, 2, 64.0), (1, 16, 1, 64.0), (2, 16, 2, 60.0)]
    gpus = made.site.nodes[2]
    assert (dict(gpus.gpus), gpus.features, gpus.weight) == ({"a100": 4}, ("a100", "ib"), 9)
    everything, gpu = made.site.partitions
    assert (everything.nodes, everything.oversubscribe) == ((), 2)
    assert everything.default_memory_per_node == 2.0
    assert (gpu.nodes, gpu.max_walltime, gpu.max_nodes) == (("g",), 43200.0, None)
    left_out = [str(one) for one in made.findings]
    for what in ("Gres=nvme", "State=FUTURE", "Denyaccounts=guests", "the machine that"):
        assert any(what in one for one in left_out) is (what != "the machine that")


@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        (
            "partitions.txt",
            "MaxTime=1-00:00:00",
            "MaxTime=soon",
            "maxtime=soon: 'soon' is not a time",
        ),
        ("partitions.txt", "PriorityTier=1", "PriorityTier=1.5", "prioritytier=1.5: '1.5' is not"),
        ("nodes.txt", "CoresPerSocket=", "CoresPerSocket=x", "corespersocket=x"),
        ("qos.txt", "normal|0|", "normal|much|", "QOS normal: Priority=much"),
        ("qos.txt", "00:05:00|cpu", f"{'9' * 5000}|cpu", f"MaxWall={'9' * 90}"),
        ("associations.txt", "|50|", "|ten|", "Share=ten: 'ten' is not a whole number"),
        ("config.txt", "PriorityMaxAge ", "PriorityMaxAge = x\nOther", "PriorityMaxAge=x"),
        ("config.txt", "KillWait ", "KillWait = x\nOther", "KillWait=x"),
        ("config.txt", "PriorityWeightTRES ", "PriorityWeightTRES = cpu=x\nOther", "cpu=x"),
        ("config.txt", "SchedulerParameters ", "SchedulerParameters=bf_window=x\nOther", "=x: 'x'"),
        ("config.txt", "PriorityMaxAge ", "PriorityMaxAge = 0\nOther", "priority_max_age=0.0: exp"),
        ("reservations.txt", "StartTime=", "StartTime=x", "StartTime=x"),
        ("licenses.txt", "Total=", "Total=x", "x"),
    ],
)
def test_an_unreadable_value_is_reported_and_the_rest_is_read(
    folder: Path, file: str, old: str, new: str, told: str
) -> None:
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new))
    site = configured_site(folder)
    assert "not read" in [one.kind for one in site.findings if told in str(one)]
    assert max(len(str(one)) for one in site.findings) < 400
    assert len(site.site.partitions) == len(configured_site(RECORDED).site.partitions)


def test_a_site_file_is_made_from_a_folder(command: Command, tmp_path: Path) -> None:
    code, out, _ = command("site", "slurm", RECORDED, "-o", tmp_path / "site.toml")
    assert code == 0
    assert "tb, Slurm 22.05.8, backfill, priority/multifactor" in out
    assert "Flags=DAILY: repeats each day" in " ".join(out.split())
    made = configured_site(RECORDED).site
    assert content_of(read_site(tmp_path / "site.toml")) == content_of(made)
    code, _, err = command("site", "slurm", tmp_path / "nowhere")
    assert (code, err.count("\n")) == (2, 1)
