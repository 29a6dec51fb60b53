from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from pred_aware.site_configuration.reading import configured_site
from workload_tools.slurm.conf import read_slurm_conf

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


@settings(max_examples=60)
@given(text=confs())
def test_readers_of_logs_and_of_sites_see_the_same_machine(
    text: str, tmp_path_factory: object
) -> None:
    folder = Path(tmp_path_factory.mktemp("conf"))  # type: ignore[attr-defined]
    (folder / "slurm.conf").write_text(text)
    conf = read_slurm_conf(folder / "slurm.conf")
    site = configured_site(folder).site
    processors = {one.name: one.cores * one.threads for one in site.nodes}
    counts = {one.name: one.count for one in site.nodes}
    assert sum(processors[name] * counts[name] for name in counts) == sum(
        node.cpus for node in conf.nodes.values()
    )
    assert sum(sum(one.gpus.values()) * one.count for one in site.nodes) == sum(
        node.gpus for node in conf.nodes.values()
    )
    [partition] = site.partitions
    assert (not partition.nodes) == (len(conf.partitions["p"]) == len(conf.nodes))
