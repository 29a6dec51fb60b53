"""State of a service: against an operator's limits, and as a monitor collects it."""

from collections.abc import Mapping

import msgspec


class Healthy(msgspec.Struct, frozen=True, kw_only=True):
    """How the service says that it is; dates are Unix dates, times in seconds."""

    version: str
    predictor: str
    store: str
    """Of what it is made."""
    up: float
    """Since when it serves."""
    learned: int
    """How many jobs."""
    learned_at: float | None = None
    """When it last learned one; of those that were in the store when it began, when they ended."""
    clients: int
    """How many are connected."""
    requests: dict[str, int]
    """Counts of requests, and of what became of them."""
    asked_lately: int = 0
    """How many estimates were asked for in the last 24 hours."""
    latency_median: float | None = None
    latency_p99: float | None = None
    """Of the last estimates."""
    ended_lately: int = 0
    """How many jobs that ended last the next three are of."""
    underestimated_lately: float | None = None
    error_lately: float | None = None
    drift: float | None = None
    """The share that outlived its estimate, the mean error, and that over the one before."""
    failing: tuple[str, ...] = ()
    """What has failed and did not succeed since."""
    last_error: str | None = None
    last_error_date: float | None = None
    """What went wrong last, be it past or not."""


class HealthLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What an operator wants to hear of; None is not looked at."""

    max_outlived: float | None = None
    """The largest share of the last jobs that may outlive their estimates, from 0 to 1."""
    max_age: float | None = None
    """For how many seconds nothing need be learned."""
    min_requests: int | None = None
    """How many estimates must have been asked for in the last 24 hours."""
    no_failure: bool = False
    """Whether nothing may be failing."""


def broken(limits: HealthLimits, told: Healthy, *, now: float) -> list[str]:
    """Say which limits a service does not keep, a line each.

    Parameters
    ----------
    limits
        Which there are.
    told
        What the service says.
    now
        A Unix date.

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
        found.append(f"--max-age {oldest:g}: no job was ever learned")
    elif oldest is not None and told.learned_at is not None and now - told.learned_at > oldest:
        found.append(
            f"--max-age {oldest:g}: the last job was learned {now - told.learned_at:,.0f} s ago"
        )
    least = limits.min_requests
    if least is not None and told.asked_lately < least:
        found.append(
            f"--min-requests {least}: {told.asked_lately:,} estimates were asked for in the last "
            "24 hours"
        )
    if limits.no_failure and told.failing:
        found.append(f"--no-failure: {', '.join(told.failing)}: {told.last_error}")
    return found


EVENTS = (
    *("estimates", "unknown", "too_late", "ended", "refused", "failed"),
    *("lost", "turned_away", "reloads"),
)
"""What the service counts, from the start on."""


def exposition(told: Healthy | None) -> str:
    """Write it in Prometheus's text format (0.0.4), for a collector of files.

    Parameters
    ----------
    told
        What the service says, None where it does not answer.

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
        ("info", "gauge", "What the service is.", info),
        ("uptime_seconds", "gauge", "For how long it has been serving.", {"": told.up}),
        ("events_total", "counter", "What was asked, and what became of it.", events),
        ("clients", "gauge", "How many clients are connected.", {"": told.clients}),
        ("estimate_seconds", "gauge", "How long the last estimates took.", latency),
        ("learned_jobs", "gauge", "How many jobs are learned.", {"": told.learned}),
        (
            "last_learned_timestamp_seconds", "gauge", "When a job was last learned.",
            {"": told.learned_at},
        ),
        (
            "outlived_ratio", "gauge", "Share of the last jobs that outlived their estimate.",
            {"": told.underestimated_lately},
        ),
        (
            "error_seconds", "gauge", "Mean absolute error of the last jobs' estimates.",
            {"": told.error_lately},
        ),
        ("drift_ratio", "gauge", "That error over the one of ten times as many.", {"": told.drift}),
        ("failing", "gauge", "How many kinds of work fail.", {"": len(told.failing)}),
        (
            "last_error_timestamp_seconds", "gauge", "When something last went wrong.",
            {"": told.last_error_date},
        ),
    ):  # fmt: skip
        lines += _metric(name, kind, words, values)
    return "".join(lines)


def _metric(name: str, kind: str, words: str, values: Mapping[str, float | None]) -> list[str]:
    """Return the lines of a metric by its labels; none where nothing is known of it."""
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
