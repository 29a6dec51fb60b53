import re
from pathlib import Path

import pytest

from workload_tools.errors import LogError
from workload_tools.slurm.conf import Node, read_slurm_conf
from workload_tools.slurm.sizes import Sizes

CONF = r"""
ClusterName=refs  # a comment
NodeName=DEFAULT CoresPerSocket=8 ThreadsPerCore=2
NodeName=n[01-02] Sockets=2 \
  CPUs=32 State=UNKNOWN
nodename=c1 Sockets=2 CPUs=16
NodeName=g1 Boards=1 SocketsPerBoard=2 CoresPerSocket=16 Gres=gpu:a100:4,gpu:2,lustre:1
NodeName=old CPUs=8 CoresPerSocket=4 Sockets=1 ThreadsPerCore=2
PartitionName=DEFAULT MaxTime=5
PartitionName=batch Nodes=n[01-02],c1 Default=YES
PartitionName=all Nodes=ALL
"""


def conf_file(tmp_path: Path, text: str = CONF) -> Path:
    path = tmp_path / "slurm.conf"
    path.write_text(text)
    return path


def test_nodes_have_cpus_cores_and_gpus(tmp_path: Path) -> None:
    conf = read_slurm_conf(conf_file(tmp_path))
    assert conf.nodes == {
        "n01": Node(32, 16, 0),
        "n02": Node(32, 16, 0),
        "c1": Node(16, 16, 0),  # where a CPU of Slurm is a core
        "g1": Node(64, 32, 6),
        "old": Node(8, 4, 0),
    }
    assert conf.partitions["batch"] == ("n01", "n02", "c1")
    assert len(conf.nodes_of(("all",))) == 5


def test_partitions_with_shared_cores_are_recognised(tmp_path: Path) -> None:
    more = [
        f"PartitionName={name} Nodes=ALL {told}"
        for name, told in (
            ("a", "OverSubscribe=FORCE"), ("b", "oversubscribe=FORCE:2"), ("c", "Shared=force:4"),
            ("d", "OverSubscribe=FORCE:1"), ("e", "OverSubscribe=YES:4"), ("f", ""),
        )
    ]  # fmt: skip
    conf = read_slurm_conf(conf_file(tmp_path, "\n".join([CONF, *more])))
    assert conf.oversubscribed == {"a", "b", "c"}


def test_an_unknown_partition_is_an_error(tmp_path: Path) -> None:
    conf = read_slurm_conf(conf_file(tmp_path))
    with pytest.raises(LogError, match="has no partition 'debug'; it has all, batch"):
        Sizes("log", unit="cpus", allocated=True, conf=conf, partitions=("debug",))


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    for text, message in (
        ("ClusterName=a\n", "has no line that begins with NodeName"),
        ("NodeName=n[1-x] CPUs=4\n", ":1: 'n\\[1-x\\]' is not a list"),
        ("\nNodeName=n1 CPUs=four\n", ":2: node n1: cpus=four is not a number"),
        ("NodeName=n[1-1000000] CPUs=4\n", ":1: .* contains more than 262,144 nodes"),
        (f"NodeName=n[{','.join(['1-1000000'] * 150)}] CPUs=4", "more than 262,144 nodes"),
        ("A=1 \\\n" * 250_000, "a line is longer than 1,048,576 characters"),
        ("Include slurm.conf\n", ":1: slurm.conf includes itself"),
        ("Include gone.conf\n", "the included file gone.conf is missing"),
    ):
        with pytest.raises(LogError) as error:
            read_slurm_conf(conf_file(tmp_path, text))
        assert re.search(message, str(error.value)), (text[:80], str(error.value)[:200])


def test_slurms_notations_are_read(tmp_path: Path) -> None:
    (tmp_path / "more.conf").write_text("NodeName=gen-[1-4] CPUs=16 State=CLOUD Feature=big(2),x\n")
    conf = read_slurm_conf(
        conf_file(
            tmp_path,
            r"""
PartitionName = first Nodes = sets,c[1-2]
NodeName=f[1-9] CPUs=2048 State=FUTURE
include /etc/slurm/more.conf
Include gone.conf
NodeName = c[1-2] CPUs = 16 Gres=gpu,gpu:a100(S:0-1),nvme:2K  # a comment
NodeSet=sets Feature=big
NodeSet=sets Nodes=c1
PartitionName=all Nodes=ALL Comment="n\#1"
""",
        )
    )
    assert sum(node.cpus for node in conf.nodes.values()) == 96
    assert conf.nodes["c1"].gpus == 2
    assert conf.partitions["first"] == (*(f"gen-{number}" for number in range(1, 5)), "c1", "c2")
    assert len(conf.partitions["all"]) == 6
    assert conf.notes == (
        "slurm.conf, line 5: Include gone.conf: the file is missing",
        "slurm.conf: 9 nodes of State=FUTURE are left out",
    )


def test_a_file_can_be_included_twice_and_after_a_tab(tmp_path: Path) -> None:
    (tmp_path / "more.conf").write_text("NodeName=n[1-4] CPUs=8\n")
    text = "Include\tmore.conf\nINCLUDE more.conf\nPartitionName=all Nodes=ALL\n   \\\n "
    assert len(read_slurm_conf(conf_file(tmp_path, text)).nodes_of(("all",))) == 4
