"""Paper 003's figures: soft walltimes by their errors, and what users gain."""

from collections.abc import Mapping

from pred_aware.prediction import TWENTIETHS
from reproductions.checks.of_replays import (
    Errors,
    ReplayFigure,
    UsersGain,
    WeeklyDifference,
    WeeklyMean,
)
from reproductions.checks.of_simulations import PolicyDifference
from reproductions.figures.figures import LOG, Figure, PaperFigure, less_than_under

OWN = ("CERIT, before", "CERIT, since")
LOGS = ("wagap", "KTH", "HPC2N", "SDSC-DS", "Intrepid", "Gaia", "Saliksik", *OWN)
CERIT = ("wagap", *OWN)
"""Logs of CERIT-SC: the paper's, and one of 2013."""
SIMULATED = ("wagap", "KTH", "Saliksik")
PREDICTORS = ("pbs_v1", "pbs_v2", "pbs_v3")
LENGTHS = ("short", "medium", "long")


def _errors(
    place: str, title: str, panels: Mapping[str, tuple[tuple[str, str, str], ...]]
) -> Figure:
    """Return a figure of boxes on each log: by panel their labels, predictors and spreads."""
    boxes = tuple(
        (called, tuple((LOG, label, Errors(predictor, name)) for label, predictor, name in several))
        for called, several in panels.items()
    )
    return Figure(place, title, "estimate - run time", LOGS, boxes, "boxes", "h")


def _counted(place: str, title: str, axis: str, figures: Mapping[str, str]) -> Figure:
    """Return a figure of shares that v3's replays have, by label."""
    bars = tuple((LOG, label, ReplayFigure("pbs_v3", name)) for label, name in figures.items())
    return Figure(place, title, axis, LOGS, (("", bars),))


FIGURES: tuple[PaperFigure, ...] = (
    Figure(
        "3.1, figure 4",
        "underestimated jobs",
        "of the jobs",
        LOGS,
        (("", tuple((LOG, one, WeeklyMean(one)) for one in PREDICTORS)),),
    ),
    Figure(
        "3.2, figure 5",
        "mean absolute error, less than that of walltimes",
        "less than walltimes'",
        LOGS,
        (
            (
                "",
                tuple(
                    (LOG, one, WeeklyDifference(one, "walltime", "absolute_error"))
                    for one in PREDICTORS
                ),
            ),
        ),
    ),
    _errors(
        "3.2, figure 5",
        "errors by how long jobs ran",
        {
            f"{length} jobs": (
                ("walltimes", "pbs_v1", f"walltime {length}"),
                *((name, name, length) for name in PREDICTORS),
            )
            for length in LENGTHS
        },
    ),
    Figure(
        "3.2, figure 6",
        "what users gain by v3",
        "error saved, on the mean",
        LOGS,
        (
            (
                "",
                tuple(
                    (f"{100 * share:.0f} % of the users", LOG, UsersGain("pbs_v3", share))
                    for share in TWENTIETHS
                ),
            ),
        ),
        "lines",
        "h",
    ),
    _counted(
        "3.2, figure 6",
        "users whose estimates become better by v3",
        "of the users",
        {"better": "users_better", "by more than a day": "users_better_by_a_day"},
    ),
    _errors(
        "3.3, figure 7",
        "errors of v3 by run time, and by walltime, which decides about the queue",
        {
            "by run time": tuple((name, "pbs_v3", name) for name in LENGTHS),
            "by walltime": tuple((name, "pbs_v3", f"by walltime {name}") for name in LENGTHS),
        },
    ),
    _counted(
        "3.3, figure 7",
        "underestimated by v3, by run time",
        "of the jobs",
        {name: f"underestimated {name}" for name in LENGTHS},
    ),
    Figure(
        "4.2, figure 10",
        "mean bounded slowdown (of at least 10 min), less than with walltimes",
        less_than_under("easy"),
        SIMULATED,
        (
            (
                "",
                (
                    (
                        LOG,
                        "soft walltimes",
                        PolicyDifference("soft_walltime", "easy", "mean_bounded_slowdown"),
                    ),
                ),
            ),
        ),
    ),
)
