"""A comparison in plain words."""

from pred_aware.comparison.compared import Compared
from pred_aware.comparison.copies import Shaken
from pred_aware.comparison.summaries import AgainstBaseline, RunSummary
from pred_aware.effects.words import beside_baseline
from pred_aware.report.durations import spoken
from pred_aware.report.interval_format import NO_INTERVAL, percent_change, share_within

HOW_TO_READ = (
    "The mean wait is what users feel on average. The mean bounded slowdown says how many times "
    "its own length a job spends in the system, so it is about short jobs. The longest waits are "
    "the price of preferring short jobs: look at the maximum, at '24 h and over', at who loses and "
    "at the lower right of the picture before you like a mean. One log is one case: try others, "
    "and your own with --log."
)


def in_words(comparison: Compared) -> list[str]:
    """Say what changes against the baseline, a paragraph for each run; runs without jobs left out.

    Parameters
    ----------
    comparison
        What `comparison.compare` found.
    """
    baseline, *others = comparison.runs
    shaken = comparison.shaken
    return [
        _paragraph(baseline, run, other) if shaken is None else _over_shakes(shaken, run.name)
        for run, other in zip(others, comparison.against_baseline, strict=True)
        if baseline.jobs and run.jobs
    ]


def _paragraph(baseline: RunSummary, run: RunSummary, other: AgainstBaseline) -> str:
    slowdowns = [one.figures["mean_bounded_slowdown"] for one in (run, baseline)]
    text = (
        f"{run.name}: a job waits {_instead(baseline, run, 'mean_waiting_time')} on average"
        f"{_change(other, 'mean_waiting_time')}; "
        f"the longest wait is {_instead(baseline, run, 'max_waiting_time')}; "
        f"the mean bounded slowdown is {slowdowns[0]:.1f} instead of {slowdowns[1]:.1f}."
    )
    if not other.jobs:
        return text
    return (
        f"{text} Of {other.jobs:,} jobs {other.at_most_the_same:,} "
        f"({100 * other.at_most_the_same / other.jobs:.0f} %) wait no longer than under "
        f"{baseline.name}; {other.shorter_by_1_h:,} start at least an hour earlier, "
        f"{other.longer_by_1_h:,} at least an hour later."
    )


def _instead(baseline: RunSummary, run: RunSummary, figure: str) -> str:
    new, old = run.figures[figure], baseline.figures[figure]
    assert new is not None
    assert old is not None
    if spoken(new) == spoken(old):
        return f"{spoken(new)}, as under {baseline.name}"
    return f"{spoken(new)} instead of {spoken(old)}"


def _change(other: AgainstBaseline, figure: str) -> str:
    change = other.improvement[figure]
    return "" if change is None else f" ({percent_change(change)}; {NO_INTERVAL})"


def _over_shakes(shaken: Shaken, name: str) -> str:
    counts, effects = shaken.counts[name], {one.measure: one for one in shaken.of(name)}
    shares = (counts[one] for one in ("at_most_the_same", "shorter_by_1_h", "longer_by_1_h"))
    alike, earlier, later = map(share_within, shares)
    said = "; ".join(
        f"{label} {beside_baseline(effects[figure], shaken.baseline)}"
        for label, figure in (
            ("the mean wait", "mean_waiting_time"),
            ("the longest wait", "max_waiting_time"),
            ("the mean bounded slowdown", "mean_bounded_slowdown"),
        )
        if figure in effects
    )
    return (
        f"{name}, over {len(shaken.seeds)} shakes: {f'{said}. ' if said else ''}{alike} of the "
        f"jobs wait no longer than under {shaken.baseline}; {earlier} start at least an hour "
        f"earlier, "
        f"{later} at least an hour later."
    )
