"""The state of a service: comparison with an operator's limits, and metrics for monitoring."""

import math
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from pred_aware.report.plural import counted


class Healthy(msgspec.Struct, frozen=True, kw_only=True):
    """The service's health report; dates are Unix dates, times are in seconds."""

    version: str
    predictor: str
    store: str
    """Names of the predictor and the store."""
    up: float
    """Seconds since the start of the service."""
    learned: int
    """Number of learned jobs."""
    learned_at: float | None = None
    """Date when the service last learned a job; for jobs that it learned from the store at its
    start, the date of their end.
    """
    clients: int
    """Number of connected clients."""
    requests: dict[str, int]
    """Counts by name of the event; see `EVENTS`."""
    asked_lately: int = 0
    """Requests for estimates in the last 24 hours."""
    latency_median: float | None = None
    latency_p99: float | None = None
    """Latency of recent estimates: median and 99th percentile."""
    ended_lately: int = 0
    """Number of ended jobs for the next three values, at most `LATELY`."""
    underestimated_lately: float | None = None
    error_lately: float | None = None
    drift: float | None = None
    """Share of these jobs that ran longer than their estimates; the mean absolute error of their
    estimates; and this error divided by the mean error of the last 2,000 jobs.
    """
    failing: tuple[str, ...] = ()
    """Operations that failed and have not succeeded since."""
    last_error: str | None = None
    last_error_date: float | None = None
    """The last error and its date, even if the operation has succeeded since."""


class HealthLimits(msgspec.Struct, frozen=True, kw_only=True):
    """An operator's limits; None means no limit."""

    max_outlived: float | None = None
    """Largest share of recent jobs that may run longer than their estimates, from 0 to 1."""
    max_age: float | None = None
    """Longest time without a learned job, in seconds."""
    min_requests: int | None = None
    """Fewest requests for estimates in the last 24 hours."""
    no_failure: bool = False
    """True if no operation may be failing."""


def broken(limits: HealthLimits, health: Healthy, *, now: float) -> list[str]:
    """Return a line for each limit that a service exceeds.

    Parameters
    ----------
    limits
        The limits.
    health
        The service's health report.
    now
        The current Unix date.

    Examples
    --------
    >>> health = Healthy(
    ...     version="1", predictor="pbs_v3", store="jobs.db", up=9.0, learned=0, clients=0,
    ...     requests={}, ended_lately=200, underestimated_lately=0.36,
    ... )  # fmt: skip
    >>> broken(HealthLimits(max_outlived=0.3, min_requests=0), health, now=1e9)
    ['--max-outlived 0.3: 36.0 % of the last 200 jobs ran longer than their estimates']
    """
    found = []
    most, share = limits.max_outlived, health.underestimated_lately
    if most is not None and share is not None and share > most:
        found.append(
            f"--max-outlived {most:g}: {share:.1%} of the last {health.ended_lately} jobs ran "
            "longer than their estimates".replace("%", " %")
        )
    oldest = limits.max_age
    if oldest is not None and health.learned_at is None:
        found.append(f"--max-age {oldest:g}: no job has been learned")
    elif oldest is not None and health.learned_at is not None and now - health.learned_at > oldest:
        found.append(
            f"--max-age {oldest:g}: the last job was learned {now - health.learned_at:,.0f} s ago"
        )
    least = limits.min_requests
    if least is not None and health.asked_lately < least:
        found.append(
            f"--min-requests {least}: {health.asked_lately:,} estimates were requested in the last "
            "24 hours"
        )
    if limits.no_failure and health.failing:
        found.append(f"--no-failure: {', '.join(health.failing)}: {health.last_error}")
    return found


EVENTS = (
    *("estimates", "unknown", "too_late", "ended", "refused", "failed"),
    *("lost", "turned_away", "reloads"),
)
"""Events that the service counts since its start."""


def exposition(health: Healthy | None) -> str:
    """Return the health report in Prometheus's text format (0.0.4), for a file collector.

    Parameters
    ----------
    health
        The health report; None if the service does not answer.

    Examples
    --------
    >>> print(exposition(None), end="")
    # HELP pred_aware_up Whether the service answers.
    # TYPE pred_aware_up gauge
    pred_aware_up 0
    """
    lines = _metric("up", "gauge", "Whether the service answers.", {"": int(health is not None)})
    if health is None:
        return "".join(lines)
    labels = f'version="{_escaped(health.version)}",predictor="{_escaped(health.predictor)}"'
    info = {labels: 1}
    events = {f'event="{name}"': health.requests.get(name, 0) for name in EVENTS}
    latency = {'rank="0.5"': health.latency_median, 'rank="0.99"': health.latency_p99}
    for name, kind, words, values in (
        ("info", "gauge", "Version and predictor of the service.", info),
        ("uptime_seconds", "gauge", "Time since the start of the service.", {"": health.up}),
        ("events_total", "counter", "Requests and ended jobs by event.", events),
        ("clients", "gauge", "Connected clients.", {"": health.clients}),
        ("estimate_seconds", "gauge", "Latency of recent estimates.", latency),
        ("learned_jobs", "gauge", "Learned jobs.", {"": health.learned}),
        (
            "last_learned_timestamp_seconds", "gauge", "Date when a job was last learned.",
            {"": health.learned_at},
        ),
        (
            "outlived_ratio", "gauge", "Share of recent jobs that ran longer than estimated.",
            {"": health.underestimated_lately},
        ),
        (
            "error_seconds", "gauge", "Mean absolute error of recent jobs' estimates.",
            {"": health.error_lately},
        ),
        (
            "drift_ratio", "gauge", "Mean error of recent jobs / of ten times as many jobs.",
            {"": health.drift},
        ),
        ("failing", "gauge", "Number of operations that fail now.", {"": len(health.failing)}),
        (
            "last_error_timestamp_seconds", "gauge", "Date of the last error.",
            {"": health.last_error_date},
        ),
    ):  # fmt: skip
        lines += _metric(name, kind, words, values)
    return "".join(lines)


def _metric(name: str, kind: str, words: str, values: Mapping[str, float | None]) -> list[str]:
    """Return the lines of a metric by its labels; none if it has no values."""
    name = f"pred_aware_{name}"
    known = {labels: value for labels, value in values.items() if value is not None}
    if not known:
        return []
    return [
        f"# HELP {name} {words}\n",
        f"# TYPE {name} {kind}\n",
        *(f"{name}{f'{{{labels}}}' if labels else ''} {known[labels]!r}\n" for labels in known),
    ]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


LATELY = 200
"""Number of ended jobs that the recent values cover."""

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
        # pairs: index of the hour, number of requests in this hour
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
        """Return all values; times are in seconds, and None means no data yet.

        ``asked_lately`` is the number of requests in the last 24 hours. ``drift`` is the mean
        absolute error of the last `LATELY` jobs divided by that of ten times as many; above 1, the
        error has increased.
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


AGAIN = 60.0
"""Seconds between two log lines about a continuing failure."""


@dataclass(slots=True)
class _FailureCount:
    at: float = -math.inf
    unreported: int = 0
    last: str = ""


class Failures:
    """Failures by operation; the log gets at most one line per minute for each operation.

    Examples
    --------
    >>> failures = Failures()
    >>> failures.add("feed", "no folder", date=1e9, now=0.0)
    'feed: no folder'
    >>> failures.add("feed", "no folder", date=1e9 + 5, now=5.0)
    >>> failures.due(now=60.0)
    ['feed: 1 more failure, the last: no folder']
    >>> failures.succeeded("feed")
    >>> failures.failing, failures.last, failures.last_date
    ([], 'no folder', 1000000005.0)
    """

    def __init__(self) -> None:
        self.last: str | None = None
        self.last_date: float | None = None
        self._failing: set[str] = set()
        self._failures: dict[str, _FailureCount] = {}

    @property
    def failing(self) -> list[str]:
        """Operations that failed and have not succeeded since."""
        return sorted(self._failing)

    def add(self, what: str, message: str, *, date: float, now: float) -> str | None:
        """Record a failure; return a line for the log, or None within a minute of the last line.

        Parameters
        ----------
        what
            The operation.
        message
            The error.
        date, now
            The time of the failure as a Unix date, and in seconds of a monotonic clock.
        """
        self.last, self.last_date = message, date
        self._failing.add(what)
        failure = self._failures.setdefault(what, _FailureCount())
        if now - failure.at < AGAIN:
            failure.unreported += 1
            failure.last = message
            return None
        failure.at = now
        return f"{what}: {message}"

    def succeeded(self, what: str) -> None:
        """Record that an operation succeeded."""
        self._failing.discard(what)

    def due(self, *, now: float) -> list[str]:
        """Return lines for the log about failures since the last line."""
        lines = []
        for what, failure in self._failures.items():
            if failure.unreported and now - failure.at >= AGAIN:
                lines.append(
                    f"{what}: {counted(failure.unreported, 'more failure')}, "
                    f"the last: {failure.last}"
                )
                failure.at, failure.unreported = now, 0
        return lines


def in_a_day(counts: Mapping[str, int], outlived: float | None) -> str:
    """Return a summary of a day, for the log.

    Parameters
    ----------
    counts
        The day's counts.
    outlived
        Share of recent jobs that ran longer than their estimates.

    Examples
    --------
    >>> in_a_day({"ended": 5321, "estimates": 7200}, 0.09)
    'in a day: 5,321 ended jobs, 7,200 estimates, 0 failures; 9 % of jobs ran longer than estimated'
    """
    done = ", ".join(
        counted(counts.get(name, 0), word)
        for name, word in (("ended", "ended job"), ("estimates", "estimate"), ("failed", "failure"))
    )
    share = (
        "" if outlived is None else f"; {100 * outlived:.0f} % of jobs ran longer than estimated"
    )
    return f"in a day: {done}{share}"
