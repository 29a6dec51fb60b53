"""Whether another interval or another rule holds what is to be held more often than ours.

    python research/measurements/other_intervals.py --pool 100 --keep /tmp/pool.json
    python research/measurements/other_intervals.py --pool 300 --logs quiet --policies conservative

Draws campaigns from a pool of shakes as `interval_coverage.py` does (with `--keep` from the same
one), and gives each of them other intervals beside the t interval of a ratio: Johnson's, which
moves it by the skewness; Hall's, which transforms it away; and the bootstrap-t. Behind each share
of campaigns that hold the pool's mean stands how many times as wide the interval is. The second
table: what becomes of the rule that adds shakes until the precision is reached if it begins with
more.

N. J. Johnson, "Modified t tests and confidence intervals for asymmetrical populations", Journal of
the American Statistical Association 73 (1978). P. Hall, "On the removal of skewness by
transformation", Journal of the Royal Statistical Society B 54 (1992).
"""

import argparse
from pathlib import Path
from typing import Any

import interval_coverage as coverage
import numpy as np
from scipy.special import stdtrit

import pred_aware as pa

SIZES = (10, 20, 40)
AGAIN = 399
"""How many times a campaign is drawn again from itself."""
LEAST = (10, 15, 20)
POLICIES = ("easy_plus_plus", "pred_aware, last_two", "conservative")


def rests(baseline: Any, other: Any) -> tuple[Any, Any, Any]:  # noqa: ANN401 - arrays
    """Return changes, what is left of each shake, and standard errors; a row a campaign."""
    mean, number = baseline.mean(1), baseline.shape[1]
    change = other.mean(1) / mean - 1.0
    rest = (other - (1.0 + change)[:, None] * baseline) / mean[:, None]
    return change, rest, np.sqrt((rest**2).sum(1) / (number - 1) / number)


def ours(baseline: Any, other: Any) -> tuple[Any, Any]:  # noqa: ANN401 - arrays
    """Return the t intervals of ratios."""
    change, _, error = rests(baseline, other)
    reach = stdtrit(baseline.shape[1] - 1, 0.975) * error
    return change - reach, change + reach


def johnson(baseline: Any, other: Any) -> tuple[Any, Any]:  # noqa: ANN401 - arrays
    """Return the same, moved by the skewness."""
    _, rest, error = rests(baseline, other)
    number = baseline.shape[1]
    third = (rest**3).sum(1) * number / ((number - 1) * (number - 2))
    moved = third / (6.0 * error**2 * number**2)
    low, high = ours(baseline, other)
    return low + moved, high + moved


def hall(baseline: Any, other: Any) -> tuple[Any, Any]:  # noqa: ANN401 - arrays
    """Return those of Hall's cubic transformation."""
    change, rest, error = rests(baseline, other)
    number = baseline.shape[1]
    root = np.sqrt(number)
    skew = (rest**3).mean(1) / (error * root) ** 3

    def back(reach: float) -> Any:  # noqa: ANN401 - an array
        inner = 1.0 + skew / root * (reach - skew / (6.0 * root))
        return 3.0 * root / skew * (np.cbrt(inner) - 1.0)

    reach = stdtrit(number - 1, 0.975)
    return change - back(reach) * error, change - back(-reach) * error


def bootstrap(baseline: Any, other: Any) -> tuple[Any, Any]:  # noqa: ANN401 - arrays
    """Return those of the bootstrap-t."""
    rng = np.random.default_rng(1)
    changes, _, errors = rests(baseline, other)
    ends = np.empty((2, len(baseline)))
    for row, (change, error) in enumerate(zip(changes, errors, strict=True)):
        drawn = rng.integers(baseline.shape[1], size=(AGAIN, baseline.shape[1]))
        again, _, spread = rests(baseline[row][drawn], other[row][drawn])
        known = spread > 0.0
        ratios = (again[known] - change) / spread[known]
        ends[:, row] = change - np.quantile(ratios, [0.975, 0.025]) * error
    return ends[0], ends[1]


def rule(baseline: Any, other: Any, least: int) -> tuple[Any, Any, Any]:  # noqa: ANN401 - arrays
    """Return changes, half widths and numbers of shakes of the rule that begins with so many."""
    change, half, shakes = (np.empty(len(baseline)) for _ in range(3))
    going = np.ones(len(baseline), bool)
    for number in range(least, coverage.MOST + 1, 5):
        low, high = ours(baseline[:, :number], other[:, :number])
        ends = going & (((high - low) / 2 <= coverage.PRECISION) | (number >= coverage.MOST))
        change[ends], half[ends], shakes[ends] = (
            ((low + high) / 2)[ends],
            ((high - low) / 2)[ends],
            number,
        )
        going &= ~ends
    return change, half, shakes


def pool(given: Any) -> dict[str, list[dict[str, list[float]]]]:  # noqa: ANN401 - of argparse
    """Return the pool of `interval_coverage.py`, or one of some logs and policies alone."""
    if given.logs is None and given.policies is None:
        logs = {name: coverage.workload(name) for name in coverage.LOGS}
        return coverage.pool(logs, given.pool, given.keep)
    found = {}
    for name in given.logs or coverage.LOGS:
        log, found[name] = coverage.workload(name), []
        for seed in range(given.pool):
            shaken, options = log.shaken(seed), coverage.policies(seed)
            summaries = {
                policy: pa.simulate(shaken, **options[policy]).summary
                for policy in (coverage.BASELINE, *(given.policies or POLICIES))
            }
            found[name].append({
                policy: [float(summary[figure]) for figure in coverage.FIGURES]
                for policy, summary in summaries.items()
            })  # fmt: skip
    return found


def main() -> None:
    """Draw the campaigns, print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pool", type=int, default=400, help="shakes of each log")
    parser.add_argument("--campaigns", type=int, default=2000)
    parser.add_argument("--keep", type=Path, help="a file for the pool's figures")
    parser.add_argument("--logs", nargs="+", choices=coverage.LOGS)
    parser.add_argument("--policies", nargs="+", choices=POLICIES)
    given = parser.parse_args()
    rng = np.random.default_rng(1)
    intervals = {"t": ours, "Johnson": johnson, "Hall": hall, "bootstrap-t": bootstrap}
    print(f"| | shakes | {' | '.join(intervals)} |\n|---|---|{'---|' * len(intervals)}")
    rules = []
    for log, shakes in pool(given).items():
        for place, figure in enumerate(coverage.FIGURES):
            for policy in given.policies or POLICIES:
                one, two = (
                    np.array([each[name][place] for each in shakes])
                    for name in (coverage.BASELINE, policy)
                )
                truth = two.mean() / one.mean() - 1.0
                drawn = rng.integers(len(one), size=(given.campaigns, coverage.MOST))
                baseline, other = one[drawn], two[drawn]
                for size in SIZES:
                    widths, cells = [], []
                    for interval in intervals.values():
                        low, high = interval(baseline[:, :size], other[:, :size])
                        held = ((low <= truth) & (truth <= high)).mean()
                        widths.append((high - low).mean())
                        cells.append(f"{100 * held:.1f} % ({widths[-1] / widths[0]:.2f})")
                    print(f"| {log}: {policy}, {figure} | {size} | {' | '.join(cells)} |")
                told = []
                for least in LEAST:
                    change, half, number = rule(baseline, other, least)
                    held = (abs(change - truth) <= half).mean()
                    told.append(f"{100 * held:.1f} % ({number.mean():.1f})")
                rules.append(f"| {log}: {policy}, {figure} | {' | '.join(told)} |")
    print(f"\n| at least | {' | '.join(map(str, LEAST))} |\n|---|{'---|' * len(LEAST)}")
    print("\n".join(rules))


if __name__ == "__main__":
    main()
