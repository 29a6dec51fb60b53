"""How wrong is what is told of sites whose truth is known? The table of docs/how-to/infer-site.md.

Usage: python benchmarks/planted_sites.py [--jobs N] [--policy POLICY] [--only NAME ...] LOG...

Rules are planted into each log: its first N jobs are simulated under EASY on sites that are known,
and these waits are taken for recorded ones. What the whole chain then tells of a policy against
EASY stands beside what is true on that site.
"""

import argparse
from pathlib import Path

import numpy as np

from pred_aware import read_log
from pred_aware.site_inference.self_test import (
    SelfTestResult,
    first_jobs,
    planted_sites,
    results_of,
)

SIGN = 0.1
"""From this change on a sign counts."""


def main() -> None:
    """Print a row for each site, and the errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--jobs", type=int, default=30_000)
    parser.add_argument("--policy", default="recommended")
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--processors", type=int)
    arguments = parser.parse_args()
    every: list[SelfTestResult] = []
    for path in arguments.logs:
        workload = first_jobs(
            read_log(path, processors=arguments.processors).workload, arguments.jobs
        )
        sites = planted_sites(workload)
        wanted = {name: sites[name] for name in arguments.only or sites}
        for told in results_of(workload, wanted, policy=arguments.policy):
            every.append(told)
            changes = (told.true, told.counted, told.fitted)
            cells = [
                path.name.partition(".")[0],
                told.site,
                *(f"{100 * one:+.1f} %" for one in changes),
            ]
            cells += [told.verdict, f"{told.correlation:.2f}"]
            print(f"| {' | '.join(cells)} |", flush=True)
    for known in (True, False):
        summary([one for one in every if one.known is known], "known" if known else "unknown")


def summary(every: list[SelfTestResult], which: str) -> None:
    """Print mean and worst errors in points, and wrong signs of changes above 10 %."""
    for name in ("counted", "fitted", "told"):
        pairs = [(getattr(one, name), one.true) for one in every]
        errors = [100 * abs(said - true) for said, true in pairs if said is not None]
        wrong = [
            said
            for said, true in pairs
            if said is not None and abs(said) >= SIGN and said * true < 0
        ]
        if errors:
            print(
                f"{which} forms, {name}: {len(errors)} sites, mean {np.mean(errors):.1f}, "
                f"worst {max(errors):.1f} points, {len(wrong)} wrong signs"
            )


if __name__ == "__main__":
    main()
