"""Which logs can answer a study? The two tables of docs/how-to/study.md.

Usage: python benchmarks/answerable.py starts LOG...
       python benchmarks/answerable.py cuts LOG

`starts` says how well submissions that are starts are told from submissions: for each log, and each
30 days of it, as it is and with its submissions replaced by its starts. `cuts` says from which
length on shakes leave a log what it is: twelve cuts of each length, under EASY.
"""

import argparse
from collections.abc import Iterator

import msgspec
import numpy as np

from pred_aware import JobLog, Workload, read_log, simulate
from pred_aware.inspection.load import CEILING
from pred_aware.recorded_queue.schedule import MachineSchedule

DAY = 86400.0
FEWEST = 100
HOURS = (3, 6, 12, 24, 48, 96, 168, 336, 720)
CUTS, SHAKES = 12, 5


def main() -> None:
    """Print the table that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", choices=("starts", "cuts"))
    parser.add_argument("logs", nargs="+")
    arguments = parser.parse_args()
    for name in arguments.logs:
        {"starts": print_starts, "cuts": print_cuts}[arguments.table](read_log(name))


def print_starts(log: JobLog) -> None:
    """Print the ceiling of a log and how many of its months are taken for what they are not."""
    jobs = log.jobs[log.jobs["run_time"] > 0.0]
    submit = jobs["submit_time"].to_numpy(float)
    dates = submit, submit + jobs["wait_time"].fillna(0.0).clip(lower=0.0).to_numpy(float)
    run = jobs["run_time"].to_numpy(float)
    held = jobs.get("allocated_processors", jobs["processors"]).fillna(jobs["processors"])
    processors = held.to_numpy(float)
    edges = np.arange(submit.min(), submit.max(), 30.0 * DAY)
    months = [(submit >= edge) & (submit < edge + 30.0 * DAY) for edge in edges]
    cells = []
    for begins in dates:
        parts = [np.full(len(submit), fill_value=True), *(m for m in months if m.sum() >= FEWEST)]
        found = [ceiling(begins[part], run[part], processors[part]) for part in parts]
        low = sum(one <= CEILING for one in found[1:])
        cells.append(f"{found[0]:.2f}, {low} of {len(found) - 1} months")
    print(f"| {log.name} | {' | '.join(cells)} |")


def ceiling(
    begins: "np.ndarray[tuple[int], np.dtype[np.float64]]",
    run: "np.ndarray[tuple[int], np.dtype[np.float64]]",
    processors: "np.ndarray[tuple[int], np.dtype[np.float64]]",
) -> float:
    """Return what `pred_aware.inspection.load.Load.ceiling` is of these jobs."""
    dated = MachineSchedule(
        submit_time=begins, start_time=begins, end_time=begins + run, processors=processors,
        machine=0,
    )  # fmt: skip
    often, hardly_more = dated.busy_quantiles((0.95, 0.999))
    return hardly_more / often if often else np.inf


def print_cuts(log: JobLog) -> None:
    """Print by how much the mean wait over shakes is off that of a cut as it is."""
    content = msgspec.json.decode(log.workload.raw.content)
    chance = np.random.default_rng(3)
    for hours in HOURS:
        off = [abs(np.log(ratio)) for ratio in ratios(content, 3600.0 * hours, chance)]
        shares = [100.0 * float(np.expm1(np.quantile(off, share))) for share in (0.5, 0.8)]
        print(f"| {hours} h | {len(off)} | {shares[0]:.0f} % | {shares[1]:.0f} % |")


def ratios(content: dict, span: float, chance: np.random.Generator) -> Iterator[float]:
    """Yield for each cut the mean wait over shakes over that of the cut as it is."""
    jobs = content["jobs"]
    last, found = jobs[-1]["subtime"], 0
    for _ in range(200):
        begin = chance.uniform(0.0, last - span)
        cut = [
            {**job, "subtime": job["subtime"] - begin}
            for job in jobs
            if begin <= job["subtime"] < begin + span
        ]
        if len(cut) < min(FEWEST, 20 * span / DAY + 15):
            continue
        workload = Workload.of({**content, "jobs": cut})
        once = mean_wait(workload)
        if once >= 1.0:
            yield np.mean([mean_wait(workload.shaken(n)) for n in range(1, SHAKES + 1)]) / once
            found += 1
        if found == CUTS:
            return


def mean_wait(workload: Workload) -> float:
    """Return the mean wait under EASY."""
    return max(float(simulate(workload, "easy").jobs["waiting_time"].mean()), 1e-3)


if __name__ == "__main__":
    main()
