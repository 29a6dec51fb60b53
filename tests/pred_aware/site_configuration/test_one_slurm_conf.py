import os
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pred_aware.site_configuration.reading import configured_site
from pred_aware.study.reading import read as read_study
from pred_aware.study.request import Reading
from workload_tools.log import gather
from workload_tools.slurm.conf import read_slurm_conf
from workload_tools.slurm.log import SlurmLog

BLANKS = st.sampled_from(["=", " =", "= ", " = "])


@st.composite
def confs(draw: st.DrawFn) -> str:
    """Draw a slurm.conf with defaults, node sets, continued lines and blanks around =."""
    lines = ["SelectType=select/cons_tres"]
    count = draw(st.integers(1, 4))
    for place in range(count):
        options = {
            "Sockets": draw(st.integers(0, 2)),
            "CoresPerSocket": draw(st.integers(0, 8)),
            "ThreadsPerCore": draw(st.integers(0, 2)),
            "CPUs": draw(st.sampled_from([0, 0, 8, 16])),
        }
        if not any(options.values()):
            options["CPUs"] = 4
        told = [f"{name}{draw(BLANKS)}{value}" for name, value in options.items() if value]
        told.append(
            draw(st.sampled_from(["Gres=gpu", "Gres=gpu:a100:4(S:0)", "Gres=gpu:2,nvme", ""]))
        )
        told.append(
            draw(st.sampled_from(["State=FUTURE", "State=UNKNOWN", f"Feature=f{place}", ""]))
        )
        name = "DEFAULT" if draw(st.integers(0, 5)) == 0 else f"n{place}x[1-{place + 2}]"
        separator = draw(st.sampled_from([" ", " \\\n  "]))
        lines.append(f"NodeName{draw(BLANKS)}{name} {separator.join(told)}  # {place}")
        lines.append(f"NodeSet=s{place} Feature=f{place}")
    lines += ["NodeName=last CPUs=4 Sockets=1 CoresPerSocket=4 ThreadsPerCore=1 State=IDLE"]
    members = draw(st.sampled_from(["ALL", "last", "s0,last", "s1,s2,last", "last,n0x1"]))
    lines.insert(draw(st.integers(0, 3)), f"PartitionName{draw(BLANKS)}p Nodes={members}")
    return "\n".join(lines) + "\n"


SACCT = (
    "JobID|State|Submit|Start|End|TimelimitRaw|AllocCPUS|User|Partition\n"
    "1|COMPLETED|2024-03-01T01:00:00|2024-03-01T01:10:00|2024-03-01T01:40:00|60|1|ann|p\n"
)
EXAMPLES = int(os.environ.get("PRED_AWARE_FUZZ", "15"))


@settings(max_examples=EXAMPLES, deadline=None)
@given(text=confs())
def test_convert_site_and_study_see_the_same_machine(text: str, tmp_path_factory: object) -> None:
    folder = Path(tmp_path_factory.mktemp("conf"))  # type: ignore[attr-defined]
    path, log = folder / "slurm.conf", folder / "sacct.log"
    path.write_text(text)
    log.write_text(SACCT)
    conf = read_slurm_conf(path)
    configured = configured_site(folder)
    site = configured.site
    assert site.size == sum(node.cpus for node in conf.nodes.values())
    assert sum(sum(one.gpus.values()) * one.count for one in site.nodes) == sum(
        node.gpus for node in conf.nodes.values()
    )
    [partition] = site.partitions
    there = conf.nodes.keys() & conf.partitions["p"]
    assert (not partition.nodes) == (len(there) == len(conf.nodes))
    converted = gather(SlurmLog(log, slurm_conf=path))
    of_conf = read_study(Reading(paths=(log,), slurm_conf=path))
    of_site = read_study(Reading(paths=(log,), site=site, configured=configured))
    assert converted.processors == of_conf.size.processors == of_site.size.processors == site.size
    of_partition = gather(SlurmLog(log, slurm_conf=path, partitions=["p"]))
    assert of_partition.processors == sum(conf.nodes[name].cpus for name in there)
    classes = {one.name: one for one in site.nodes}
    names = [*partition.nodes] or [*classes]
    assert of_partition.processors == sum(
        classes[name].cores * classes[name].threads * classes[name].count
        if name in classes
        else classes[name.rstrip("0123456789")].cores * classes[name.rstrip("0123456789")].threads
        for name in names
    )
