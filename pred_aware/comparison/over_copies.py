"""Combine the comparisons made on single copies of the workload."""

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pred_aware.comparison.compared import Compared
from pred_aware.comparison.copies import Perturbed, Resampled
from pred_aware.comparison.summaries import SHOWN
from pred_aware.effects.effect import Effect, holm_corrected
from pred_aware.effects.groups import GAIN, GAINS_BY, on_groups
from pred_aware.effects.kinds import over_resamples, over_shakes, shares_over_shakes
from pred_aware.metrics.figures import WAITING_BOUNDS, WAITING_OVER
from pred_aware.metrics.groups import DEFAULT, can_group, measures_by
from pred_aware.metrics.table import MEASURES
from pred_aware.statistics import mean_interval

if TYPE_CHECKING:
    import pandas as pd

MEASURED = frozenset({"scheduling_time"})
"""Measures that depend on the speed of this computer."""
WAITING = (*WAITING_BOUNDS, WAITING_OVER)
COUNTS = (
    "at_most_the_same", "shorter_by_10_min", "shorter_by_1_h", "longer_by_10_min", "longer_by_1_h",
)  # fmt: skip
"""The counts of jobs, as in `AgainstBaseline`."""

Frames: TypeAlias = "dict[str, dict[str, pd.DataFrame]]"
"""The measures of groups, by grouping and by run."""
Values = list[float | None]


class OneCopy(NamedTuple):
    """The results on one copy of the workload."""

    comparison: Compared
    """The summaries of the runs, without the runs themselves."""
    groups: Frames
    """The measures of the runs' groups of jobs."""


def perturbed_of(copies: Sequence[OneCopy], *, seeds: Sequence[int], max_shift: float) -> Perturbed:
    """Combine the comparisons on perturbed copies into effects with intervals.

    Parameters
    ----------
    copies
        The results of the same runs, one for each seed.
    seeds, max_shift
        The parameters of the copies.
    """
    comparisons = [one.comparison for one in copies]
    baseline, *others = (run.name for run in comparisons[0].runs)
    shares = [
        {
            bound: [_share(one.runs[place].waiting[bound], one.runs[place].jobs)
                    for one in comparisons]
            for bound in WAITING
        }
        for place in range(len(others) + 1)
    ]  # fmt: skip
    (effects,) = holm_corrected([_over(comparisons, over_shakes)])
    waiting = [
        shares_over_shakes(shares[0][bound], shares[place][bound], policy=name, measure=bound)
        for place, name in enumerate(others, 1)
        for bound in WAITING
    ]
    counts = {
        name: {
            count: mean_interval(
                [_share(getattr(one.against_baseline[place], count),
                one.against_baseline[place].jobs)
                 for one in comparisons]
            )
            for count in COUNTS
        }
        for place, name in enumerate(others)
    }  # fmt: skip
    groups = _groups([one.groups for one in copies], baseline, others)
    return Perturbed(
        baseline, tuple(seeds), max_shift, tuple(effects), tuple(waiting), counts, groups
    )


def resampled_of(copies: Sequence[OneCopy], *, seeds: Sequence[int]) -> Resampled:
    """Combine the comparisons on resamples, as `perturbed_of` does."""
    comparisons = [one.comparison for one in copies]
    runs = tuple(run.name for run in comparisons[0].runs[1:])
    return Resampled(tuple(seeds), runs, tuple(_over(comparisons, over_resamples)))


def _over(comparisons: Sequence[Compared], make: Callable[..., Effect]) -> list[Effect]:
    """Return the effects of each run except the baseline on the shown measures."""
    figures = [name for name in comparisons[0].shown if name not in MEASURED]

    def values(place: int, figure: str) -> Values:
        return [one.runs[place].figures[figure] for one in comparisons]

    return [
        make(values(0, figure), values(place, figure), policy=run.name, measure=figure)
        for place, run in enumerate(comparisons[0].runs)
        for figure in figures
        if place
    ]


def _share(count: int, jobs: int) -> float | None:
    return count / jobs if jobs else None


def group_frames(comparison: Compared, by: str) -> "dict[str, pd.DataFrame]":
    """Return the requested measures of each run's groups, by the run's name."""
    shown = DEFAULT if comparison.shown == SHOWN else comparison.shown
    names = [name for name in shown if MEASURES[name].quantity is not None] or DEFAULT
    baseline, tau = comparison.compared[0], comparison.tau
    return {
        run.name: measures_by(
            run, by, names, baseline=None if run is baseline else baseline, tau=tau
        )
        for run in comparison.compared
    }


def frames_of(comparison: Compared) -> Frames:
    """Return measures of groups: mean waits for known groupings, and all requested measures."""
    found: Frames = {}
    for by in dict.fromkeys((*GAINS_BY, *comparison.groups)):
        if not all(can_group(run, by) for run in comparison.compared):
            continue
        found[by] = {run.name: measures_by(run, by, (GAIN,)) for run in comparison.compared}
        if by in comparison.groups:
            for name, frame in group_frames(comparison, by).items():
                gained = found[by][name]
                found[by][name] = frame if GAIN in frame else frame.join(gained[[GAIN]])
    return found


def _groups(
    copies: Sequence[Frames], baseline: str, others: Sequence[str]
) -> dict[str, tuple[Effect, ...]]:
    """Combine the effects on groups of jobs over all perturbed copies.

    Holm's correction covers all tests of one grouping.
    """
    found = {}
    for by in copies[0]:
        several = [one[by] for one in copies if by in one]
        jobs: dict[str, int] = {}
        for frames in several:
            for group, number in frames[baseline]["jobs"].items():
                jobs.setdefault(str(group), int(number))
        effects = [
            on_groups(
                _values(several, baseline, measure), _values(several, name, measure), jobs,
                policy=name, measure=measure,
            )
            for name in others
            for measure in several[0][baseline].columns[2:]
        ]  # fmt: skip
        found[by] = tuple(chain.from_iterable(holm_corrected(effects)))
    return found


def _values(
    several: "Sequence[dict[str, pd.DataFrame]]", run: str, measure: str
) -> dict[str, dict[int, float | None]]:
    found: dict[str, dict[int, float | None]] = {}
    for shake, frames in enumerate(several):
        frame = frames[run]
        for group, value in zip(frame.index, frame[measure].tolist(), strict=True):
            found.setdefault(group, {})[shake] = value
    return found
