"""The output of a study: progress, the answer, the page and the data."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pred_aware.report.lines import say
from pred_aware.report.page import write
from pred_aware.report.terminal import console, show
from pred_aware.study.content import content_of, policies_tables
from pred_aware.study.folder import JSON, PAGE, write_json
from pred_aware.study.request import OnProgress
from pred_aware.study.study import Study


def publish(study: Study, folder: Path, *, command: str) -> None:
    """Write the page and its data into the study's folder.

    Parameters
    ----------
    study
        The finished study.
    folder
        The study's folder.
    command
        The command that repeats the study.

    Raises
    ------
    InputError
        A file cannot be written.
    """
    write_json({**study.to_dict(), "command": command}, folder / JSON)
    write(folder / PAGE, content_of(study, command=command))


@contextmanager
def progress_shown(*, shown: bool) -> Iterator[OnProgress]:
    """Show the current step while the block runs, on one changing line or a line for each step."""
    if not shown:
        yield lambda _: None
    elif sys.stderr.isatty():
        with _line() as show:
            yield show
    else:
        yield _Steps()


class _Steps:
    """Prints each step once, without a terminal. A step is the text before the colon."""

    def __init__(self) -> None:
        self._last = ""

    def __call__(self, line: str) -> None:
        step = line.partition(":")[0]
        if step != self._last:
            self._last = step
            say(step, error=True)


@contextmanager
def _line() -> Iterator[OnProgress]:
    from rich.console import Console
    from rich.markup import escape
    from rich.status import Status

    with Status("", console=Console(stderr=True)) as status:
        yield lambda line: status.update(escape(line))


def show_study(study: Study, *, page: Path, data: Path) -> None:
    """Print the answer, the table of policies, and the paths of the page and the data.

    Parameters
    ----------
    study
        The finished study.
    page, data
        The written files.
    """
    verdict = study.verdict
    terminal = console()
    terminal.print(verdict.headline, markup=False, style="bold")
    for sentence in verdict.sentences:
        terminal.print(sentence, markup=False)
    if verdict.has_figures:
        terminal.print()
        show(policies_tables(study), terminal)
    terminal.print(f"Next: {verdict.next}", markup=False)
    say(f"Page: {page}")
    say(f"Data: {data}")
