"""Figures about the service's own work."""

from collections import Counter, deque
from typing import Any

LATELY = 200
"""Number of ended jobs that the recent figures cover."""

_KEPT = 10 * LATELY
_LATENCIES = 10_000
_HOURS = 24
_HOUR = 3600.0


class Figures:
    """Counts and latencies of requests, and errors of estimates.

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
        # (index of the hour, number of requests)
        self._hours: deque[tuple[float, int]] = deque(maxlen=_HOURS)

    def count_request(self, now: float) -> None:
        """Count a request for an estimate; `now` is a time of a monotonic clock."""
        self.counts["estimates"] += 1
        hour = now // _HOUR
        before = self._hours.pop()[1] if self._hours and self._hours[-1][0] == hour else 0
        self._hours.append((hour, before + 1))

    def count_answer(self, seconds: float) -> None:
        """Record the seconds from a request for an estimate to its answer."""
        self._latencies.append(seconds)

    def count_end(self, estimate: float, run_time: float) -> None:
        """Count a finished job, with its estimate and run time in seconds."""
        self._errors.append((abs(run_time - estimate), run_time > estimate))

    @property
    def outlived(self) -> float | None:
        """Share of the recent jobs that ran longer than their estimates."""
        return _mean([float(under) for _, under in list(self._errors)[-LATELY:]])

    def to_dict(self, now: float) -> dict[str, Any]:
        """Return all figures; times are in seconds, and None means no data yet.

        ``asked_lately`` is the number of requests in the last 24 hours, by the clock of
        `count_request`. ``drift`` is the mean absolute error of the last `LATELY` jobs divided by
        that of ten times as many; above 1, the error has increased.
        """
        # a copy, because other threads add values meanwhile
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
