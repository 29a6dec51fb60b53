"""Report on a synthetic twin of a log: its similarity, and what it could still reveal."""

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
    """Print both reports as tables and sentences.

    Parameters
    ----------
    close, revealed
        The twin's figures.
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
    columns = ("", "Kolmogorov-Smirnov", "typical factor", "mean of the original", "of the twin")
    show([Table("Similarity of the twin", columns, tuple(rows))], to)
    for correlation in close.correlations:
        if correlation.original is not None and correlation.twin is not None:
            to.print(
                f"rank correlation of {correlation.name.replace('_', ' ')}: "
                f"{correlation.original:.3f}, in the twin {correlation.twin:.3f}"
            )
    to.print(f"work: {100 * close.work:.2f} % of the original's")
    to.print()
    to.print("What it could still reveal", style="bold")
    for sentence in sentences(revealed):
        to.print(f" - {sentence}", markup=False)


def sentences(revealed: Disclosure) -> Iterator[str]:
    """Return sentences on what a twin could still reveal.

    Parameters
    ----------
    revealed
        The figures.
    """
    yield (
        f"{_percent(revealed.copied)} of its jobs have a combination of size, walltime and run "
        "time that "
        "only one job of the original has."
    )
    yield (
        f"{_percent(revealed.same_second)} are submitted in the same second as a job of the same "
        "user "
        f"in the original; {_percent(revealed.in_place)} are in their original session."
    )
    yield (
        "Someone who knows size, walltime, run time (within 10 %) and date (within an hour) of a "
        "real job "
        f"finds a similar job in {_percent(revealed.found)} of cases; in "
        f"{_percent(revealed.found_right)} it is the only one and was derived from that job."
    )
    yield (
        f"{revealed.known_by_count:,} of {revealed.users:,} users can be identified by their "
        "number of "
        "jobs, which reveals the times at which they worked: the twin keeps both."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
