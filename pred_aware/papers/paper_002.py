"""Paper 002: kNN with soft walltimes."""

from pred_aware.papers.checks import Less, Nearer, on
from pred_aware.papers.claim import Claim
from pred_aware.papers.paper import Paper, Simulations

_LOGS = ("HPC2N", "SDSC-DS", "Intrepid", "Gaia")

CLAIMS = (
    Claim(
        "002.1",
        "Prediction Accuracy",
        "On the mean kNN deviates less from the run times than users' walltimes (largest of e / r "
        "and r / e).",
        checks=on(_LOGS, Nearer("", "knn", "walltime")),
    ),
    Claim(
        "002.2",
        "Prediction Accuracy",
        "kNN deviates less than min.diff over the user's last five jobs: it is the best.",
        checks=on(_LOGS, Nearer("", "knn", "min_diff")),
    ),
    Claim(
        "002.3",
        "Average Waiting Time; conclusion",
        "Under conservative backfilling soft walltimes by kNN wait less than users' walltimes, on "
        "some of the logs.",
        checks=on(_LOGS, Less("", "soft_conservative", "conservative")),
    ),
    Claim(
        "002.4",
        "Average Waiting Time",
        "They wait less than soft walltimes by min.diff.",
        checks=on(_LOGS, Less("", "soft_conservative", "min_diff")),
    ),
    Claim(
        "002.5",
        "Average Waiting Time",
        "Perfect estimates wait less than users' walltimes.",
        checks=on(_LOGS, Less("", "perfect", "conservative")),
    ),
)

PAPER = Paper(
    "002",
    "Potential of applying kNN with soft walltime to improve scheduling performance",
    CLAIMS,
    (
        Simulations(
            {
                "conservative": {},
                "soft_conservative": {},
                "min_diff": {"scheduler": "soft_conservative", "predictor": "min_diff"},
                "perfect": {"scheduler": "conservative", "predictor": "actual"},
            },
            {name: {} for name in _LOGS},
        ),
    ),
    predictors={"knn": "knn", "min_diff": "min_diff"},
    replayed=_LOGS,
    quick=("SDSC-DS", "Gaia"),
)
