"""What `run` and `batsim` have in common: options read, progress and figures shown."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pred_aware.commands.options.outputs import print_json
from pred_aware.errors import PredAwareError
from pred_aware.report.lines import say
from pred_aware.report.plural import counted

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

NOTHING = "-"
"""What is shown in the place of a mean of no jobs."""

REASONS = 3
"""How many reasons of rejections are told."""

PLURALS = {"asks": "ask", "does": "do", "has": "have", "is": "are", "needs": "need", "was": "were"}
"""Of the verbs with which reasons begin."""


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
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise PredAwareError(f"options {text!r} are not JSON: {error}") from error
    if not isinstance(options, dict):
        raise PredAwareError(
            f'options are a JSON object such as \'{{"order": "sjf"}}\', not {text!r}'
        )
    return options


HISTORY_HELP = (
    "Past jobs to learn first: a job log as `predict` reads them, a workload, or a CSV table; or "
    'JSON with the file and options of its format, such as \'{"file": "sacct.txt", "format": '
    '"slurm"}\'.'
)


@contextmanager
def progress_bar(*, shown: bool, what: str = "jobs") -> Iterator[Callable[[int, int], None] | None]:
    """Show a progress bar on standard error while the block runs."""
    if not shown:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

    with Progress(
        BarColumn(),
        MofNCompleteColumn(),
        what,
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(what, total=None)
        yield lambda ended, total: bar.update(task, completed=ended, total=total)


def show_run(
    summary: Mapping[str, float | int | str | None],
    rejections: Counter[str],
    prefix: Path,
    *,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the figures of a run: one JSON object, or a few lines for people."""
    if as_json:
        print_json(summary)
    elif not quiet:
        for name, label, form in FIGURES:
            if name in summary:
                value = summary[name]
                text = NOTHING if value is None else f"{value:{form}}"
                say(f"{label:>32}  {text}")
        files = f"{prefix}_jobs.csv, _schedule.csv, _machine_states.csv"
        if "corrections" in summary:
            files += ", _estimates.csv"
        for name in ("_blocks.csv", "_trust.csv"):
            files += f", {name}" if Path(f"{prefix}{name}").is_file() else ""
        files += ", _run.json"
        say(f"{'written':>32}  {files}")
    if not quiet:
        _show_rejections(rejections)


def _show_rejections(rejections: Counter[str]) -> None:
    total = sum(rejections.values())
    if not total:
        return
    if total == 1:
        told = f"1 job was rejected: it {next(iter(+rejections))}"
    else:
        reasons = [f"{n:,} {_of_many(why, n)}" for why, n in rejections.most_common(REASONS)]
        if len(rejections) > REASONS:
            reasons.append(f"and {counted(len(rejections) - REASONS, 'more reason')}")
        told = f"{total:,} jobs were rejected: {'; '.join(reasons)}"
    say(f"pred-aware: {told}", error=True)


def _of_many(why: str, number: int) -> str:
    """Say of several jobs what is said of one, such as that it has no walltime."""
    verb, _, rest = why.partition(" ")
    if number == 1:
        return why
    return f"{PLURALS[verb]} {rest}" if verb in PLURALS else f"each {why}"
