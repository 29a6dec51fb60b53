"""Compare runs over the weeks of one log, without another simulation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pred_aware.effects.effect import Effect
from pred_aware.effects.kinds import over_weeks
from pred_aware.metrics.figures import TAU
from pred_aware.metrics.weekly import has_weeks, weekly

if TYPE_CHECKING:
    from pred_aware.runs.run import Run


def weeks_of(
    runs: "Sequence[Run]", measures: Sequence[str], *, tau: float = TAU
) -> tuple[Effect, ...]:
    """Compare runs with the first run over the weeks of their log.

    Parameters
    ----------
    runs
        The runs; the first is the baseline.
    measures
        The measures. Measures that exist only for whole runs are left out.
    tau
        In bounded slowdowns, shorter run times count as this time in seconds.
    """
    names = [name for name in measures if has_weeks(name)]
    baseline = {name: weekly(runs[0], name, tau=tau) for name in names}
    return tuple(
        over_weeks(baseline[name], weekly(run, name, tau=tau), policy=run.name, measure=name)
        for run in runs[1:]
        for name in names
    )


def number_of(weeks: Sequence[Effect]) -> int:
    """Return the number of weeks in the effects."""
    return max((one.change.shakes for one in weeks), default=0)
