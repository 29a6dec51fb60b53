"""Report on a twin of a log: how similar the twin is, and what it could reveal about users."""

from collections.abc import Iterator

from rich.console import Console

from pred_aware.report.table import Table, duration, number
from pred_aware.report.terminal import show
from workload_tools.changes.twin import Closeness, Disclosure

NAMES = {
    "processors": "processors",
    "run_time": "run time",
    "walltime": "walltime",
    "ratio": "run time / walltime",
    "interarrival_time": "between submissions",
}


def print_twin(close: Closeness, revealed: Disclosure, to: Console) -> None:
    """Print how similar a twin is, and what it could reveal, as tables and sentences.

    Parameters
    ----------
    close
        The twin's similarity to the original log.
    revealed
        What the twin could reveal about the original log.
    to
        The terminal.
    """
    rows = []
    for distance in close.distances:
        figures = (distance.kolmogorov_smirnov, distance.typical_factor)
        means = (distance.original_mean, distance.twin_mean)
        if None in (*figures, *means):
            continue
        times = distance.name.endswith("time")
        averages = [duration(mean) if times else number(mean, 2) for mean in means]
        rows.append((NAMES[distance.name], *(number(figure, 4) for figure in figures), *averages))
    columns = ("", "Kolmogorov-Smirnov", "typical factor", "original mean", "twin's mean")
    show([Table("Similarity of the twin", columns, tuple(rows))], to)
    for correlation in close.correlations:
        if correlation.original is not None and correlation.twin is not None:
            to.print(
                f"rank correlation of {correlation.name.replace('_', ' ')}: "
                f"{correlation.original:.3f}, in the twin {correlation.twin:.3f}"
            )
    to.print(f"work: {100 * close.work:.2f} % of the original's work")
    to.print()
    to.print("What the twin could still reveal", style="bold")
    for sentence in sentences(revealed):
        to.print(f" - {sentence}", markup=False)


def sentences(revealed: Disclosure) -> Iterator[str]:
    """Return sentences on what a twin could still reveal.

    Parameters
    ----------
    revealed
        What the twin could reveal about the original log.
    """
    yield (
        f"{_percent(revealed.copied)} of the twin's jobs have a combination of size, walltime and "
        "run time that only one job of the original has."
    )
    yield (
        f"{_percent(revealed.same_second)} of the twin's jobs are submitted in the same second as "
        "a job of the same user in the original; "
        f"{_percent(revealed.in_place)} are in their original session."
    )
    yield (
        "If someone knows size, walltime, run time (within 10 %) and date (within an hour) of a "
        f"real job, the twin has a similar job in {_percent(revealed.found)} of cases. In "
        f"{_percent(revealed.found_right)} of cases, only one job of the twin is similar, and "
        "it was made from the real job."
    )
    yield (
        f"{revealed.known_by_count:,} of {revealed.users:,} users can be identified by their "
        "number of jobs. The twin then reveals when these users worked, because it keeps their "
        "numbers of jobs and their working times."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
