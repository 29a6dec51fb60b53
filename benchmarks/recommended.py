"""How the scheduler `recommended` was chosen, and what it does, on many logs.

Usage: python benchmarks/recommended.py [--shakes N] [--at-most N] [--choices N] [--store FOLDER]
           [-j N] LOG...

A campaign of EASY, EASY-SJBF, EASY++, paper 001's scheduler, the recommended one, and the same with
exact run times, on each log and shakes of it: at least N, and more up to --at-most until mean wait
and mean bounded slowdown are known to 2 %. Then the candidates that it was chosen among, on
--choices shakes each; with 0 there are none. Prints tables: what each scheduler changes, with
intervals; geometric means of the ratios to EASY over the logs; how many jobs start later than under
EASY, and by how much; and what would have been chosen without each log, and how it does there.
"""

import argparse
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
import written
from written import change, geometric_mean

from pred_aware.campaign.campaign import Campaign

MEASURES = (
    "mean_bounded_slowdown", "mean_waiting_time", "p99_waiting_time", "max_waiting_time",
)  # fmt: skip
LATER = ("later_than_base", "mean_later_than_base")
UNTRUSTED = "started_without_trust"
LONGEST, LONGEST_WORST = 1.1, 1.3
RECOMMENDED: dict[str, Any] = {"scheduler": "recommended"}
SCHEDULERS: dict[str, dict[str, Any]] = {
    "easy": {},
    "easy_sjbf": {},
    "easy_plus_plus": {},
    "pred_aware": {},
    "recommended": RECOMMENDED,
    "exact run times": {**RECOMMENDED, "predictor": "actual"},
}
CANDIDATES: dict[str, dict[str, Any]] = {
    "recommended": RECOMMENDED,
    "kNN": {**RECOMMENDED, "predictor": "knn"},
    "similar": {**RECOMMENDED, "predictor": "similar"},
    "shortest first": {**RECOMMENDED, "order": "sjf"},
    "share 0.8": {**RECOMMENDED, "bound": {"backlog": 0.8, "ahead": 1}},
    "share 1.1": {**RECOMMENDED, "bound": {"backlog": 1.1, "ahead": 1}},
    "not looking ahead": {**RECOMMENDED, "bound": {"backlog": 1.0}},
    "three days": {**RECOMMENDED, "bound": 259200},
    "head start of 1 h": {**RECOMMENDED, "order": {"name": "lxf", "head_start": 3600}},
    "head start of 6 h": {**RECOMMENDED, "order": {"name": "lxf", "head_start": 21600}},
}


def campaign(
    asked: argparse.Namespace, policies: Mapping[str, Any], *, at_least: int, at_most: int
) -> Campaign:
    """Return a campaign of some policies on all logs."""
    return Campaign.of(
        {
            "store": str(asked.store),
            "baseline": "easy",
            "logs": {one.name.partition(".")[0]: {"file": str(one.resolve())} for one in asked.log},
            "policies": policies,
            "measures": [*MEASURES, UNTRUSTED, *LATER],
            "shakes": {"at_least": at_least, "at_most": at_most},
            "precision": dict.fromkeys(("mean_waiting_time", "mean_bounded_slowdown"), 0.02),
        },
        name="recommended",
    )


def show(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table in Markdown."""
    print(f"\n**{title}**\n")
    written.table(heads, rows)


def changes(compared: pd.DataFrame, measure: str, policies: Sequence[str]) -> list[list[str]]:
    """Return a row for each log: what each policy changes against EASY, with its interval."""
    here = compared[compared["measure"] == measure].set_index(["log", "policy"])
    rows = []
    for log in dict.fromkeys(compared["log"]):
        row = [log, f"{here.loc[(log, policies[0]), 'base']:,.4g}"]
        for policy in policies:
            one = here.loc[(log, policy)]
            row.append(change(*(float(one[name]) for name in ("difference", "low", "high"))))
        rows.append([*row, f"{int(here.loc[(log, policies[-1]), 'shakes'])}"])
    return rows


def ratios(compared: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return, for each measure, the ratios to EASY by log and policy."""
    return {
        measure: compared[compared["measure"] == measure].pivot_table(
            index="log", columns="policy", values="difference", sort=False
        )
        + 1.0
        for measure in MEASURES
    }


def averages(compared: pd.DataFrame, policies: Sequence[str]) -> list[list[str]]:
    """Return a row for each policy: geometric means over the logs, and the worst log."""
    tables = ratios(compared)
    return [
        [
            policy,
            *(
                f"{geometric_mean(table[policy]):.3f} ({table[policy].max():.2f} on "
                f"{table[policy].idxmax()})"
                for table in tables.values()
            ),
        ]
        for policy in policies
    ]


def best(tables: Mapping[str, pd.DataFrame]) -> str:
    """Return the candidate that these logs say: the best that lets nobody starve.

    That is the one with the least product of the ratios to EASY in all measures but the longest
    wait, among those whose longest wait is at most `LONGEST` times EASY's on the geometric mean and
    `LONGEST_WORST` times on the worst log; among all where there is none.
    """
    longest = tables["max_waiting_time"]
    fair = [
        name
        for name in longest.columns
        if geometric_mean(longest[name]) <= LONGEST and longest[name].max() <= LONGEST_WORST
    ]
    others = [table for measure, table in tables.items() if measure != "max_waiting_time"]
    scores = sum(table.map(math.log) for table in others).mean()
    return str(scores[fair or list(longest.columns)].idxmin())


def left_out(compared: pd.DataFrame) -> list[list[str]]:
    """Return a row for each log: what the others say, and what that does on this one; the means."""
    tables = ratios(compared)
    rows, there = [], {measure: list[float]() for measure in MEASURES}
    for log in tables[MEASURES[0]].index:
        chosen = best({measure: table.drop(log) for measure, table in tables.items()})
        for measure, table in tables.items():
            there[measure].append(float(table.loc[log, chosen]))
        mine = [f"{table.loc[log, 'recommended']:.2f}" for table in tables.values()]
        rows.append([log, chosen, *(f"{figures[-1]:.2f}" for figures in there.values()), *mine])
    means = [f"{geometric_mean(figures):.3f}" for figures in there.values()]
    mine = [f"{geometric_mean(table['recommended']):.3f}" for table in tables.values()]
    return [*rows, ["geometric mean", "", *means, *mine]]


def main() -> int:
    """Run both campaigns and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("log", nargs="+", type=Path)
    parser.add_argument("--shakes", type=int, default=5)
    parser.add_argument("--at-most", type=int, default=20)
    parser.add_argument("--choices", type=int, default=3)
    parser.add_argument("--store", type=Path, default=Path("recommended.runs"))
    parser.add_argument("-j", "--workers", type=int)
    asked = parser.parse_args()
    found = campaign(asked, SCHEDULERS, at_least=asked.shakes, at_most=asked.at_most)
    found.run(workers=asked.workers)
    for name, reason in found.failures.items():
        print(f"{name}: {reason}", file=sys.stderr)
    compared, others = found.compared(), [name for name in SCHEDULERS if name != "easy"]
    for measure in MEASURES:
        heads = ["log", "EASY", *others, "shakes"]
        show(f"{measure}, change in percent", heads, changes(compared, measure, others))
    show("Ratios to EASY: geometric mean over the logs (and the worst)",
         ["scheduler", *MEASURES], averages(compared, others))  # fmt: skip
    later = found.against_base().set_index(["log", "policy", "measure"])["value"]
    show(
        "Jobs that start later than under EASY, and by how much on the mean",
        ["log", *others],
        (
            [log, *(f"{100 * later[log, one, LATER[0]]:.0f} %, {later[log, one, LATER[1]]:,.0f} s"
                    for one in others)]
            for log in dict.fromkeys(compared["log"])
        ),
    )  # fmt: skip
    if not asked.choices:
        return 0
    policies = {"easy": {}, **CANDIDATES}
    choices = campaign(asked, policies, at_least=asked.choices, at_most=asked.choices)
    choices.run(workers=asked.workers)
    compared = choices.compared()
    show("The candidates: geometric mean over the logs (and the worst)",
         ["candidate", *MEASURES], averages(compared, [*CANDIDATES]))  # fmt: skip
    show(
        "What would have been chosen without each log, and how it does there",
        ["log", "chosen without it", *MEASURES, *(f"recommended: {one}" for one in MEASURES)],
        left_out(compared),
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
