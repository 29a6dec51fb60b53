"""Geometric means of ratios over logs, with intervals, for `tables.py averages`."""

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from pred_aware.statistics import Interval, over_logs

Ratios = Mapping[str, pd.DataFrame]
"""Of each measure the ratios to the baseline, by log and policy."""


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], title: str = "") -> None:
    """Print a table in Markdown."""
    if title:
        print(f"\n**{title}**\n")
    for row in (heads, ["---"] * len(heads), *rows):
        print(f"| {' | '.join(row)} |")


def averages(tables: Ratios, baseline: str) -> None:
    """Print geometric means over the logs with their intervals, the worst, and one log more."""
    policies = next(iter(tables.values())).columns
    of_all, of_one = (
        [[policy, *(told(one[policy].dropna()) for one in tables.values())] for policy in policies]
        for told in (_mean_and_worst, _one_more)
    )
    title = f"Ratios to {baseline}: geometric mean over the logs"
    table(["policy", *tables], of_all, f"{title}, its 95 % interval (and the worst)")
    title = f"Ratios to {baseline} on one such log more: between which they are, 19 times in 20"
    table(["policy", *tables], of_one, title)


def mean_told(ratios: Sequence[float]) -> str:
    """Write a geometric mean over logs with its interval, if there is one."""
    mean = over_logs(ratios).mean
    interval = f" [{_ends(mean, ', ')}]" if mean.low is not None else ""
    return f"{mean.value:.3f}{interval}"


def _mean_and_worst(ratios: "pd.Series[float]") -> str:
    return f"{mean_told(ratios.tolist())} ({ratios.max():.2f} on {ratios.idxmax()})"


def _one_more(ratios: "pd.Series[float]") -> str:
    further = over_logs(ratios.tolist()).one_more
    return _ends(further, " to ") if further.low is not None else ""


def _ends(interval: Interval, between: str) -> str:
    return between.join(f"{end:.2f}" for end in (interval.low, interval.high) if end is not None)
