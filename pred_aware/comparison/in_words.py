"""What a comparison says, in plain words."""

from pred_aware.comparison.cells import mean_cell
from pred_aware.comparison.comparison import Comparison
from pred_aware.comparison.shaken import Shaken
from pred_aware.comparison.summaries import AgainstBase, RunSummary
from pred_aware.report.durations import spoken
from pred_aware.report.interval_format import (
    NO_INTERVAL,
    NOT_APART,
    in_brackets,
    percent_change,
    share_within,
)
from pred_aware.statistics import apart_alone

HOW_TO_READ = (
    "The mean wait is what users feel on average. The mean bounded slowdown says how many times "
    "its own length a job spends in the system, so it is about short jobs. The longest waits are "
    "the price of preferring short jobs: look at the maximum, at '24 h and over', at who loses and "
    "at the lower right of the picture before you like a mean. One log is one case: try others, "
    "and your own with --log."
)

CHANCE = "not told apart with all differences in view"


def in_words(comparison: Comparison) -> list[str]:
    """Say what changes against the base, a paragraph for each run; runs without jobs left out.

    Parameters
    ----------
    comparison
        What `comparison.compare` found.
    """
    base, *others = comparison.runs
    shaken = comparison.shaken
    return [
        _paragraph(base, run, other)
        if shaken is None
        else _over_shakes(shaken, base.name, run.name)
        for run, other in zip(others, comparison.against_base, strict=True)
        if base.jobs and run.jobs
    ]


def _paragraph(base: RunSummary, run: RunSummary, other: AgainstBase) -> str:
    slowdowns = [one.figures["mean_bounded_slowdown"] for one in (run, base)]
    text = (
        f"{run.name}: a job waits {_instead(base, run, 'mean_waiting_time')} on average"
        f"{_change(other, 'mean_waiting_time')}; "
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
    return "" if change is None else f" ({percent_change(change)}; {NO_INTERVAL})"


def _over_shakes(shaken: Shaken, base: str, name: str) -> str:
    counts = shaken.against_base[name].counts
    shares = (counts[one] for one in ("at_most_the_same", "shorter_by_1_h", "longer_by_1_h"))
    alike, earlier, later = map(share_within, shares)
    said = "; ".join(
        f"{label} {told_apart(shaken, base, name, figure)}"
        for label, figure in (
            ("the mean wait", "mean_waiting_time"),
            ("the longest wait", "max_waiting_time"),
            ("the mean bounded slowdown", "mean_bounded_slowdown"),
        )
        if figure in shaken.against_base[name].figures
    )
    return (
        f"{name}, over {len(shaken.seeds)} shakes: {f'{said}. ' if said else ''}{alike} of the "
        f"jobs wait no longer than under {base}; {earlier} start at least an hour earlier, {later} "
        "at least an hour later."
    )


def told_apart(shaken: Shaken, base: str, name: str, figure: str) -> str:
    """Say what a figure is under a run, and whether that is told apart from the base's.

    Parameters
    ----------
    shaken
        What shakes say of the runs.
    base, name
        What base and run are called.
    figure
        Which figure; its name stands before this.
    """
    new, old = (mean_cell(figure, shaken.runs[one].figures[figure]) for one in (name, base))
    difference = shaken.against_base[name].figures[figure]
    if difference.value is None:
        return f"is {new}, under {base} {old}"
    if not difference.told_apart:
        return f"{NOT_APART} from that under {base} ({old}; {in_brackets(difference)})"
    alone = apart_alone(difference, shaken.holm()[name, figure])
    chance = f"; {CHANCE}" if alone else ""
    return f"is {new} instead of {old} ({in_brackets(difference)}{chance})"
