"""Groups of jobs over shakes: who gains and who loses, with intervals."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from pred_aware.comparison.group_changes import (
    MOST,
    GroupChange,
    columns,
    group_changes,
    note,
    together,
)
from pred_aware.comparison.summaries import SHOWN
from pred_aware.metrics.groups import DEFAULT, can_group, measures_by
from pred_aware.metrics.table import MEASURES
from pred_aware.report.plural import counted
from pred_aware.report.table import Table

if TYPE_CHECKING:
    import pandas as pd

    from pred_aware.comparison.comparison import Comparison
    from pred_aware.comparison.shaken import Shaken

GAIN = "mean_waiting_time"
"""What is gained and lost."""
GAINS_BY = ("size", "length", "queue", "user")
MOST_ROWS = 30
MOST_QUEUES = 10
LABELS = {"size": "{} processors", "length": "ran {}", "queue": "queue {}"}

Frames: TypeAlias = "dict[str, dict[str, pd.DataFrame]]"
"""By what jobs are grouped, and by run: the measures of the groups."""

Changes: TypeAlias = Mapping[str, Mapping[str, Sequence[GroupChange]]]
"""By what jobs are grouped, and by measure: the groups, those with most jobs or in their order."""


def group_frames(comparison: "Comparison", by: str) -> "dict[str, pd.DataFrame]":
    """Return the measures that are asked for of the groups of each run, by its name."""
    shown = DEFAULT if comparison.shown == SHOWN else comparison.shown
    names = [name for name in shown if MEASURES[name].quantity is not None] or DEFAULT
    base, tau = comparison.compared[0], comparison.tau
    return {
        run.name: measures_by(run, by, names, base=None if run is base else base, tau=tau)
        for run in comparison.compared
    }


def frames_of(comparison: "Comparison") -> Frames:
    """Return what is told of groups: the mean waits by all that is known, and what is asked for."""
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


def changes_over(shakes: Sequence[Frames], names: Sequence[str]) -> dict[str, Changes]:
    """Put the groups on single shakes together.

    Parameters
    ----------
    shakes
        What `frames_of` gave on each.
    names
        Of the runs; the first is the base.

    Returns
    -------
    dict
        By the names of the runs but the base.
    """
    base, *others = names
    found: dict[str, dict[str, dict[str, list[GroupChange]]]] = {name: {} for name in others}
    for by in shakes[0]:
        several = [one[by] for one in shakes if by in one]
        measures = [*several[0][base].columns[2:]]
        jobs: dict[str, int] = {}
        for frames in several:
            for group, number in frames[base]["jobs"].items():
                jobs.setdefault(str(group), int(number))
        keys = [(name, measure) for name in others for measure in measures]
        lists = together(
            group_changes(_values(several, base, measure), _values(several, name, measure), jobs)
            for name, measure in keys
        )
        for (name, measure), changes in zip(keys, lists, strict=True):
            found[name].setdefault(by, {})[measure] = changes
    return dict(found)


def _values(
    several: "Sequence[dict[str, pd.DataFrame]]", run: str, measure: str
) -> dict[str, dict[int, float | None]]:
    found: dict[str, dict[int, float | None]] = {}
    for shake, frames in enumerate(several):
        frame = frames[run]
        for group, value in zip(frame.index, frame[measure].tolist(), strict=True):
            found.setdefault(group, {})[shake] = value
    return found


def shaken_group_tables(comparison: "Comparison", shaken: "Shaken") -> Iterator[Table]:
    """Yield for each run who gains and who loses, and the groups that were asked for.

    Parameters
    ----------
    comparison, shaken
        What `pred_aware.compare` found, and that of it which is over shakes.
    """
    base = next(iter(shaken.runs))
    over = f"over {len(shaken.seeds)} shakes"
    for name, other in shaken.against_base.items():
        yield from _who_gains(name, base, over, changes=other.groups)
        for by in comparison.groups:
            for measure, changes in other.groups.get(by, {}).items():
                if measure not in comparison.shown:
                    continue
                shown, left_out = changes[:MOST_ROWS], len(changes) - MOST_ROWS
                label = MEASURES[measure].label.capitalize()
                more = f"{counted(left_out, 'group')} more with fewer jobs: --json has all."
                yield Table(
                    f"{label} by {by}, {name} against {base}, {over}",
                    columns(by, base, name),
                    tuple(one.row(measure) for one in shown),
                    note=note(shown, more if left_out > 0 else ""),
                )


def _who_gains(name: str, base: str, over: str, *, changes: Changes) -> Iterator[Table]:
    shown = [
        (one, label.format(one.group).replace("1 processors", "1 processor"))
        for by, label in LABELS.items()
        for one in changes.get(by, {}).get(GAIN, ())[:MOST_QUEUES]
    ]
    if not shown:
        return
    said = f"{MEASURES[GAIN].label}, {name} against {base}, {over}"
    yield Table(
        f"Who gains and who loses: {said}",
        columns("jobs", base, name),
        tuple(one.row(GAIN, label) for one, label in shown),
        note=note([one for one, _ in shown]),
    )
    users = sorted(changes.get("user", {}).get(GAIN, ()), key=lambda one: one.total)
    if users:
        gain = [one for one in users if one.total < 0.0]
        lose = [one for one in users if one.total > 0.0]
        most = [*gain[:MOST], *lose[-MOST:]]
        sure = [one for one in users if one.surely]
        more = (
            f"By all of their jobs together. Of {counted(len(users), 'user')} "
            f"{sum(one.total < 0.0 for one in sure)} surely wait less and "
            f"{sum(one.total > 0.0 for one in sure)} longer (Holm)."
        )
        yield Table(
            f"Users who gain and who lose most: {said}",
            columns("user", base, name),
            tuple(one.row(GAIN) for one in most),
            note=note(most, more),
        )


def changes_in_json(changes: Changes) -> dict[str, Any]:
    """Return groups as they are written to JSON."""
    return {
        by: {measure: [one.to_dict() for one in some] for measure, some in measures.items()}
        for by, measures in changes.items()
    }
