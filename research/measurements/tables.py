"""Campaigns on many logs, and what was found as tables in Markdown.

In the folder `research`:

    python measurements/tables.py campaigns/recommended.toml changes averages later LOG...
    python measurements/tables.py campaigns/candidates.toml averages left-out LOG...
    python measurements/tables.py campaigns/stress.toml harm --load 0.5 --load 1.1 LOG...
    python measurements/tables.py campaigns/predictors.toml predictors LOG...
    python measurements/tables.py campaigns/recommended.toml changes allocated:LOG

Makes what is missing, and prints tables: *changes*, what each policy changes against the baseline,
with intervals; *averages*, geometric means of the ratios to it over the logs, with intervals, the
worst, and what one log more may bring;
*later*, how many jobs start later than under it, and by how much; *left-out*, what would have been
chosen without each log, and how it does there; *harm*, on how many logs each policy is better and
worse at each load, with exit code 1 if any is worse, but for size classes; *predictors*, the errors
of each, who beats `last_two`, and who is best among short, medium and long jobs.
"""

import argparse
import math
import re
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import geometric_mean

import over_logs
import pandas as pd
from over_logs import mean_told, table

from pred_aware import Campaign
from pred_aware.metrics import MEASURES

LATER = ("later_than_baseline", "mean_later_than_baseline")
UNTRUSTED = "started_without_trust"
OF_SIZES = tuple(name for name in MEASURES if name.endswith("_percent"))
LONGEST, LONGEST_WORST = 1.1, 1.3
ALLOCATED = "allocated:"
"""Before an SWF: its jobs take the processors that they had, not those that they asked for."""
BASELINE = "last_two"
"""The predictor that the others are compared with."""
ERRORS: Mapping[str, tuple[str, float, str]] = {
    "mae": ("Mean absolute error, min", 1 / 60, ".1f"),
    "median_absolute_error": ("Median absolute error, s", 1.0, ".0f"),
    "deviation_ratio": ("Mean deviation ratio, max(e / r, r / e)", 1.0, ".1f"),
}
"""Titles, factors and forms of measures of which less is better."""
OTHERS: Mapping[str, tuple[str, float, str]] = {
    "underestimated": ("Underestimated, % of all jobs", 100.0, ".1f"),
    "underestimated_within_walltime": (
        "Underestimated, % of the jobs that ended within their walltime", 100.0, ".1f"
    ),
    "predict_median": ("Median microseconds for a prediction", 1.0, ".2f"),
    "learn_median": ("Median microseconds for learning a job", 1.0, ".2f"),
}  # fmt: skip


def change(value: float, low: float, high: float) -> str:
    """Write a change in percent and its interval, if any; ``=`` if chance alone can be it."""
    if math.isnan(value):
        return "-"
    if math.isnan(low):
        return f"{100 * value:+.1f}"
    apart = "" if low > 0.0 or high < 0.0 else " ="
    return f"{100 * value:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]{apart}"


def measures_of(compared: pd.DataFrame) -> list[str]:
    """Return the measures that policies are compared in."""
    return [name for name in dict.fromkeys(compared["measure"]) if name != UNTRUSTED]


def ratios(compared: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """Return, for each measure, the ratios to the baseline by log and policy."""
    return {
        measure: compared[compared["measure"] == measure].pivot_table(
            index="log", columns="policy", values="difference", sort=False
        )
        + 1.0
        for measure in measures_of(compared)
    }


def changes(found: Campaign) -> None:
    """Print what each policy changes, with its interval: a table for each measure."""
    compared, policies = found.compared(), found.policies[1:]
    for measure in measures_of(compared):
        here = compared[compared["measure"] == measure].set_index(["log", "policy"])
        rows = []
        for log in dict.fromkeys(compared["log"]):
            told = [here.loc[(log, policy)] for policy in policies]
            cells = [
                change(*(float(one[name]) for name in ("difference", "low", "high")))
                for one in told
            ]
            rows.append([log, f"{told[0]['baseline']:,.4g}", *cells, f"{int(told[-1]['shakes'])}"])
        heads = ["log", found.policies[0], *policies, "shakes"]
        table(heads, rows, f"{measure}, change in percent")


def averages(found: Campaign) -> None:
    """Print geometric means of the ratios to the baseline over the logs, and the worst log."""
    over_logs.averages(ratios(found.compared()), found.policies[0])


def later(found: Campaign) -> None:
    """Print how many jobs start later than under the baseline, and by how much on the mean."""
    told = found.against_baseline().set_index(["log", "policy", "measure"])["value"]
    policies = found.policies[1:]
    rows = (
        [log, *(f"{100 * told[log, one, LATER[0]]:.0f} %, {told[log, one, LATER[1]]:,.0f} s"
                for one in policies)]
        for log in found.logs
    )  # fmt: skip
    title = f"Jobs that start later than under {found.policies[0]}, and by how much on the mean"
    table(["log", *policies], rows, title)


def best(tables: Mapping[str, pd.DataFrame]) -> str:
    """Return the candidate that these logs say: the best that lets nobody starve.

    That is the one with the least product of the ratios to EASY in all measures but the longest
    wait and those of size classes, among those whose longest wait is at most `LONGEST` times EASY's
    on the geometric mean and `LONGEST_WORST` times on the worst log; among all where there is none.
    """
    longest = tables["max_waiting_time"]
    fair = [
        name
        for name in longest.columns
        if geometric_mean(longest[name]) <= LONGEST and longest[name].max() <= LONGEST_WORST
    ]
    left = {"max_waiting_time", *OF_SIZES}
    others = [one for measure, one in tables.items() if measure not in left]
    scores = sum(one.map(math.log) for one in others).mean()
    return str(scores[fair or list(longest.columns)].idxmin())


def left_out(found: Campaign) -> None:
    """Print for each log what the others say, and what that does on this one; and the means."""
    tables, first = ratios(found.compared()), found.policies[1]
    rows, there = [], {measure: list[float]() for measure in tables}
    for log in found.logs:
        chosen = best({measure: one.drop(log) for measure, one in tables.items()})
        for measure, one in tables.items():
            there[measure].append(float(one.loc[log, chosen]))
        mine = [f"{one.loc[log, first]:.2f}" for one in tables.values()]
        rows.append([log, chosen, *(f"{figures[-1]:.2f}" for figures in there.values()), *mine])
    means = [mean_told(figures) for figures in there.values()]
    mine = [mean_told(one[first].tolist()) for one in tables.values()]
    heads = ["log", "chosen without it", *tables, *(f"{first}: {one}" for one in tables)]
    rows.append(["geometric mean", "", *means, *mine])
    table(heads, rows, "What would have been chosen without each log, and how it does there")


def harm(found: Campaign) -> bool:
    """Print on how many logs each policy is better and worse, by load; say whether any is worse."""
    compared, worse = found.compared(), False
    untrusted = found.runs().groupby(["log", "policy"])[UNTRUSTED].mean()
    compared["load"] = [log.partition(" load=")[2] for log in compared["log"]]
    # where EASY lets nobody wait there is no ratio
    compared = compared[
        compared["measure"].isin(measures_of(compared)) & (compared["baseline"] > 0.0)
    ]
    rows = []
    for (measure, load, policy), here in compared.groupby(
        ["measure", "load", "policy"], sort=False
    ):
        worst = here.loc[here["difference"].idxmax()]
        told = change(*(float(worst[name]) for name in ("difference", "low", "high")))
        share = untrusted.loc[list(zip(here["log"], here["policy"], strict=True))].mean()
        ratio = geometric_mean((here["difference"] + 1.0).clip(lower=0.001)) - 1
        apart = (here["high"] < 0.0).sum(), (here["low"] > 0.0).sum()
        worse |= bool(apart[1]) and measure not in OF_SIZES
        where = worst["log"].partition(" load=")[0]
        rows.append(
            [
                *map(str, (measure, load, policy, apart[0], len(here) - sum(apart), apart[1])),
                f"{100 * ratio:+.0f} %",
                f"{where}: {told}",
                f"{100 * share:.0f} %",
            ]
        )
    heads = ["measure", "load", "policy", "better", "not significant", "worse", "on average",
             "the worst", "without trust"]  # fmt: skip
    table(heads, rows)
    return worse


def shown(log: str) -> str:
    """Return the part of a log's name before its year and version.

    Examples
    --------
    >>> shown("KTH-SP2-1996-2")
    'KTH-SP2'
    """
    return re.split(r"-(?=(19|20)\d\d)", log)[0]


def predictors(found: Campaign) -> None:
    """Print the errors of predictors on logs, who beats `BASELINE`, and who is best by run time."""
    frame = found.replays(cost=True).set_index(["predictor", "log"])
    logs = list(dict.fromkeys(log for _, log in frame.index))
    for measure, (title, factor, form) in {**ERRORS, **OTHERS}.items():
        values = frame.reset_index().pivot_table(measure, "predictor", "log")[logs]
        least = values.min() if measure in ERRORS else {}
        rows = [
            [f"`{name}`", *(_cell(row[log] * factor, form, mark=row[log] == least.get(log))
                            for log in logs)]
            for name, row in values.iterrows()
        ]  # fmt: skip
        table(["", *map(shown, logs)], rows, title)
    if BASELINE in found.predictors:
        _against_baseline(frame, logs)
        _best_by_length(frame, logs)


def _cell(value: float, form: str, *, mark: bool) -> str:
    text = "" if math.isnan(value) else format(value, form)
    return f"**{text}**" if mark else text


def _against_baseline(frame: pd.DataFrame, logs: Sequence[str]) -> None:
    rows: dict[str, list[str]] = {}
    nobody = []
    for measure in ERRORS:
        values = frame.reset_index().pivot_table(measure, "predictor", "log")[logs]
        found = values.drop(BASELINE) / values.loc[BASELINE]
        nobody += [f"{shown(log)} ({measure})" for log in logs if not (found[log] < 1.0).any()]
        for name, row in found.iterrows():
            known = row.dropna()
            mean = geometric_mean(known[known > 0.0]) if (known > 0.0).any() else math.nan
            cells = [f"{(known < 1.0).sum()} of {len(known)}", f"{mean:.2f}"]
            rows.setdefault(f"`{name}`", []).extend(cells)
    heads = ["", *(head for measure in ERRORS for head in (f"{measure}: better", "mean ratio"))]
    table(heads, ([name, *cells] for name, cells in rows.items()), f"Against `{BASELINE}`")
    print(f"\nWhere nobody is better than `{BASELINE}`: {', '.join(nobody) or 'nowhere'}.")


def _best_by_length(frame: pd.DataFrame, logs: Sequence[str]) -> None:
    lengths = ("short", "medium", "long")

    def cells(log: str) -> Iterator[str]:
        here = frame.xs(log, level="log")
        for length in lengths:
            errors = here[f"mae {length}"].dropna().sort_index()
            if errors.empty:
                yield "no job"
                continue
            name, share = errors.idxmin(), here.loc[BASELINE, f"share {length}"]
            yield f"`{name}` ({errors[name] / errors[BASELINE]:.2f}; {100 * share:.1f} %)"

    title = f"The smallest mean absolute error (by that of `{BASELINE}`; the share of the jobs)"
    table(["", *lengths], ([shown(log), *cells(log)] for log in logs), title)


def _log(asked: str, loads: Mapping[str, list[float]]) -> tuple[str, dict[str, object]]:
    """Return a log's name and its table in a campaign's file."""
    path = Path(asked.removeprefix(ALLOCATED))
    options = {"options": {"processors_from": "allocated"}} if asked.startswith(ALLOCATED) else {}
    return path.name.partition(".")[0], {"file": str(path.resolve()), **options, **loads}


KINDS: Mapping[str, Callable[[Campaign], bool | None]] = {
    "changes": changes, "averages": averages, "later": later, "left-out": left_out, "harm": harm,
    "predictors": predictors,
}  # fmt: skip


def main() -> int:
    """Run the campaign and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("campaign", type=Path, help="a campaign's file; it needs no logs")
    parser.add_argument("asked", nargs="+", metavar="TABLE|LOG", help=", ".join(KINDS))
    parser.add_argument("--load", type=float, action="append", help="bring the logs to it")
    parser.add_argument("--shakes", type=int, nargs=2, metavar=("LEAST", "MOST"))
    parser.add_argument("-j", "--workers", type=int)
    given = parser.parse_intermixed_args()
    content = tomllib.loads(given.campaign.read_text(encoding="utf-8"))
    loads = {} if given.load is None else {"load": given.load}
    logs = [one for one in given.asked if one not in KINDS]
    if logs:
        content["logs"] = dict(_log(one, loads) for one in logs)
    if given.shakes is not None:
        content["shakes"] = dict(zip(("at_least", "at_most"), given.shakes, strict=True))
    found = Campaign.of(content, name=given.campaign.stem)
    found.run(workers=given.workers, replays=lambda told: print(f"replays {told}", file=sys.stderr))
    for name, reason in found.failures.items():
        print(f"{name}: {reason}", file=sys.stderr)
    harmed = [KINDS[kind](found) for kind in given.asked if kind in KINDS]
    return int(any(harmed))


if __name__ == "__main__":
    sys.exit(main())
