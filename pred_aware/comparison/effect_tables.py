"""Tables and sentences on effects over copies of the workload and over weeks."""

from collections.abc import Iterator

from pred_aware.comparison.compared import Compared
from pred_aware.comparison.copies import Perturbed
from pred_aware.comparison.weeks import number_of
from pred_aware.effects.bounds import bounds_table
from pred_aware.effects.effect import RESAMPLES, WEEKS
from pred_aware.effects.groups import GAIN, MOST
from pred_aware.effects.tables import MEASURE, WAITING, effects_table
from pred_aware.effects.words import HOW_TO_READ_SHAKES, alone_only, how_to_read_weeks
from pred_aware.metrics.figures import WAITING_OVER
from pred_aware.metrics.table import MEASURES
from pred_aware.report.interval_format import ends, how_to_read_years, share_within
from pred_aware.report.plural import counted
from pred_aware.report.table import Cell, Table
from pred_aware.statistics import Interval

WAITING_LABELS = {
    "under_1_min": "under 1 min",
    "under_10_min": "under 10 min",
    "under_1_h": "under 1 h",
    "under_6_h": "under 6 h",
    "under_24_h": "under 24 h",
    WAITING_OVER: "24 h and over",
}
COUNT_LABELS = {
    "at_most_the_same": "not longer (by more than 0.01 s)",
    "shorter_by_10_min": "shorter by at least 10 min",
    "shorter_by_1_h": "shorter by at least 1 h",
    "longer_by_10_min": "longer by at least 10 min",
    "longer_by_1_h": "longer by at least 1 h",
}

GROUP_LABELS = {"size": "{} processors", "length": "ran {}", "queue": "queue {}"}
"""How tables with several groupings name a group, by grouping."""


HOW_TO_GET_INTERVALS = (
    "One run of each policy, so no interval. A change of some percent may be chance "
    "(docs/explanation/intervals.md). `compare --shakes 20` shows which changes are significant."
)
MOST_ROWS = 30
MOST_QUEUES = 10


def perturbed_tables(shaken: Perturbed) -> list[Table]:
    """Return tables of each run except the baseline: measures, waiting times, changes of jobs.

    Parameters
    ----------
    shaken
        The results on perturbed copies.
    """
    baseline, over = shaken.baseline, _over(shaken)
    figures = [
        effects_table(
            f"{name} against {baseline}, {over}",
            shaken.of(name),
            by=MEASURE,
            baseline=baseline,
            policy=name,
        )
        for name in shaken.counts
    ]
    waiting = [
        effects_table(
            f"Jobs by waiting time, {name} against {baseline}, {over}",
            [one for one in shaken.waiting if one.policy == name],
            by=WAITING,
            baseline=baseline,
            policy=name,
            labels=[*WAITING_LABELS.values()],
            note="Shares of the jobs. Changes are in percentage points, without Holm's correction.",
        )
        for name in shaken.counts
    ]
    return [*figures, *waiting, _job_by_job(shaken)]


def _over(shaken: Perturbed) -> str:
    return f"over {len(shaken.seeds)} perturbed copies"


def _job_by_job(shaken: Perturbed) -> Table:
    rows = []
    for name, label in COUNT_LABELS.items():
        means = [counts[name] for counts in shaken.counts.values()]
        rows.append((label, *(cell for mean in means for cell in _with_ends(mean))))
    columns = [one for name in shaken.counts for one in (name, "from", "to")]
    title = f"Job by job, against {shaken.baseline}, {_over(shaken)}"
    return Table(title, ("waiting time", *columns), tuple(rows))


def _with_ends(mean: Interval) -> tuple[Cell, Cell, Cell]:
    first, low, high = map(share_within, (mean, *ends(mean)))
    return first, low, high


def significance_remarks(shaken: Perturbed) -> Iterator[str]:
    """Explain the intervals, and name differences that are significant only without correction."""
    yield (
        f"Means over {len(shaken.seeds)} perturbed copies of the workload, in which sessions start "
        f"up to {shaken.max_shift / 60:g} min earlier or later. All runs use the same copies. Each "
        f"mean has the {HOW_TO_READ_SHAKES}"
    )
    yield from alone_only(shaken.effects)


def other_kinds(comparison: Compared) -> Iterator[Table]:
    """Yield tables over resamples and weeks for each run except the baseline, and of bounds."""
    baseline, *others = (run.name for run in comparison.runs)
    resampled, weeks = comparison.resampled, comparison.weeks
    for name in others if resampled is not None else ():
        assert resampled is not None
        mine = [one for one in resampled.effects if one.policy == name]
        yield effects_table(
            f"{name} against {baseline}, over {len(resampled.seeds)} resamples (another year)",
            mine, by=MEASURE, baseline=baseline, policy=name, kind=RESAMPLES,
            note=how_to_read_years([one.change for one in mine]),
        )  # fmt: skip
    for name in others if weeks is not None else ():
        assert weeks is not None
        mine = [one for one in weeks if one.policy == name]
        yield effects_table(
            f"{name} against {baseline}, over {number_of(weeks)} weeks of one run each",
            mine, by=MEASURE, baseline=baseline, policy=name, kind=WEEKS,
            note=how_to_read_weeks(mine),
        )  # fmt: skip
    if comparison.bounds is not None:
        yield bounds_table(comparison.bounds)


def group_tables(comparison: Compared, shaken: Perturbed) -> Iterator[Table]:
    """Yield tables of gains and losses by group for each run, for the requested groupings.

    Parameters
    ----------
    comparison, shaken
        The comparison, and its results on perturbed copies.
    """
    for name in shaken.counts:
        yield from _gains_by_group(shaken, name)
        for by in comparison.groups:
            mine = [one for one in shaken.groups.get(by, ()) if one.policy == name]
            for measure in dict.fromkeys(one.measure for one in mine):
                if measure not in comparison.shown:
                    continue
                groups = [one for one in mine if one.measure == measure]
                left_out = len(groups) - MOST_ROWS
                more = f"--json also shows {counted(left_out, 'group')} with fewer jobs."
                label = MEASURES[measure].label.capitalize()
                yield effects_table(
                    f"{label} by {by}, {name} against {shaken.baseline}, {_over(shaken)}",
                    groups[:MOST_ROWS], by=by, baseline=shaken.baseline, policy=name,
                    note=more if left_out > 0 else "",
                )  # fmt: skip


def _gains_by_group(shaken: Perturbed, name: str) -> Iterator[Table]:
    groups = {
        by: [effect for effect in some if (effect.policy, effect.measure) == (name, GAIN)]
        for by, some in shaken.groups.items()
    }
    shown = [
        (effect, label.format(effect.group).replace("1 processors", "1 processor"))
        for by, label in GROUP_LABELS.items()
        for effect in groups.get(by, ())[:MOST_QUEUES]
    ]
    if not shown:
        return
    said = f"{MEASURES[GAIN].label}, {name} against {shaken.baseline}, {_over(shaken)}"
    yield effects_table(
        f"Who gains and who loses: {said}", [effect for effect, _ in shown], by="jobs",
        labels=[label for _, label in shown], baseline=shaken.baseline, policy=name,
    )  # fmt: skip
    users = sorted(groups.get("user", ()), key=lambda effect: effect.total)
    if users:
        gain = [effect for effect in users if effect.total < 0.0]
        lose = [effect for effect in users if effect.total > 0.0]
        sure = [effect for effect in users if effect.significant_sign]
        more = (
            f"Sorted by the total change of a user's waits. Of {counted(len(users), 'user')}, "
            f"{sum(effect.total < 0.0 for effect in sure)} wait significantly less and "
            f"{sum(effect.total > 0.0 for effect in sure)} significantly longer (Holm)."
        )
        yield effects_table(
            f"Users who gain and who lose most: {said}", [*gain[:MOST], *lose[-MOST:]], by="user",
            note=more, baseline=shaken.baseline, policy=name,
        )  # fmt: skip
