"""Paper 002: kNN with soft walltimes."""

from reproductions.checks.claim import DATA, GENERAL, OURS, Claim
from reproductions.checks.of_counts import Count
from reproductions.checks.of_replays import WeeklyDifference
from reproductions.checks.of_simulations import GainOfClass, JobClass, PolicyDifference
from reproductions.checks.statement import Equal, Statement, above, on
from reproductions.figures.figures import LOG, Figure, less_than_under
from reproductions.paper import OwnLog, Paper, Simulations

_LOGS = ("HPC2N", "SDSC-DS", "Intrepid", "Gaia")

_JOBS_OF = dict(zip(_LOGS, (202_871, 96_069, 68_936, 51_987), strict=True))
_MONTHS_OF = dict(zip(_LOGS, (42, 13, 8, 3), strict=True))
_NODES_OF = dict(zip(_LOGS, (240, 171, 640, 2004), strict=True))

_EDGE = 64
"""Processors of the largest job that is not large; the slides say no number."""
_CLASSES = (
    JobClass("size", 0, f"up to {_EDGE} processors"),
    JobClass("size", 1, f"more than {_EDGE} processors"),
)

CLAIMS = (
    Claim(
        "002.1",
        "Prediction Accuracy",
        "On the mean kNN deviates less from the run times than users' walltimes (largest of e / r "
        "and r / e).",
        checks=on(_LOGS, WeeklyDifference("knn", "walltime")),
        answer="the bars of their picture decide, whose heights are not in the text",
    ),
    Claim(
        "002.2",
        "Prediction Accuracy",
        "kNN deviates less than min.diff over the user's last five jobs: it is the best.",
        checks=on(_LOGS, WeeklyDifference("knn", "min_diff")),
        answer="the bars of their picture decide, whose heights are not in the text; what both "
        "do with a user's first jobs is not told",
    ),
    Claim(
        "002.3",
        "Average Waiting Time, Conclusion",
        "Under conservative backfilling soft walltimes by kNN wait less than users' walltimes, on "
        "some of the logs.",
        kind=GENERAL,
        some=True,
        checks=on(_LOGS, PolicyDifference("soft_conservative", "conservative")),
        answer="figure 6's bars decide; the conclusion claims it of some logs, and warns that "
        "the benefit may not be worth it",
    ),
    Claim(
        "002.4",
        "Average Waiting Time",
        "They wait less than soft walltimes by min.diff (whose bars are in the slide's picture "
        "alone).",
        kind=OURS,
        checks=on(_LOGS, PolicyDifference("soft_conservative", "min_diff")),
    ),
    Claim(
        "002.5",
        "Average Waiting Time",
        "Perfect estimates wait less than users' walltimes (likewise).",
        kind=OURS,
        checks=on(_LOGS, PolicyDifference("perfect", "conservative")),
    ),
    Claim(
        "002.6",
        "User Walltime Prediction",
        "The four logs have so many jobs.",
        "202,871; 96,069; 68,936; 51,987",
        kind=DATA,
        checks=tuple(
            Statement(Count("records", ""), Equal(jobs), log=log) for log, jobs in _JOBS_OF.items()
        ),
        answer="the archive may have changed a log since",
    ),
    Claim(
        "002.7",
        "User Walltime Prediction",
        "They last for so many months (here: from the first submission to the last, to the nearest "
        "month).",
        "42; 13; 8; 3",
        kind=DATA,
        checks=tuple(
            Statement(Count("months", ""), Equal(months), log=log)
            for log, months in _MONTHS_OF.items()
        ),
        answer="how they round is not told",
    ),
    Claim(
        "002.8",
        "User Walltime Prediction",
        "Their machines have so many nodes (here: by the logs' headers).",
        "240; 171; 640; 2,004",
        kind=DATA,
        checks=tuple(
            Statement(Count("nodes", ""), Equal(nodes), log=log) for log, nodes in _NODES_OF.items()
        ),
        answer="of SDSC-DS 171 of the 184 nodes are of one kind, 2,004 are Gaia's processors, and "
        "640 is none of the header's figures of Intrepid",
    ),
    Claim(
        "002.9",
        "User Walltime Prediction",
        "Users' estimates are poor, also those of users with experience (here: after a hundred "
        "jobs most use less than half of their walltime).",
        kind=GENERAL,
        checks=on(_LOGS, Statement(Count("used under 0.5 by experienced"), above(0.5))),
        answer="their picture of users decides, of which the text has no number",
    ),
    Claim(
        "002.10",
        "Accuracy Improvement Heatmap, Waiting time Improvement Heatmap, Conclusion",
        "For some classes of jobs kNN's estimates, and the waits with them, get better, for others "
        "worse; large jobs are a challenge.",
        untried="which classes is told by the heatmaps' colours alone, which are not in the text",
    ),
    Claim(
        "002.11",
        "Conclusion",
        "Large jobs are a challenge (here: of the jobs over 64 processors the mean wait gains less "
        "than of those up to 64).",
        kind=GENERAL,
        checks=on(
            _LOGS,
            Statement(GainOfClass("soft_conservative", "conservative", *_CLASSES), above(0.0)),
        ),
        answer="the heatmaps decide; what is large they do not say, 64 processors is our line",
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
            classes={"size": (_EDGE,)},
        ),
    ),
    predictors={"knn": "knn", "min_diff": "min_diff"},
    replayed=_LOGS,
    own={
        name: OwnLog(release, _JOBS_OF[name])
        for name, release in zip(_LOGS, ("HPC2N-2002-2", "SDSC-DS-2004-2", "", ""), strict=True)
    },
    quick=("SDSC-DS", "Gaia"),
    figures=(
        Figure(
            "Prediction Accuracy",
            "deviation from the run time (e / r or r / e), less than that of walltimes",
            "less than walltimes'",
            _LOGS,
            (
                (
                    "",
                    tuple(
                        (LOG, one, WeeklyDifference(one, "walltime")) for one in ("knn", "min_diff")
                    ),
                ),
            ),
        ),
        Figure(
            "Average Waiting Time",
            "mean wait under conservative backfilling, less than with users' walltimes",
            less_than_under("conservative"),
            _LOGS,
            (
                (
                    "",
                    tuple(
                        (LOG, label, PolicyDifference(name, "conservative"))
                        for label, name in (
                            ("knn", "soft_conservative"),
                            ("min.diff", "min_diff"),
                            ("perfect estimates", "perfect"),
                        )
                    ),
                ),
            ),
        ),
    ),
)
