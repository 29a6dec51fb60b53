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


def test_partitions_in_which_jobs_share_cores_are_known(tmp_path: Path) -> None:
    more = [
        f"PartitionName={name} Nodes=ALL {told}"
        for name, told in (
            ("a", "OverSubscribe=FORCE"), ("b", "oversubscribe=FORCE:2"), ("c", "Shared=force:4"),
            ("d", "OverSubscribe=FORCE:1"), ("e", "OverSubscribe=YES:4"), ("f", ""),
        )
    ]  # fmt: skip
    conf = read_slurm_conf(conf_file(tmp_path, "\n".join([CONF, *more])))
    assert conf.oversubscribed == {"a", "b", "c"}


def test_a_partition_that_there_is_not_is_an_error(tmp_path: Path) -> None:
    conf = read_slurm_conf(conf_file(tmp_path))
    with pytest.raises(LogError, match="has no partition 'debug'; it has all, batch"):
        Sizes("log", unit="cpus", allocated=True, conf=conf, partitions=("debug",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ClusterName=a\n", "has no line that begins with NodeName"),
        ("NodeName=n[1-x] CPUs=4\n", ":1: '1-x' is no|:1: 'n"),
        ("\nNodeName=n1 CPUs=four\n", ":2: invalid literal"),
        ("NodeName=n1 CPUs=4 CoresPerSocket=0\n", ":1: a node needs CPUs"),
    ],
)
def test_what_is_no_conf_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(LogError, match=message):
        read_slurm_conf(conf_file(tmp_path, text))
