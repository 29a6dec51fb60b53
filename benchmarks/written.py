"""How the benchmarks that compare schedulers write what they found."""

import math
from collections.abc import Iterable, Sequence


def change(value: float, low: float, high: float) -> str:
    """Write a change and its interval in percent, from shares; ``=`` if chance alone can be it."""
    apart = "" if low > 0.0 or high < 0.0 else " ="
    return f"{100 * value:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]{apart}"


def geometric_mean(values: Iterable[float]) -> float:
    """Return the geometric mean."""
    logs = [math.log(one) for one in values]
    return math.exp(sum(logs) / len(logs))


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table in Markdown."""
    for row in (heads, ["---"] * len(heads), *rows):
        print(f"| {' | '.join(row)} |")
