"""Compare the waits under EASY with those in logs: the tables of docs/explanation/baseline.md.

Usage: python benchmarks/recorded_queue.py [--policies] [--pictures FOLDER] [allocated:]LOG...

For each log, the script prints the waits under EASY and the recorded waits. With --policies it
prints instead how far the queues of other schedulers are from EASY's on the same log. These
distances justify the limits of the answer "alike". ``allocated:`` before an SWF log takes the
processors that jobs had, not those that they requested.
"""

import argparse
from pathlib import Path
from time import process_time

from pred_aware import JobLog, check_baseline, read_log, simulate
from pred_aware.recorded_queue.waits import distance, rank_correlation
from pred_aware.report.durations import timespan
from pred_aware.report.picture import save

POLICIES = ("easy_sjbf", "conservative", "easy_plus_plus")


def main() -> None:
    """Print a row for each log."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="+")
    parser.add_argument("--policies", action="store_true")
    parser.add_argument("--pictures", type=Path)
    arguments = parser.parse_args()
    for name in arguments.logs:
        allocated = name.startswith("allocated:")
        options = {"processors_from": "allocated"} if allocated else {}
        log = read_log(name.removeprefix("allocated:"), **options)
        if arguments.policies:
            print_policies(log)
        else:
            print_check(log, arguments.pictures)


def print_check(log: JobLog, pictures: Path | None) -> None:
    """Print a row with the waits under EASY and the recorded waits, then what the log shows."""
    run = simulate(log, "easy")
    began = process_time()
    check = check_baseline(run)
    took = process_time() - began
    real, simulated = check.recorded, check.simulated
    if real is None or simulated is None or check.whole is None:
        print(check.sentence)
        return
    cells = [
        f"{log.name}{' (size guessed)' if check.guessed else ''}",
        *(timespan(side.mean) for side in (real, simulated)),
        *(timespan(side.quantiles["median"]) for side in (real, simulated)),
        *(timespan(side.quantiles["90 %"]) for side in (real, simulated)),
        f"{check.ranks or 0.0:.2f}",
        f"{check.apart or 0.0:.2f}",
        *(f"{100 * share:.0f} %" for share in check.whole.utilisation),
        *(f"{jobs:,.1f}" for jobs in check.whole.waiting),
        f"{100 * (check.recorded_clues.with_free_processors or 0.0):.0f} %"
        if check.recorded_clues
        else "",
        f"{100 * check.work_beyond:.2g} %",
        check.answer,
    ]
    print(f"| {' | '.join(cells)} |", flush=True)
    for sentence in check.sentences:
        print(f"    {sentence}")
    print(f"    ({took:.2f} CPU s)", flush=True)
    if pictures is not None:
        save(check.plot(), pictures / f"{log.name}.png")


def print_policies(log: JobLog) -> None:
    """Print, for each of `POLICIES`, the ratio of mean waits, rank correlation and distance."""
    baseline = simulate(log, "easy").ran["waiting_time"]
    cells = []
    for policy in POLICIES:
        waits = simulate(log, policy).ran["waiting_time"].reindex(baseline.index).to_numpy()
        ratio = waits.mean() / baseline.to_numpy().mean()
        ranks = rank_correlation(baseline.to_numpy(), waits) or 0.0
        cells.append(f"{ratio:.2f}, {ranks:.2f}, {distance(baseline.to_numpy(), waits):.2f}")
    print(f"| {log.name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
