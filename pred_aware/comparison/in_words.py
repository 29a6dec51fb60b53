"""What a comparison says, in plain words."""

from pred_aware.comparison.comparison import AgainstBase, Comparison, RunSummary
from pred_aware.comparison.tables import percent_change
from pred_aware.report.durations import spoken

HOW_TO_READ = (
    "The mean wait is what users feel on average. The mean bounded slowdown says how many times "
    "its own length a job spends in the system, so it is about short jobs. The longest waits are "
    "the price of preferring short jobs: look at the maximum, at '24 h and over', at who loses and "
    "at the lower right of the picture before you like a mean. One log is one case: try others, "
    "and your own with --log."
)


def in_words(comparison: Comparison) -> list[str]:
    """Say what changes against the base, a paragraph for each run; runs without jobs left out.

    Parameters
    ----------
    comparison
        What `comparison.compare` found.
    """
    base = comparison.runs[0]
    return [
        _paragraph(base, run, other)
        for run, other in zip(comparison.runs[1:], comparison.against_base, strict=True)
        if base.jobs and run.jobs
    ]


def _paragraph(base: RunSummary, run: RunSummary, other: AgainstBase) -> str:
    waits = _instead(base, run, "mean_waiting_time") + _change(other, "mean_waiting_time")
    slowdowns = [one.figures["mean_bounded_slowdown"] for one in (run, base)]
    text = (
        f"{run.name}: a job waits {waits} on average; "
        f"the longest wait is {_instead(base, run, 'max_waiting_time')}; "
        f"the mean bounded slowdown is {slowdowns[0]:.1f} instead of {slowdowns[1]:.1f}."
    )
    if not other.jobs:
        return text
    return (
        f"{text} Of {other.jobs:,} jobs {other.at_most_the_same:,} "
        f"({100 * other.at_most_the_same / other.jobs:.0f} %) wait no longer than under "
        f"{base.name}; {other.shorter_by_1_h:,} start at least an hour earlier, "
        f"{other.longer_by_1_h:,} at least an hour later."
    )


def _instead(base: RunSummary, run: RunSummary, figure: str) -> str:
    new, old = run.figures[figure], base.figures[figure]
    assert new is not None
    assert old is not None
    if spoken(new) == spoken(old):
        return f"{spoken(new)}, as under {base.name}"
    return f"{spoken(new)} instead of {spoken(old)}"


def _change(other: AgainstBase, figure: str) -> str:
    change = other.improvement[figure]
    return "" if change is None else f" ({percent_change(change)})"
