"""Progress of a campaign, in runs and in time: on standard error, and what is said of it then."""

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
"""Seconds between two lines where there is no terminal."""

Told = Callable[[Progress], None]


@contextmanager
def progress_shown(*, shown: bool) -> Iterator[Told | None]:
    """Show how far a campaign is while the block runs: a line that changes, or now and then one."""
    if not shown:
        yield None
    elif sys.stderr.isatty():
        with _line() as told:
            yield told
    else:
        yield _ShownLines()


def in_words(progress: Progress) -> str:
    """Say how far a campaign is, and about when it will be done."""
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
    """Say what was made, and which command shows it."""
    # of runs that jobs have made, it stands with each
    cpu = f" ({spoken(done.cpu_seconds)} of CPU)" if done.cpu_seconds else ""
    yield (
        f"{counted(done.made, 'run')} made in {spoken(done.seconds)}{cpu}, {done.there:,} were "
        f"there; all are in {store}"
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
