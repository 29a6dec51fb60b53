"""What accurate estimates change under the orders WFP and FCFS: paper 004's experiments on a log.

    python benchmarks/paper004.py ANL-Intrepid-2009-1.swf.gz --processors-from allocated
    python benchmarks/paper004.py ANL-Intrepid-2009-1.swf.gz --month 2009-07 ...
    python benchmarks/paper004.py KTH-SP2-1996-2.1-cln.swf.gz --only adjusted ...
    python benchmarks/paper004.py ANL-Intrepid-2009-1.swf.gz --blocks intrepid ...
    python benchmarks/paper004.py ... --blocks intrepid --test 2009-07 --shakes 8 --keep FILE.json

Runs EASY backfilling in the orders WFP and FCFS with estimates of synthetic accuracy a (the paper's
equation 3), WFP with run times in some roles only (its table II), and WFP with estimates that are
adjusted by past jobs (its section V); prints Markdown tables of wait, unitless wait (wait /
walltime) and slowdown ((wait + run time) / run time): the mean over all jobs, and over those below
the 99th percentile of that figure. Gains are in percent of the first row of the same order, as in
the paper: positive is better. `large` is the mean wait of the jobs that take more than 40 % of the
machine. Processors are counted; with ``--blocks`` all tables come once more, on blocks. With
``--shakes`` each scheme runs on several shakes of the log instead: gains with 95 % intervals, by
size and length too, how jobs were started, and the paper's claims one by one.
"""

import argparse
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from time import process_time
from zoneinfo import ZoneInfo

import msgspec
from paper004_claims import BASE, FCFS, claims_table, gains_table, groups_table, starts_table
from paper004_outcomes import (
    ACCURACIES,
    KINDS,
    LENGTHS,
    MEANS,
    SCHEMES,
    SIZES,
    Figures,
    Kept,
    Setting,
)

from pred_aware import Workload, read_workload
from pred_aware.report.durations import spoken
from schedulers.machine.blue_gene import BLUE_GENES, blue_gene
from workload_tools import Workload as ReadWorkload
from workload_tools import read_swf, write_platform, write_workload

MINUTE = 60.0
NODE_PROCESSORS = {"intrepid": 4, "mira": 1}
ROLES = ("S001", "S010", "S100", "S110")
ADJUSTED = ("user", "project", "combined", "selective")
OF_FCFS = tuple(f"FCFS, a = {a}" for a in ACCURACIES)
OF_WFP = tuple(f"a = {a}" for a in ACCURACIES)


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
    moved = [msgspec.structs.replace(job, submit_time=job.submit_time - first) for job in kept]
    return msgspec.structs.replace(workload, jobs=moved, start_time=origin + first)


def markdown(title: str, rows: Iterable[Sequence[str]]) -> None:
    """Print a table."""
    head, *others = rows
    lines = ["| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *others)]
    print(f"\n{title}\n\n" + "\n".join(lines), flush=True)


def gain(base: float, new: float) -> str:
    """Write a value and by how much less it is than the base, in percent of the base."""
    value = f"{new:#.3g}".rstrip(".")
    return f"{value} ({100 * (base - new) / base:+.0f} %)"


class Experiment:
    """The schemes on one machine.

    Parameters
    ----------
    setting
        The machine.
    workload
        What is simulated.
    kept
        Outcomes that are known already.
    """

    def __init__(self, setting: Setting, workload: Workload, kept: Kept) -> None:
        self._setting, self._workload, self._kept = setting, workload, kept
        self.name = "counted" if setting.blocks is None else f"on blocks of {setting.blocks.name}"
        self.slowest = 0.0

    def figures(self, scheme: str, seed: int = 0) -> Figures:
        """Return a scheme's figures, on the log or on one of its shakes."""
        began = process_time()
        workload = self._workload.shaken(seed) if seed else self._workload
        found = self._kept.figures(self._setting, scheme, workload, seed=seed)
        self.slowest = max(self.slowest, process_time() - began)
        return found

    def once(self, schemes: Sequence[str], title: str) -> None:
        """Run schemes on the log, and print what they gain over the first."""
        names = [*MEANS, "mean_waiting_time of large jobs"]
        rows = [[
            "estimates", "wait, min", "below 99 %", "unitless wait", "below 99 %", "slowdown",
            "below 99 %", "large, min", *(f"{kind}, %" for kind in KINDS),
        ]]  # fmt: skip
        first = self.figures(schemes[0])
        for scheme in schemes:
            told = self.figures(scheme)
            pairs = [[one[f"all, {name}"] for one in (first, told)] for name in names]
            scale = [MINUTE if "waiting_time" in name else 1.0 for name in names]
            cells = [
                gain(base / by, new / by) for (base, new), by in zip(pairs, scale, strict=True)
            ]
            shares = [f"{100 * told[f'all, started as {kind}']:.1f}" for kind in KINDS]
            rows.append([scheme, *cells, *shares])
        markdown(f"{title}, {self.name}", rows)

    def all_once(self, *, only_adjusted: bool) -> None:
        """Run all schemes on the log."""
        if not only_adjusted:
            self.once(OF_WFP, "WFP, synthetic accuracy")
            self.once(OF_FCFS, "FCFS, synthetic accuracy")
            self.once((BASE, *ROLES, OF_WFP[-1]), "WFP, run times in some roles (a = 1 is S111)")
        self.once((BASE, *ADJUSTED), "WFP, estimates adjusted by past jobs (a = 0: walltimes)")
        print(f"\nThe slowest run, {self.name}, took {self.slowest:.1f} CPU s.", flush=True)

    def shaken(self, shakes: int, schemes: Sequence[str]) -> dict[str, list[Figures]]:
        """Run schemes on shakes of the log, shake by shake."""
        found: dict[str, list[Figures]] = {scheme: [] for scheme in schemes}
        for seed in range(1, shakes + 1):
            for scheme in schemes:
                found[scheme].append(self.figures(scheme, seed))
        return found


def show_shaken(name: str, runs: dict[str, list[Figures]], *, jobs: str, shakes: int) -> None:
    """Print what a machine says over its shakes, of all jobs or of those of the test."""
    of = f"{name}, {jobs} jobs, {shakes} shakes"
    wfp = [scheme for scheme in runs if scheme not in {BASE, *OF_FCFS}]
    markdown(f"Gains over walltimes under WFP, {of}", gains_table(runs, wfp, BASE, jobs=jobs))
    markdown(f"Gains over walltimes under FCFS, {of}",
             gains_table(runs, OF_FCFS[1:], FCFS, jobs=jobs))  # fmt: skip
    markdown(f"How jobs were started, {of}", starts_table(runs, jobs=jobs))
    nodes = [f"{size:,}" for size in SIZES]
    sizes = [f"up to {nodes[0]} nodes", *(f"up to {one}" for one in nodes[1:]), "more"]
    lengths = [f"up to {spoken(length)}" for length in LENGTHS] + ["longer"]
    adjusted = [scheme for scheme in ADJUSTED if scheme in runs]
    for by, classes in (("size", sizes), ("length", lengths)):
        rows = groups_table(runs, [*adjusted, "a = 1"], by, jobs=jobs, classes=classes)
        markdown(f"Waits by {by}, {of}", rows)


def main() -> None:
    """Convert the log, run the experiments, print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("log", type=Path, help="a log in the Standard Workload Format")
    parser.add_argument("--processors-from", choices=("requested", "allocated"), required=True)
    parser.add_argument("--month", help="only jobs submitted in it, such as 2009-07")
    parser.add_argument("--test", metavar="MONTH", help="all jobs run; of those of it once more")
    parser.add_argument("--only", choices=("adjusted",), help="leave out the other experiments")
    parser.add_argument("--blocks", choices=BLUE_GENES, help="the blocks of this machine as well")
    parser.add_argument("--shakes", type=int, default=0, metavar="N", help="on N shakes instead")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="of what has been run already")
    given = parser.parse_args()
    log, report = read_swf(given.log, processors_from=given.processors_from)
    if given.month:
        log = of_month(log, given.month)
    test = of_month(log, given.test).jobs if given.test else ()
    processors = log.processors or max(job.processors for job in log.jobs)
    area = sum(job.processors * (job.run_time or 0.0) for job in log.jobs)
    span = log.jobs[-1].submit_time - log.jobs[0].submit_time
    print(
        f"{given.log.name}: {report.read} jobs read, {report.kept} kept, {len(log.jobs)} "
        f"simulated; {processors} processors, of which jobs take what was "
        f"{given.processors_from}; load {area / span / processors:.2f}"
    )
    of = f"{given.log.name}, {given.processors_from}, {given.month or 'all'}, test {given.test}"
    kept = Kept(given.keep, log=of)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_workload(log, folder / "workload.json")
        write_platform(folder / "platform.xml", hosts=processors)
        workload = read_workload(folder / "workload.json")
        blocks = blue_gene(given.blocks) if given.blocks else None
        nodes = NODE_PROCESSORS.get(given.blocks, 1)
        ids = frozenset(str(job.id) for job in test)
        counted = Setting(folder / "platform.xml", nodes, test=ids)
        settings = [counted, *([replace(counted, blocks=blocks)] if blocks else [])]
        experiments = [Experiment(setting, workload, kept) for setting in settings]
        if not given.shakes:
            for one in experiments:
                one.all_once(only_adjusted=given.only == "adjusted")
            return
        projects = any(job.group for job in log.jobs)
        schemes = [one for one in SCHEMES if projects or one not in {"project", "combined"}]
        found = {one.name: one.shaken(given.shakes, schemes) for one in experiments}
    for jobs in ("all", "test") if test else ("all",):
        for name, runs in found.items():
            show_shaken(name, runs, jobs=jobs, shakes=given.shakes)
        rows = claims_table(found, jobs=jobs, projects=projects)
        markdown(f"The paper's claims, {jobs} jobs, {given.shakes} shakes", rows)


if __name__ == "__main__":
    main()
