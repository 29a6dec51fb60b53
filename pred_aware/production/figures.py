"""Figures of the service's own work."""

from collections import Counter, deque
from typing import Any

LATELY = 200
"""How many ended jobs are the last ones."""

_KEPT = 10 * LATELY
_LATENCIES = 10_000
_HOURS = 24
_HOUR = 3600.0


class Figures:
    """Counts of requests, how long they took, and how right the estimates were.

    Examples
    --------
    >>> figures = Figures()
    >>> for run_time in (30.0, 90.0):
    ...     figures.count_end(60.0, run_time)
    >>> figures.to_dict(0.0)["underestimated_lately"]
    0.5
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._latencies: deque[float] = deque(maxlen=_LATENCIES)
        self._errors: deque[tuple[float, bool]] = deque(maxlen=_KEPT)
        # (which hour, how many requests)
        self._hours: deque[tuple[float, int]] = deque(maxlen=_HOURS)

    def count_request(self, now: float) -> None:
        """Take note of a request for an estimate; `now` is of a clock that nobody sets."""
        self.counts["estimates"] += 1
        hour = now // _HOUR
        before = self._hours.pop()[1] if self._hours and self._hours[-1][0] == hour else 0
        self._hours.append((hour, before + 1))

    def count_answer(self, seconds: float) -> None:
        """Take note of how long an estimate took, from the request to the answer."""
        self._latencies.append(seconds)

    def count_end(self, estimate: float, run_time: float) -> None:
        """Count a finished job, with its estimate in seconds."""
        self._errors.append((abs(run_time - estimate), run_time > estimate))

    @property
    def outlived(self) -> float | None:
        """Which share of the last jobs outlived their estimates."""
        return _mean([float(under) for _, under in list(self._errors)[-LATELY:]])

    def to_dict(self, now: float) -> dict[str, Any]:
        """Return all of it; times in seconds, None where there is nothing yet.

        ``asked_lately`` counts the requests of the last 24 hours, as of `count_request`.

        ``drift`` is the mean absolute error of the last `LATELY` jobs over that of the last
        ten times as many: above 1, it has become worse.
        """
        # at one stroke: other threads take notes meanwhile
        errors = list(self._errors)
        lately = errors[-LATELY:]
        before = _mean([error for error, _ in errors])
        error = _mean([error for error, _ in lately])
        ordered = sorted(self._latencies)
        return {
            "requests": dict(sorted(self.counts.items())),
            "asked_lately": sum(
                number for hour, number in self._hours if hour > now // _HOUR - _HOURS
            ),
            "latency_median": _rank(ordered, 0.5),
            "latency_p99": _rank(ordered, 0.99),
            "ended_lately": len(lately),
            "underestimated_lately": self.outlived,
            "error_lately": error,
            "drift": error / before if error is not None and before else None,
        }


def _mean(values: list[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _rank(ordered: list[float], share: float) -> float | None:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)] if ordered else None
