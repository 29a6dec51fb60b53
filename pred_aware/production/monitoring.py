"""The state of a service: comparison with an operator's limits, and metrics for monitoring."""

from collections.abc import Mapping

import msgspec


class Healthy(msgspec.Struct, frozen=True, kw_only=True):
    """The service's health report; dates are Unix dates, times in seconds."""

    version: str
    predictor: str
    store: str
    """Predictor and store."""
    up: float
    """Start date of the service."""
    learned: int
    """Number of learned jobs."""
    learned_at: float | None = None
    """Date when it last learned a job; for jobs learned from the store at the start, the date of
    their end.
    """
    clients: int
    """Number of connected clients."""
    requests: dict[str, int]
    """Counts of requests and outcomes."""
    asked_lately: int = 0
    """Requests for estimates in the last 24 hours."""
    latency_median: float | None = None
    latency_p99: float | None = None
    """Latency of recent estimates."""
    ended_lately: int = 0
    """Number of recently ended jobs that the next three figures cover."""
    underestimated_lately: float | None = None
    error_lately: float | None = None
    drift: float | None = None
    """Share of jobs that ran longer than their estimates, mean error, and this error divided by the
    longer-term one.
    """
    failing: tuple[str, ...] = ()
    """Operations that failed and have not succeeded since."""
    last_error: str | None = None
    last_error_date: float | None = None
    """Last error, even if it is over."""


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


def broken(limits: HealthLimits, told: Healthy, *, now: float) -> list[str]:
    """Return a line for each limit that a service exceeds.

    Parameters
    ----------
    limits
        The limits.
    told
        The service's health report.
    now
        The current Unix date.

    Examples
    --------
    >>> told = Healthy(
    ...     version="1", predictor="pbs_v3", store="jobs.db", up=9.0, learned=0, clients=0,
    ...     requests={}, ended_lately=200, underestimated_lately=0.36,
    ... )  # fmt: skip
    >>> broken(HealthLimits(max_outlived=0.3, min_requests=0), told, now=1e9)
    ['--max-outlived 0.3: 36.0 % of the last 200 jobs outlived their estimate']
    """
    found = []
    most, share = limits.max_outlived, told.underestimated_lately
    if most is not None and share is not None and share > most:
        found.append(
            f"--max-outlived {most:g}: {share:.1%} of the last {told.ended_lately} jobs outlived "
            "their estimate".replace("%", " %")
        )
    oldest = limits.max_age
    if oldest is not None and told.learned_at is None:
        found.append(f"--max-age {oldest:g}: no job has been learned")
    elif oldest is not None and told.learned_at is not None and now - told.learned_at > oldest:
        found.append(
            f"--max-age {oldest:g}: the last job was learned {now - told.learned_at:,.0f} s ago"
        )
    least = limits.min_requests
    if least is not None and told.asked_lately < least:
        found.append(
            f"--min-requests {least}: {told.asked_lately:,} estimates were requested in the last "
            "24 hours"
        )
    if limits.no_failure and told.failing:
        found.append(f"--no-failure: {', '.join(told.failing)}: {told.last_error}")
    return found


EVENTS = (
    *("estimates", "unknown", "too_late", "ended", "refused", "failed"),
    *("lost", "turned_away", "reloads"),
)
"""Events that the service counts since its start."""


def exposition(told: Healthy | None) -> str:
    """Return the health report in Prometheus's text format (0.0.4), for a file collector.

    Parameters
    ----------
    told
        The health report; None if the service does not answer.

    Examples
    --------
    >>> print(exposition(None), end="")
    # HELP pred_aware_up Whether the service answers.
    # TYPE pred_aware_up gauge
    pred_aware_up 0
    """
    lines = _metric("up", "gauge", "Whether the service answers.", {"": int(told is not None)})
    if told is None:
        return "".join(lines)
    labels = f'version="{_escaped(told.version)}",predictor="{_escaped(told.predictor)}"'
    info = {labels: 1}
    events = {f'event="{name}"': told.requests.get(name, 0) for name in EVENTS}
    latency = {'rank="0.5"': told.latency_median, 'rank="0.99"': told.latency_p99}
    for name, kind, words, values in (
        ("info", "gauge", "Version and predictor of the service.", info),
        ("uptime_seconds", "gauge", "Time since the start of the service.", {"": told.up}),
        ("events_total", "counter", "Requests and their outcomes.", events),
        ("clients", "gauge", "Connected clients.", {"": told.clients}),
        ("estimate_seconds", "gauge", "Latency of recent estimates.", latency),
        ("learned_jobs", "gauge", "Learned jobs.", {"": told.learned}),
        (
            "last_learned_timestamp_seconds", "gauge", "Date when a job was last learned.",
            {"": told.learned_at},
        ),
        (
            "outlived_ratio", "gauge", "Share of recent jobs that ran longer than estimated.",
            {"": told.underestimated_lately},
        ),
        (
            "error_seconds", "gauge", "Mean absolute error of recent jobs' estimates.",
            {"": told.error_lately},
        ),
        ("drift_ratio", "gauge", "That error over that of ten times as many.", {"": told.drift}),
        ("failing", "gauge", "Operations that fail.", {"": len(told.failing)}),
        (
            "last_error_timestamp_seconds", "gauge", "Date of the last error.",
            {"": told.last_error_date},
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
