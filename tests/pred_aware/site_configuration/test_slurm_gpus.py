"""Sites with GPUs and priorities by partition, of slurm.conf and sacctmgr's answers alone."""

from pathlib import Path
from typing import Any

import pytest

import pred_aware as pa
from pred_aware.site_configuration import ConfiguredSite, configured_site

CONF = """\
ClusterName=mine
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=1,bf_resolution=1,bf_continue
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
AccountingStorageTRES=gres/gpu,gres/gpu:a
AccountingStorageEnforce=associations,limits,qos
PriorityType=priority/multifactor
PriorityCalcPeriod=00:00:10
PriorityWeightPartition=1000
PriorityWeightTRES=gres/gpu=100
PriorityFlags=MAX_TRES
NodeName=c[1-2] CPUs=8 RealMemory=8000
NodeName=g[1-2] CPUs=8 RealMemory=8000 Gres=gpu:a:2 Weight=10
PartitionName=low Nodes=ALL Default=YES PriorityJobFactor=10 State=UP
PartitionName=high Nodes=ALL PriorityJobFactor=20 State=UP TRESBillingWeights="CPU=1.0,GRES/gpu=4.0"
"""
SACCTMGR = """\
# sacctmgr show assoc -P
Cluster|Account|User|Partition|Share|Priority|GrpJobs|GrpTRES|MaxJobs|MaxTRES|MaxSubmit|MaxWall|QOS
mine|root|||1||||||||normal
mine|lab|||1|||gres/gpu=3|||||normal
mine|lab|ann||1||||||||normal
# sacctmgr show qos -P
Name|Priority|Flags|UsageFactor|GrpTRES|GrpJobs|MaxTRES|MaxWall|MaxTRESPU|MaxJobsPU|MaxSubmitPU
normal|0||1.000000||||||||
few|0|DenyOnLimit|1.000000|||gres/gpu:a=1|||||
"""


@pytest.fixture
def made(tmp_path: Path) -> ConfiguredSite:
    (tmp_path / "slurm.conf").write_text(CONF)
    (tmp_path / "sacctmgr.txt").write_text(SACCTMGR)
    return configured_site(tmp_path)


def starts(made: ConfiguredSite, *jobs: dict[str, Any]) -> dict[str, float | None]:
    """Return when jobs of a minute start, submitted each a second after the one before."""
    told = [
        {"id": f"j{number}", "subtime": float(number), "res": 1, "walltime": 120.0, "profile": "m",
         "user": "ann", "project": "lab", **job}
        for number, job in enumerate(jobs)
    ]  # fmt: skip
    workload = {"nb_res": 32, "jobs": told, "profiles": {"m": {"type": "delay", "delay": 60.0}}}
    ran = pa.simulate(pa.Workload.of(workload), "slurm", site=made.site).jobs["starting_time"]
    return {str(name): None if start != start else start for name, start in ran.items()}  # noqa: PLR0124


def test_a_limit_of_a_gpu_type_counts_jobs_that_request_the_type(tmp_path: Path) -> None:
    other = "NodeName=h[1-2] CPUs=8 RealMemory=8000 Gres=gpu:b:4\nPartitionName=low"
    (tmp_path / "slurm.conf").write_text(CONF.replace("PartitionName=low", other))
    (tmp_path / "sacctmgr.txt").write_text(SACCTMGR.replace("gres/gpu=3", "gres/gpu:a=2"))
    made = configured_site(tmp_path)
    assert not [one for one in made.findings if "gres" in one.what]
    a, b = ({"node": 1, "gpu": 2, "gpu_type": name} for name in "ab")
    found = starts(made, a, b, a, b, {"node": 1, "gpu": 2})
    late = found.pop("j2")
    assert found == {"j0": 0.0, "j1": 1.0, "j3": 3.0, "j4": 4.0}
    # as long as the first of them runs
    assert late is not None
    assert late >= 60.0


def test_an_exclusive_job_counts_all_gpus_of_its_nodes(made: ConfiguredSite) -> None:
    # so a real 22.05 has it: the account may have 3 GPUs, and each node has 2
    whole = {"node": 1, "exclusive": True, "gpu": 1}
    found = starts(made, whole, {"node": 1, "gpu": 1}, {"node": 1, "gpu": 1}, whole)
    assert (found["j0"], found["j1"]) == (0.0, 1.0)
    assert found["j2"] is not None
    assert 60.0 <= found["j2"] < 121.0
    assert found["j3"] is not None
    # one GPU beside it is all that the limit leaves
    assert found["j3"] >= 61.0


def test_the_configuration_has_no_unknown_or_manual_setting(made: ConfiguredSite) -> None:
    left = [one.effect for one in made.findings if one.kind in ("unknown", "not modelled")]
    assert left == ["jobs of users and accounts without an association are refused; here they run"]
    slurm = made.site.slurm
    assert slurm is not None
    assert (slurm.priority_weight_partition, dict(slurm.priority_weight_tres)) == (
        1000.0,
        {"gres/gpu": 100.0},
    )
    assert {one.name: one.priority_job_factor for one in made.site.partitions} == {
        "low": 10,
        "high": 20,
    }
    assert dict(made.site.partitions[1].billing) == {"cpu": 1.0, "gres/gpu": 4.0}


def test_jobs_without_gpus_use_nodes_with_gpus_last(made: ConfiguredSite) -> None:
    whole = {"res": 8, "node": 1}
    found = starts(made, whole, whole, {"node": 1, "gpu": 2}, {"node": 1, "gpu": 2})
    # the account may have 3 GPUs
    assert [found[f"j{number}"] for number in range(3)] == [0.0, 1.0, 2.0]
    late = found["j3"]
    assert late is not None
    assert late >= 62.0


def test_the_partition_of_a_higher_factor_goes_first(made: ConfiguredSite) -> None:
    everything = {"res": 32, "node": 4}
    low, high = {**everything, "partition": "low"}, {**everything, "partition": "high"}
    found = starts(made, everything, low, high)
    assert found["j2"] is not None
    assert found["j1"] is not None
    assert 60.0 <= found["j2"] < found["j1"]


def test_a_qos_may_refuse_jobs_of_too_many_gpus_of_a_type(made: ConfiguredSite) -> None:
    found = starts(made, {"node": 1, "gpu": 2, "gpu_type": "a", "qos": "few"},
                   {"node": 1, "gpu": 1, "gpu_type": "a", "qos": "few"})  # fmt: skip
    assert found == {"j1": 1.0}


def test_nodes_keep_the_controllers_order(tmp_path: Path) -> None:
    nodes = "NodeName=n[9-11] CPUs=8\nNodeName=a2 CPUs=4\nNodeName=a10 CPUs=2\n"
    (tmp_path / "slurm.conf").write_text(f"ClusterName=mine\n{nodes}PartitionName=p Nodes=ALL\n")
    found = configured_site(tmp_path).site.nodes
    assert [(one.cores, one.count) for one in found] == [(4, 1), (2, 1), (8, 3)]


def test_a_unit_added_by_the_controller_is_not_a_difference(tmp_path: Path) -> None:
    (tmp_path / "slurm.conf").write_text("ClusterName=mine\nKillWait=5\nOverTimeLimit=2\n")
    (tmp_path / "config.txt").write_text("KillWait = 6 sec\nOverTimeLimit = 2 min\n")
    found = configured_site(tmp_path).findings
    assert [one.what for one in found if "which is used" in one.effect] == ["KillWait=5"]
