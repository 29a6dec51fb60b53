"""What accurate estimates change under the orders WFP and FCFS: paper 004's experiments on a log.

    python benchmarks/paper004.py ANL-Intrepid-2009-1.swf.gz --processors-from allocated
    python benchmarks/paper004.py ANL-Intrepid-2009-1.swf.gz --month 2009-07 ...
    python benchmarks/paper004.py KTH-SP2-1996-2.1-cln.swf.gz --only adjusted ...
    python benchmarks/paper004.py ANL-Intrepid-2009-1.swf.gz --blocks intrepid ...

Runs EASY backfilling in the orders WFP and FCFS with estimates of synthetic accuracy a (the paper's
equation 3), WFP with run times in some roles only (its table II), and WFP with estimates that are
adjusted by past jobs (its section V); prints Markdown tables of wait, unitless wait (wait /
walltime) and slowdown ((wait + run time) / run time): the mean over all jobs, and over those below
the 99th percentile of that figure. Gains are in percent of the first row of the same order, as in
the paper: positive is better. `large` is the mean wait of the jobs that take more than 40 % of the
machine. Processors are counted; with ``--blocks`` all tables come once more, on blocks.
"""

import argparse
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from time import process_time
from types import MappingProxyType
from typing import Any
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from pred_aware import Run, Workload, read_workload, simulate
from pred_aware.statistics import paired_difference
from schedulers.machine.block import BlockList
from schedulers.machine.blue_gene import BLUE_GENES, blue_gene
from workload_tools import Workload as ReadWorkload
from workload_tools import read_swf, write_platform, write_workload

ACCURACIES = (0, 0.25, 0.5, 0.75, 1)
ROLES = ("s001", "s010", "s100", "s110", "s111")
MEANS = tuple(
    f"{statistic}_{quantity}"
    for quantity in ("waiting_time", "unitless_wait", "slowdown")
    for statistic in ("mean", "mean_below_p99")
)
LARGE = 0.4
"""Of the machine: what a large job takes more than."""
MINUTE = 60.0
KINDS = ("head", "queue", "backfilled")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came out of a run.

    Parameters
    ----------
    name
        What the run is called.
    means
        For wait (min), unitless wait and slowdown: the mean over all jobs, and over those below the
        99th percentile; and the mean wait (min) of the large jobs.
    started
        How many jobs started from the head, from the queue, and backfilled.
    seconds
        CPU seconds that the run took.
    """

    name: str
    means: tuple[float, ...]
    started: tuple[int, ...]
    seconds: float


def of_month(workload: ReadWorkload, month: str) -> ReadWorkload:
    """Keep the jobs submitted in a month, such as ``2009-07``, of the machine's time zone."""
    zone: tzinfo = ZoneInfo(workload.time_zone) if workload.time_zone else UTC
    begin = datetime.strptime(month, "%Y-%m").replace(tzinfo=zone)
    following = (begin + timedelta(days=32)).replace(day=1)
    origin = workload.start_time or 0.0
    kept = [
        job
        for job in workload.jobs
        if begin.timestamp() <= origin + job.submit_time < following.timestamp()
    ]
    if not kept:
        raise SystemExit(f"no job was submitted in {month}")
    first = kept[0].submit_time
    moved = [replace(job, submit_time=job.submit_time - first) for job in kept]
    return replace(workload, jobs=moved, start_time=origin + first)


def means_of(result: Run) -> tuple[float, ...]:
    """Return the means of an `Outcome`."""
    found = result.measures(MEANS)
    in_minutes = (
        value / MINUTE if "waiting_time" in name else value for name, value in found.items()
    )
    ran = result.ran
    large = ran["requested_number_of_resources"] > LARGE * result.processors
    return (*in_minutes, ran["waiting_time"][large].mean() / MINUTE)


@dataclass(frozen=True, slots=True)
class Setting:
    """What is simulated: the workload in a folder, and on which machine.

    Parameters
    ----------
    folder
        Where workload and platform are.
    blocks
        The blocks of the machine; ``None`` where processors are counted.
    """

    folder: Path
    blocks: BlockList | None = None


def run(
    name: str,
    setting: Setting,
    scheduler: str,
    options: dict[str, Any],
    *,
    workload: Workload | None = None,
) -> Outcome:
    """Run a scheduler on the workload of a setting, or on another in its place."""
    folder = setting.folder
    if setting.blocks is not None:
        options = {**options, "machine": setting.blocks}
    began = process_time()
    result = simulate(
        read_workload(folder / "workload.json") if workload is None else workload,
        scheduler,
        platform=folder / "platform.xml",
        options=options,
    )
    seconds = process_time() - began
    started = tuple(int(result.summary[f"started_as_{kind}"]) for kind in KINDS)
    return Outcome(name, means_of(result), started, seconds)


def gain(base: float, new: float) -> str:
    """Write a value and by how much less it is than the base, in percent of the base."""
    value = f"{new:#.3g}".rstrip(".")
    return f"{value} ({100 * (base - new) / base:+.0f} %)"


def show(title: str, outcomes: list[Outcome], base: Outcome) -> None:
    """Print a table; gains are relative to `base`."""
    print(f"\n{title}\n")
    print(
        "| estimates | wait, min | below 99 % | unitless wait | below 99 % | slowdown | below 99 % "
        "| large, min | head, % | queue, % | backfilled, % |\n" + "|---" * 11 + "|"
    )
    for outcome in outcomes:
        figures = [gain(*pair) for pair in zip(base.means, outcome.means, strict=True)]
        total = sum(outcome.started)
        shares = [f"{100 * number / total:.1f}" for number in outcome.started]
        print("| " + " | ".join([outcome.name, *figures, *shares]) + " |", flush=True)


def experiment(setting: Setting) -> float:
    """Run all of it; return the CPU seconds of the slowest run."""
    on = "" if setting.blocks is None else ", on blocks"
    slowest = 0.0
    base: dict[str, Outcome] = {}
    for order in "wfp", "fcfs":
        outcomes = [
            run(
                f"a = {a}", setting, "policy",
                {
                    "order": order, "backfilling": "easy",
                    "predictor": {"name": "accuracy", "a": a},
                },
            )
            for a in ACCURACIES
        ]  # fmt: skip
        base[order] = outcomes[0]
        show(f"{order.upper()}, synthetic accuracy{on}", outcomes, base[order])
        slowest = max(slowest, *(outcome.seconds for outcome in outcomes))
    outcomes = [run(name.upper(), setting, f"wfp_{name}", {}) for name in ROLES]
    show(f"WFP, run times in some roles{on}", [base["wfp"], *outcomes], base["wfp"])
    slowest = max(slowest, *(outcome.seconds for outcome in outcomes))
    return max(slowest, adjusted(setting))


def adjusted(setting: Setting) -> float:
    """Run the adjusting schemes; return the slowest one's seconds."""
    on = "" if setting.blocks is None else ", on blocks"
    base = run("walltimes", setting, "wfp", {})
    outcomes = [
        run(name, setting, "wfp_adjusted", {"predictor": f"ratio_{name}"})
        for name in ("user", "project", "combined")
    ]
    outcomes.append(run("selective", setting, "wfp_selective", {}))
    show(f"WFP, estimates adjusted by past jobs{on}", [base, *outcomes], base)
    return max(outcome.seconds for outcome in outcomes)


SCHEMES: Mapping[str, tuple[str, dict[str, Any]]] = MappingProxyType(
    {
        **{
            f"a = {a}": (
                "policy",
                {
                    "order": "wfp", "backfilling": "easy",
                    "predictor": {"name": "accuracy", "a": a},
                },
            )
            for a in ACCURACIES
        },
        **{role.upper(): (f"wfp_{role}", {}) for role in ROLES if role != "s111"},
        **{
            name: ("wfp_adjusted", {"predictor": f"ratio_{name}"})
            for name in ("user", "project", "combined")
        },
        "selective": ("wfp_selective", {}),
    }
)  # fmt: skip
"""Under WFP; S111 is a = 1."""


def shaken(setting: Setting, shakes: int) -> None:
    """Print the gains over walltimes under WFP, with intervals from shakes of the workload."""
    original = read_workload(setting.folder / "workload.json")
    found: dict[str, list[tuple[float, ...]]] = {name: [] for name in SCHEMES}
    for seed in range(1, shakes + 1):
        workload = original.shaken(seed)
        for name, (scheduler, options) in SCHEMES.items():
            found[name].append(run(name, setting, scheduler, options, workload=workload).means)
    base = list(zip(*found["a = 0"], strict=True))
    on = "counted" if setting.blocks is None else "on blocks"
    print(f"\nGains under WFP, {on}, in percent, with 95 % intervals from {shakes} shakes\n")
    print(
        "| estimates | wait | below 99 % | unitless wait | below 99 % | slowdown | below 99 % "
        "| large |\n" + "|---" * 8 + "|"
    )
    for name, outcomes in found.items():
        if name == "a = 0":
            continue
        differences = [
            paired_difference(*pair) for pair in zip(base, zip(*outcomes, strict=True), strict=True)
        ]
        cells = [f"{-d.value:+.0%} ({-d.high:+.0%} to {-d.low:+.0%})" for d in differences]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    """Convert the log, run the experiments, print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("log", type=Path, help="a log in the Standard Workload Format")
    parser.add_argument("--processors-from", choices=("requested", "allocated"), required=True)
    parser.add_argument("--month", help="only jobs submitted in it, such as 2009-07")
    parser.add_argument("--only", choices=("adjusted",), help="leave out the other experiments")
    parser.add_argument("--blocks", choices=BLUE_GENES, help="the blocks of this machine as well")
    parser.add_argument(
        "--shakes",
        type=int,
        default=0,
        metavar="N",
        help="instead: what is gained under WFP, with intervals from N shakes",
    )
    given = parser.parse_args()
    workload, report = read_swf(given.log, processors_from=given.processors_from)
    if given.month:
        workload = of_month(workload, given.month)
    processors = workload.processors or max(job.processors for job in workload.jobs)
    area = sum(job.processors * (job.run_time or 0.0) for job in workload.jobs)
    span = workload.jobs[-1].submit_time - workload.jobs[0].submit_time
    months = f", {len(workload.jobs)} of them in {given.month}" if given.month else ""
    print(
        f"{given.log.name}: {report.read} jobs read, {report.kept} kept{months}; {processors} "
        f"processors, of which jobs take what was {given.processors_from}; load "
        f"{area / span / processors:.2f}"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_workload(workload, folder / "workload.json")
        write_platform(folder / "platform.xml", hosts=processors)
        settings = [Setting(folder)]
        if given.blocks:
            settings.append(Setting(folder, blue_gene(given.blocks)))
        for setting in settings:
            if given.shakes:
                shaken(setting, given.shakes)
                continue
            slowest = adjusted(setting) if given.only else experiment(setting)
            where = "counted" if setting.blocks is None else f"on the blocks of {given.blocks}"
            print(f"\nThe slowest run, {where}, took {slowest:.1f} CPU s.", flush=True)


if __name__ == "__main__":
    main()
