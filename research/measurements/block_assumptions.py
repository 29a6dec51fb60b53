"""What comes out on the blocks of Intrepid or Mira if they were not as is assumed.

    python research/measurements/block_assumptions.py intrepid ANL-Intrepid-2009-1.swf.gz --shakes 4
    python research/measurements/block_assumptions.py mira mira.swf.gz --shakes 4

EASY in the order WFP with walltimes on several shakes of the log, on the blocks as
`pred-aware site machine` writes them and on others: the means, what of the machine was lost and
drained, and how much each changes the mean wait; with ``--accurate`` also what accurate estimates
(a = 1) gain there.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from statistics import mean

from pred_aware import BlockList, Platform, Workload, blue_gene, read_workload, simulate
from pred_aware.metrics import block_use
from pred_aware.statistics import Difference, paired_difference
from workload_tools import read_swf, write_workload

HOURS = 3600.0
MIDPLANE = 4 * 512
"""The processors of a midplane of Intrepid."""
SCHEMES = {"a = 0": "wfp", "a = 1": "wfp_s111"}


def without(machine: BlockList, *, wires: bool = False, sizes: tuple[int, ...] = ()) -> BlockList:
    """Return a machine without the blocks of some sizes, or without any wires."""
    kept = [block for block in machine.blocks if block.size not in sizes]
    if not wires:
        return replace(machine, blocks=tuple(kept))
    bare = {block.processors: replace(block, wires=()) for block in kept}
    return replace(machine, blocks=tuple(bare.values()))


def parted(machine: BlockList) -> BlockList:
    """Return Intrepid with parts of midplanes in all its racks, as it has them in the first."""
    midplanes = [block for block in machine.blocks if block.size == MIDPLANE]
    whole = [block for block in machine.blocks if block.size >= MIDPLANE]
    first = midplanes[0].name.removesuffix("-512")
    parts = [
        block for block in machine.blocks if block.size < MIDPLANE and block.name.startswith(first)
    ]
    everywhere = [
        replace(
            part,
            name=part.name.replace(first, midplane.name.removesuffix("-512")),
            processors=tuple(
                (low + number * MIDPLANE, high + number * MIDPLANE) for low, high in part.processors
            ),
        )
        for number, midplane in enumerate(midplanes)
        for part in parts
    ]
    return replace(machine, blocks=(*whole, *everywhere))


def variants(name: str) -> Iterator[tuple[str, BlockList | None]]:
    """Yield machines, what is assumed first; ``None`` is one that is counted."""
    machine = blue_gene(name)
    yield "as assumed", machine
    yield "no wires: blocks exclude each other by midplanes alone", without(machine, wires=True)
    if name == "intrepid":
        parts = tuple(MIDPLANE // share for share in (2, 4, 8))
        yield "parts of midplanes everywhere", parted(machine)
        yield "no parts: 64, 128 and 256 nodes take a midplane", without(machine, sizes=parts)
        yield "no blocks of 4,096: they take a row", without(machine, sizes=(8 * MIDPLANE,))
        yield (
            "none of 24,576 and 32,768: they take all",
            without(machine, sizes=(48 * MIDPLANE, 64 * MIDPLANE)),
        )
    else:
        yield (
            "no blocks of 12,288 and 24,576: the next larger",
            without(machine, sizes=(12288, 24576)),
        )
        yield "no block of 1,024: they take 2,048", without(machine, sizes=(1024,))
    yield "processors are counted", None


def measured(
    workload: Workload, platform: Platform, blocks: BlockList | None, schemes: tuple[str, ...]
) -> dict[str, float]:
    """Return what is looked at of walltimes and of accurate estimates."""
    found: dict[str, float] = {}
    for scheme in schemes:
        options = {} if blocks is None else {"machine": blocks}
        run = simulate(workload, SCHEMES[scheme], platform=platform, options=options)
        told = run.measures(["mean_waiting_time", "mean_unitless_wait", "mean_slowdown"])
        found |= {f"{scheme}, {name}": value for name, value in told.items()}
        if blocks is not None:
            use = block_use(run, blocks)
            found[f"{scheme}, lost"] = use.lost / use.capacity
            found[f"{scheme}, drained"] = (use.drained or 0.0) / use.capacity
        else:
            found[f"{scheme}, lost"] = run.measures(["lost_capacity"])["lost_capacity"]
    return found


def change(difference: Difference, *, sign: float = -1.0) -> str:
    """Write a gain with its interval, positive where there is less than in the baseline.

    With a `sign` of 1 it is what there is more.
    """
    told = (difference.value, difference.low, difference.high)
    value, low, high = (None if one is None else 100 * sign * one for one in told)
    if value is None:
        return "-"
    if low is None or high is None:
        return f"{value:+.0f} %"
    return f"{value:+.0f} % ({min(low, high):+.0f} to {max(low, high):+.0f})"


def show(rows: dict[str, list[dict[str, float]]], *, accurate: bool) -> None:
    """Print a table of what came out, shake by shake, for each machine."""
    heads = ["blocks", "wait, h", "change", "unitless wait", "slowdown", "lost, %", "drained, %"]
    heads += ["a = 1 gains"] if accurate else []
    print("| " + " | ".join(heads) + " |\n" + "|---" * len(heads) + "|")
    first = [one["a = 0, mean_waiting_time"] for one in next(iter(rows.values()))]
    for label, told in rows.items():
        means = {name: mean(one[name] for one in told) for name in told[0]}
        waits = [one["a = 0, mean_waiting_time"] for one in told]
        # how much longer is the opposite of what is gained
        longer = change(paired_difference(first, waits), sign=1.0)
        cells = [
            label, f"{mean(waits) / HOURS:.2f}", longer,
            f"{means['a = 0, mean_unitless_wait']:.2f}", f"{means['a = 0, mean_slowdown']:.1f}",
            *(f"{100 * means[name]:.1f}" if name in means else "-"
              for name in ("a = 0, lost", "a = 0, drained")),
        ]  # fmt: skip
        if accurate:
            gains = paired_difference(waits, [one["a = 1, mean_waiting_time"] for one in told])
            cells.append(change(gains))
        print("| " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    """Run it, and print a Markdown table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("machine", choices=("intrepid", "mira"))
    parser.add_argument("log", type=Path, help="its log in the Standard Workload Format")
    parser.add_argument("--shakes", type=int, default=4, metavar="N")
    parser.add_argument("--accurate", action="store_true", help="run a = 1, too")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="of what has been run already")
    given = parser.parse_args()
    kept: dict[str, dict[str, float]] = {}
    if given.keep is not None and given.keep.exists():
        kept = json.loads(given.keep.read_text())
    which = "allocated" if given.machine == "intrepid" else "requested"
    log, _ = read_swf(given.log, processors_from=which)
    machines = dict(variants(given.machine))
    schemes = tuple(SCHEMES)[: 1 + given.accurate]
    platform = Platform.of(log.processors or 0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_workload(log, folder / "workload.json")
        workload = read_workload(folder / "workload.json")
        for seed in range(1, given.shakes + 1):
            shaken = workload.shaken(seed)
            for label, blocks in machines.items():
                key = f"{label}, shake {seed}"
                if key not in kept:
                    kept[key] = measured(shaken, platform, blocks, schemes)
                    if given.keep is not None:
                        given.keep.write_text(json.dumps(kept, indent=0))
    rows = {
        label: [kept[f"{label}, shake {seed}"] for seed in range(1, given.shakes + 1)]
        for label in machines
    }
    show(rows, accurate=given.accurate)


if __name__ == "__main__":
    main()
