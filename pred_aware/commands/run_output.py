"""What `run` and `batsim` have in common: options read, progress and figures shown."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pred_aware.errors import PredAwareError
from pred_aware.report.lines import say

FIGURES = (
    ("nb_jobs", "jobs", "d"),
    ("nb_jobs_rejected", "rejected", "d"),
    ("nb_jobs_killed", "killed at their walltime", "d"),
    ("makespan", "makespan, s", ".0f"),
    ("mean_waiting_time", "mean wait, s", ".2f"),
    ("max_waiting_time", "longest wait, s", ".0f"),
    ("mean_bounded_slowdown", "mean bounded slowdown (10 s)", ".2f"),
    ("max_bounded_slowdown", "largest bounded slowdown (10 s)", ".1f"),
)
"""What is shown of a run, its name and how it is written."""


def read_options(text: str | None) -> dict[str, Any]:
    """Read options given as a JSON object, or as ``@FILE`` with one.

    Raises
    ------
    PredAwareError
        Neither is there.
    """
    import msgspec

    if text is None:
        return {}
    try:
        content = Path(text[1:]).read_bytes() if text.startswith("@") else text.encode()
        options = msgspec.json.decode(content)
    except OSError as error:
        raise PredAwareError(f"options {text}: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise PredAwareError(f"options {text!r} are not JSON: {error}") from error
    if not isinstance(options, dict):
        raise PredAwareError(
            f'options are a JSON object such as \'{{"order": "sjf"}}\', not {text!r}'
        )
    return options


@contextmanager
def progress_bar(*, shown: bool) -> Iterator[Callable[[int, int], None] | None]:
    """Show a progress bar on standard error while the block runs."""
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    with Progress(
        BarColumn(),
        MofNCompleteColumn(),
        "jobs",
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task("jobs", total=None)
        yield lambda ended, total: bar.update(task, completed=ended, total=total)


def show_run(
    summary: Mapping[str, float | int | str],
    rejections: Counter[str],
    prefix: Path,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the figures of a run: one JSON object, or a few lines for people."""
    if as_json:
        import msgspec

        sys.stdout.write(msgspec.json.encode(summary).decode() + "\n")
    elif not quiet:
        for name, label, form in FIGURES:
            if name in summary:
                say(f"{label:>32}  {summary[name]:{form}}")
        files = f"{prefix}_jobs.csv, _schedule.csv, _machine_states.csv"
        if "corrections" in summary:
            files += ", _estimates.csv"
        say(f"{'written':>32}  {files}")
    if not quiet:
        _show_rejections(rejections)


def _show_rejections(rejections: Counter[str]) -> None:
    total = sum(rejections.values())
    if total:
        shown = "; ".join(f"{number} because it {why}" for why, number in rejections.most_common(3))
        rest = f"; and {len(rejections) - 3} more reasons" if len(rejections) > 3 else ""  # noqa: PLR2004
        say(f"pred-aware: {total} of the jobs were rejected: {shown}{rest}", error=True)
