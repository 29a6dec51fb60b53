"""What is inferred of sites by their logs? The tables of docs/how-to/infer-site.md.

Usage: python inferred_sites.py [--of POLICY] [--site FILE] [--processors N] LOG...

For each log the rules that were found, and EASY's queue with them beside the recorded one, on both
halves. With --of the log is given the waits that a policy's simulation has, where there is no rule:
what is found then is false. Beside it stands the waiting with free processors.
"""

import argparse
import json
from pathlib import Path
from time import process_time

from pred_aware import InferredSite, JobLog, Workload, infer_site, read_log, simulate


def main() -> None:
    """Print a row for each log."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--of", metavar="POLICY")
    parser.add_argument("--site", type=Path)
    parser.add_argument("--processors", type=int)
    arguments = parser.parse_args()
    for path in arguments.logs:
        log = read_log(path, processors=arguments.processors)
        began = process_time()
        if arguments.of:
            print_false(log, arguments.of)
        else:
            found = infer_site(log, site=arguments.site)
            print_found(found, process_time() - began)


def print_found(found: InferredSite, seconds: float) -> None:
    """Print what was found, and the queue with it."""
    rules = "; ".join(step.rule for step in found.taken) or "none"
    cells = [found.log, rules, *halves(found), found.verdict, f"{seconds:.0f} s"]
    cells.append(f"{100 * found.waiting.share:.0f} %")
    print(f"| {' | '.join(cells)} |", flush=True)


def halves(found: InferredSite) -> list[str]:
    """Return ratio and rank correlation, before and after, in each half."""
    return [
        f"{before.ratio:.2f} {before.correlation:.2f} -> {after.ratio:.2f} {after.correlation:.2f}"
        for before, after in zip(found.counted, found.fitted, strict=True)
    ]


def print_false(log: JobLog, policy: str) -> None:
    """Print what is found in the queue of a policy that knows no rule."""
    run = simulate(log, policy)
    waits = dict(zip(run.ids_in_workload, run.ran["waiting_time"].tolist(), strict=True))
    content = json.loads(log.workload.raw.content)
    for job in content["jobs"]:
        job["wait_time"] = waits.get(str(job["id"]))
        job.pop("allocated_processors", None)
    workload = Workload.of(content, log.name)
    found = infer_site(workload)
    change = found.fitted[1].ratio / found.counted[1].ratio if found.counted[1].ratio else 1.0
    cells = [
        log.name,
        f"{100 * found.waiting.share:.1f} %",
        "; ".join(step.rule for step in found.taken) or "none",
        f"{100 * (change - 1.0):+.1f} %",
    ]
    print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
