"""Progress of a campaign on standard error, and closing lines."""

import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.making.dispatch import Progress
from pred_aware.campaign.specification import RunKey
from pred_aware.log.workload import Resample, Shake
from pred_aware.report.durations import timespan
from pred_aware.report.lines import say
from pred_aware.report.plural import counted
from pred_aware.report.table import Table, number, percent

SELDOM = 30.0
"""Seconds between two lines if standard error is not a terminal."""

ShowProgress = Callable[[Progress], None]


@contextmanager
def progress_shown(*, shown: bool) -> Iterator[ShowProgress | None]:
    """Show a campaign's progress during the block; without a terminal, a line at intervals."""
    if not shown:
        yield None
    elif sys.stderr.isatty():
        with _line() as show:
            yield show
    else:
        yield _ShownLines()


def in_words(progress: Progress) -> str:
    """Return the progress of a campaign as text, with an estimate of the remaining time."""
    done = progress.there + progress.made
    text = f"{done:,} of {counted(done + progress.to_do, 'run')}"
    if progress.failed:
        text += f", {len(progress.failed):,} failed"
    text += f", {timespan(progress.seconds)}"
    if progress.made and progress.to_do:
        left = progress.seconds / progress.made * progress.to_do
        text += f", about {timespan(left)} to go"
    return text


def closing_lines(done: Progress, store: Path, file: Path) -> Iterator[str]:
    """Yield closing lines: how many runs were made, and which command shows the results."""
    # without new runs there is no CPU time to show
    cpu = f" ({timespan(done.cpu_seconds)} of CPU)" if done.cpu_seconds else ""
    yield (
        f"{counted(done.made, 'run')} made in {timespan(done.seconds)}{cpu}, "
        f"{done.there:,} existed already; all are in {store}"
    )
    yield f"see `pred-aware campaign table {file}`"


class _ShownLines:
    def __init__(self) -> None:
        self._last = monotonic()

    def __call__(self, progress: Progress) -> None:
        if monotonic() - self._last >= SELDOM:
            self._last = monotonic()
            say(in_words(progress), error=True)


@contextmanager
def _line() -> Iterator[ShowProgress]:
    from rich.console import Console
    from rich.status import Status

    with Status("", console=Console(stderr=True)) as status:
        yield lambda progress: status.update(in_words(progress))


MANY = 100
"""With more pairs of policy and log, `status_table` combines swept policies."""


@dataclass(frozen=True, slots=True)
class Status:
    """Progress of a policy on a log."""

    log: str
    policy: str
    """Names of the log and the policy."""
    as_it_is: bool
    """True if the unperturbed log was simulated."""
    shakes: int
    wanted: int
    """Numbers of finished and of needed perturbed copies, as known so far."""
    resamples: int
    """Number of finished resamples that the campaign requests."""
    failed: int
    """Number of failed runs."""
    known_to: dict[str, float | None]
    """By measure: half of the difference's confidence interval, as a fraction of the baseline's
    mean; ``None`` if unknown.
    """
    over: bool | None
    """True if no more perturbed copies are needed; ``None`` for the baseline."""


def statuses(agenda: Agenda) -> list[Status]:
    """Return the progress of each policy on each log."""
    campaign = agenda.campaign
    failed = Counter((place.log, place.policy) for place in agenda.failed)
    done = Counter((place.log, place.policy, type(place.copy)) for place in agenda.figures)
    found = []
    for log, one in enumerate(campaign.logs):
        for policy, other in enumerate(campaign.policies):
            pair = agenda.pairs.get((log, policy))
            known = {} if pair is None else pair.differences
            found.append(
                Status(
                    log=one.name,
                    policy=other.name,
                    as_it_is=RunKey(log, policy) in agenda.figures,
                    shakes=done[log, policy, Shake],
                    wanted=agenda.copies_needed(log, policy),
                    resamples=done[log, policy, Resample],
                    failed=failed[log, policy],
                    known_to={name: one.half_width for name, one in known.items()},
                    over=None if pair is None else pair.over,
                )
            )
    return found


def status_table(agenda: Agenda) -> Table:
    """Return a table of finished and needed runs for each log and policy.

    If there are many policies, those swept from one table of the file share a row.
    """
    campaign = agenda.campaign
    measure = next(iter(campaign.precision))
    found = statuses(agenda)
    if len(found) > MANY:
        tables = {one.name: one.table for one in campaign.policies}
        together: dict[tuple[str, str], list[Status]] = defaultdict(list)
        for one in found:
            together[one.log, tables[one.policy]].append(one)
        rows = [_row_of_many(*key, several) for key, several in together.items()]
    else:
        rows = [_status_row(one, measure) for one in found]
    if not campaign.resampled:
        rows = [(*row[:4], *row[5:]) for row in rows]
    others = ("resamples", "failed") if campaign.resampled else ("failed",)
    return Table(
        f"{campaign.name}: {counted(len(agenda.figures), 'run')} finished, {agenda.to_do:,} to do",
        ("log: policy", "unperturbed", "copies", "needed copies", *others, "precision"),
        tuple(rows),
        note="Copies: finished runs on perturbed copies of the log. Precision: half of the "
        f"interval of the difference in {measure}, relative to {campaign.baseline}'s mean.",
    )


def _row_of_many(log: str, table: str, several: list[Status]) -> tuple[str, ...]:
    """Return one row for all policies of a sweep, with the sums of their numbers."""
    over = sum(one.over is not False for one in several)
    names = ("as_it_is", "shakes", "wanted", "resamples", "failed")
    many = "" if len(several) == 1 else f", {counted(len(several), 'policy', 'policies')}"
    return (
        f"{log}: {table}{many}",
        *(number(sum(getattr(one, name) for one in several)) for name in names),
        f"{over} of {len(several)} done",
    )


def _status_row(status: Status, measure: str) -> tuple[str, ...]:
    return (
        f"{status.log}: {status.policy}",
        "yes" if status.as_it_is else "no",
        *map(number, (status.shakes, status.wanted, status.resamples, status.failed)),
        "the baseline" if status.over is None else percent(status.known_to.get(measure)),
    )
