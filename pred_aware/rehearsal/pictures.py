"""Pictures of a rehearsal: errors as in figures 4 to 7 of Chlumský and Klusáček (paper 003)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.prediction import panels
from pred_aware.prediction.report import WIDTH
from pred_aware.prediction.report import pictures as prediction_pictures
from pred_aware.rehearsal.rehearsal_values import RehearsalValues
from pred_aware.report.picture import COLOURS, Panel, Picture, plain, time_axis

if TYPE_CHECKING:
    from pred_aware.prediction.evaluation import Evaluation
    from pred_aware.rehearsal.verdict import RehearsalVerdict

ABREAST = 3
MOST_QUEUES = 6
_SHORTEST = 1.0
_BY_USER = (
    "As in figure 6 of Chlumský and Klusáček (paper 003): each dot is a user, sorted by the mean "
    "absolute error of walltimes. If a coloured dot is below the grey dot, the predictions have a "
    "smaller error than the walltimes. Bottom: the number of jobs of each user."
)
_BY_QUEUE = (
    "As in figure 7 of Chlumský and Klusáček (paper 003). A job's queue depends on its walltime, "
    "not on its run time. Boxes extend from the first to the third quartile, whiskers from 5 % to "
    "95 % of the jobs."
)


def pictures(rehearsal: RehearsalValues, verdict: "RehearsalVerdict") -> list[Picture]:
    """Return the pictures of a rehearsal.

    Parameters
    ----------
    rehearsal
        The rehearsal.
    verdict
        The verdict; the picture of errors by user shows only its predictor.
    """
    evaluations = [one.evaluation for one in rehearsal.by_predictor]
    best = next(one for one in evaluations if one.label == verdict.predictor)
    curves, by_length, _ = prediction_pictures(evaluations)
    found = [curves, by_length]
    queues = [group.name for group in best.by_queue][:MOST_QUEUES]
    if len(queues) > 1:
        found.append(_by_queue(queues, evaluations))
    if any(group.walltime_mae is not None for group in best.by_user):
        found.append(_by_user(best, panels.line(1 + evaluations.index(best))["color"]))
    return found


def _by_queue(queues: Sequence[str], evaluations: "Sequence[Evaluation]") -> Picture:
    rows = -(-len(queues) // ABREAST)

    def draw(figure: Any) -> None:  # noqa: ANN401 - a Figure
        names = np.array([one or "" for one in evaluations[0].jobs.queues])
        grid = figure.subplots(rows, ABREAST, squeeze=False)
        groups = [(plain(name), names == name) for name in queues]
        for row, first in zip(grid, range(0, len(groups), ABREAST), strict=True):
            some = groups[first : first + ABREAST]
            panels.boxes_of(some, evaluations, row[: len(some)])
            for unused in row[len(some) :]:
                unused.set_axis_off()

    height = rows * (1.4 + 0.32 * (1 + len(evaluations)))
    title = "Errors by queue" if len(queues) < MOST_QUEUES else "Errors of the largest queues"
    return Picture(title, _BY_QUEUE, (Panel(WIDTH, height, draw),))


def _by_user(evaluation: "Evaluation", colour: str) -> Picture:
    def draw(figure: Any) -> None:  # noqa: ANN401 - a Figure
        users = sorted(
            (group for group in evaluation.by_user if group.walltime_mae is not None),
            key=lambda group: (group.walltime_mae, group.name),
        )
        places = np.arange(1, len(users) + 1)
        errors, jobs = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1))
        before, after = (
            np.maximum(np.array(values, float), _SHORTEST)
            for values in ([group.walltime_mae for group in users], [group.mae for group in users])
        )
        errors.vlines(places, before, after, color="#bbbbbb", linewidth=0.8)
        errors.plot(places, before, "o", color=COLOURS[0], markersize=4, label=panels.WALLTIMES)
        errors.plot(places, after, "D", color=colour, markersize=4, label=plain(evaluation.label))
        errors.set_yscale("log")
        low, high = min(before.min(), after.min()) / 1.5, max(before.max(), after.max()) * 1.5
        errors.set_ylim(low, high)
        time_axis(errors.yaxis, low, high)
        errors.set_ylabel("mean absolute error")
        errors.legend(loc="upper left", frameon=False, fontsize=9)
        jobs.bar(places, [group.jobs for group in users], color=COLOURS[0], width=0.8)
        jobs.set_yscale("log")
        jobs.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
        jobs.set_ylabel("jobs")
        jobs.set_xlabel("users, by the error of their walltimes")
        jobs.set_xlim(0, len(users) + 1)

    title = f"Errors by user, {evaluation.label}"
    return Picture(title, _BY_USER, (Panel(WIDTH, 5.0, draw),))
