"""State of a service: against an operator's limits, and as a monitor collects it."""

import math
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from pred_aware.report.plural import counted


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


AGAIN = 60.0
"""After how many seconds the log has another line of what goes on failing."""


@dataclass(slots=True)
class _Noted:
    at: float = -math.inf
    untold: int = 0
    last: str = ""


class Failures:
    """What went wrong, by what was being done; the log gets a line of each a minute at most.

    Examples
    --------
    >>> failures = Failures()
    >>> failures.add("feed", "no folder", date=1e9, now=0.0)
    'feed: no folder'
    >>> failures.add("feed", "no folder", date=1e9 + 5, now=5.0)
    >>> failures.due(now=60.0)
    ['feed: 1 more failure, the last: no folder']
    >>> failures.works("feed")
    >>> failures.failing, failures.last, failures.last_date
    ([], 'no folder', 1000000005.0)
    """

    def __init__(self) -> None:
        self.last: str | None = None
        self.last_date: float | None = None
        self._failing: set[str] = set()
        self._told: dict[str, _Noted] = {}

    @property
    def failing(self) -> list[str]:
        """What has failed and did not succeed since."""
        return sorted(self._failing)

    def add(self, what: str, message: str, *, date: float, now: float) -> str | None:
        """Take note of a failure; return the line for the log, if it is time for one.

        Parameters
        ----------
        what
            What was being done.
        message
            What went wrong.
        date, now
            A Unix date, and seconds of a clock that nobody sets.
        """
        self.last, self.last_date = message, date
        self._failing.add(what)
        told = self._told.setdefault(what, _Noted())
        if now - told.at < AGAIN:
            told.untold += 1
            told.last = message
            return None
        told.at = now
        return f"{what}: {message}"

    def works(self, what: str) -> None:
        """Take note that something was done."""
        self._failing.discard(what)

    def due(self, *, now: float) -> list[str]:
        """Return lines for the log: of what has failed since its last line."""
        lines = []
        for what, told in self._told.items():
            if told.untold and now - told.at >= AGAIN:
                lines.append(
                    f"{what}: {counted(told.untold, 'more failure')}, the last: {told.last}"
                )
                told.at, told.untold = now, 0
        return lines


def in_a_day(counts: Mapping[str, int], outlived: float | None) -> str:
    """Say what was done in a day, for the log.

    Parameters
    ----------
    counts
        What was counted in it.
    outlived
        Which share of the last jobs outlived their estimates.

    Examples
    --------
    >>> in_a_day({"ended": 5321, "estimates": 7200}, 0.09)
    'in a day: 5,321 jobs, 7,200 estimates, 0 failures; 9 % of the last jobs outlived theirs'
    """
    done = ", ".join(
        counted(counts.get(name, 0), word)
        for name, word in (("ended", "job"), ("estimates", "estimate"), ("failed", "failure"))
    )
    share = "" if outlived is None else f"; {100 * outlived:.0f} % of the last jobs outlived theirs"
    return f"in a day: {done}{share}"
