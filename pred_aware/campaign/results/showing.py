"""Progress of a campaign on standard error, and closing lines."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from pred_aware.campaign.making.dispatch import Progress
from pred_aware.report.durations import spoken
from pred_aware.report.lines import say
from pred_aware.report.plural import counted

SELDOM = 30.0
"""Seconds between two lines if standard error is not a terminal."""

Told = Callable[[Progress], None]


@contextmanager
def progress_shown(*, shown: bool) -> Iterator[Told | None]:
    """Show a campaign's progress during the block; without a terminal, a line at intervals."""
    if not shown:
        yield None
    elif sys.stderr.isatty():
        with _line() as told:
            yield told
    else:
        yield _ShownLines()


def in_words(progress: Progress) -> str:
    """Return the progress of a campaign as text, with an estimate of the remaining time."""
    done = progress.there + progress.made
    told = f"{done:,} of {counted(done + progress.to_do, 'run')}"
    if progress.failed:
        told += f", {len(progress.failed):,} failed"
    told += f", {spoken(progress.seconds)}"
    if progress.made and progress.to_do:
        left = progress.seconds / progress.made * progress.to_do
        told += f", about {spoken(left)} to go"
    return told


def made_in_words(done: Progress, store: Path, file: Path) -> Iterator[str]:
    """Yield closing lines: what was made, and which command shows it."""
    # the CPU time of runs made by batch jobs is stored with each run
    cpu = f" ({spoken(done.cpu_seconds)} of CPU)" if done.cpu_seconds else ""
    yield (
        f"{counted(done.made, 'run')} made in {spoken(done.seconds)}{cpu}, {done.there:,} existed "
        f"already; all are in {store}"
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
def _line() -> Iterator[Told]:
    from rich.console import Console
    from rich.status import Status

    with Status("", console=Console(stderr=True)) as status:
        yield lambda progress: status.update(in_words(progress))
