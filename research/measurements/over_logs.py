"""What policies do over logs: geometric means with intervals, and a performance profile.

    python research/measurements/over_logs.py research/docs/recommended.md --picture
    research/docs/images/recommended-profile.png

Reads the tables *..., change in percent* of a document, as `tables.py changes` prints them, and
prints the ratios over the logs, as `tables.py averages` does of a campaign. The profile (E. D.
Dolan, J. J. Moré, "Benchmarking optimization software with performance profiles", 2002) has of each
policy the share of the logs on which its figure is at most so many times that of the best one.
"""

import argparse
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from pred_aware.statistics import Interval, over_logs

Ratios = Mapping[str, pd.DataFrame]
"""Of each measure the ratios to the baseline, by log and policy."""
_TITLE = re.compile(r"\*\*(.*), change in percent\*\*")
_FURTHEST = 4.0
"""Where the profile ends, in times of the best."""


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


def ratios_of(document: str) -> dict[str, pd.DataFrame]:
    """Return the ratios that the tables of changes in a document tell."""
    return dict(_tables(document.splitlines()))


def _tables(lines: Sequence[str]) -> Iterator[tuple[str, pd.DataFrame]]:
    for place, line in enumerate(lines):
        if found := _TITLE.fullmatch(line):
            rows = [*_rows(lines[place + 2 :])]
            policies = rows[0][2:-1]
            values = {
                row[0]: [1.0 + float(cell.split()[0]) / 100.0 for cell in row[2:-1]]
                for row in rows[2:]
            }
            yield found[1], pd.DataFrame.from_dict(values, orient="index", columns=policies)


def _rows(lines: Iterable[str]) -> Iterator[list[str]]:
    for line in lines:
        if not line.startswith("|"):
            return
        yield [cell.strip() for cell in line.strip("|\n").split("|")]


def profile(ratios: pd.DataFrame, baseline: str) -> pd.DataFrame:
    """Return of each policy how many times the figure of the best it has on each log.

    Parameters
    ----------
    ratios
        To the baseline, by log and policy.
    baseline
        What it is called; it is one of the policies.
    """
    every = pd.concat([pd.Series(1.0, ratios.index, name=baseline), ratios], axis=1)
    return every.div(every.min(axis=1), axis=0)


def draw(tables: Ratios, baseline: str, path: Path, *, without: Sequence[str] = ()) -> None:
    """Draw the profiles of all measures.

    Parameters
    ----------
    tables
        The ratios.
    baseline
        As for `profile`.
    path
        The picture.
    without
        Policies that nobody can have, such as one that knows the run times.
    """
    figure = Figure((3.4 * len(tables), 3.0), dpi=160, layout="constrained")
    for place, (title, one) in enumerate(tables.items()):
        times = profile(one.drop(columns=[*without], errors="ignore"), baseline)
        axes = figure.add_subplot(1, len(tables), place + 1)
        for policy, values in times.items():
            at = sorted(values)
            shares = [(1.0 + rank) / len(at) for rank in range(len(at))]
            axes.step([1.0, *at, 1e9], [0.0, *shares, 1.0], where="post", label=str(policy))
        axes.set(title=title.partition(" (")[0], xlabel="at most so many times the best")
        axes.set(xscale="log", xlim=(1.0, _FURTHEST), ylim=(0.0, 1.03))
        axes.set_xticks(ticks := [1.0, 1.25, 1.5, 2.0, 3.0, 4.0], [f"{tick:g}" for tick in ticks])
        axes.set_xticks([], minor=True)
        if place == 0:
            axes.set_ylabel("share of the logs")
            axes.legend(fontsize=8, loc="lower right")
    figure.savefig(path)


def main() -> None:
    """Print the tables, and draw the profile."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("document", type=Path, help="Markdown with tables of changes")
    parser.add_argument("--picture", type=Path, help="where the profile is drawn")
    parser.add_argument("--baseline", default="EASY", help="what it is called in the tables")
    parser.add_argument("--without", default="exact run times", help="a policy nobody can have")
    given = parser.parse_args()
    tables = ratios_of(given.document.read_text(encoding="utf-8"))
    averages(tables, given.baseline)
    if given.picture is not None:
        draw(tables, given.baseline, given.picture, without=[given.without])


if __name__ == "__main__":
    main()
