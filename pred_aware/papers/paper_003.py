"""Paper 003: soft walltimes in PBS Professional at CERIT-SC."""

from pred_aware.papers.checks import Figure, Less, Nearer, Share, on
from pred_aware.papers.claim import Claim
from pred_aware.papers.paper import Paper, Simulations

_LOGS = ("wagap", "KTH", "HPC2N", "SDSC-DS", "Intrepid", "Gaia", "Saliksik")
_SIMULATED = ("wagap", "KTH", "Saliksik")
_TWO_EPOCHS = "the paper compares two periods of its own system; a log here has one scheduler"

CLAIMS = (
    Claim(
        "003.1",
        "3.1, figure 4",
        "The mean of the user's last two run times (v1) is too short for more than 40 % of jobs.",
        "over 40 %",
        checks=on(_LOGS, Share("", "pbs_v1", above=0.40)),
    ),
    Claim(
        "003.2",
        "3.1, figure 4",
        "With a quarter of an hour added (v2) it is for nearly 31 % (here: between v1 and v3).",
        "31 %",
        checks=on(
            _LOGS,
            Nearer("", "pbs_v2", "pbs_v1", "underestimated"),
            Nearer("", "pbs_v3", "pbs_v2", "underestimated"),
        ),
    ),
    Claim(
        "003.3",
        "3.1, figure 4",
        "The largest part of a walltime that the last 15 jobs used (v3) is for less than 12 %.",
        "under 12 %",
        checks=on(_LOGS, Share("", "pbs_v3", below=0.12)),
    ),
    Claim(
        "003.4",
        "3.1, figure 4",
        "In return v3 errs by more than v1.",
        checks=on(_LOGS, Nearer("", "pbs_v1", "pbs_v3", "absolute_error")),
    ),
    Claim(
        "003.5",
        "3.2, figure 5",
        "The soft walltimes are nearer to the run times than the walltimes.",
        checks=on(_LOGS, Nearer("", "pbs_v3", "walltime", "absolute_error")),
    ),
    Claim(
        "003.6",
        "3.2, figure 6",
        "They are nearer for 91 % of the users (here: for more than 80 %).",
        "91 %",
        checks=on(_LOGS, Figure("", "pbs_v3", "users_better", above=0.8)),
    ),
    Claim(
        "003.7",
        "3.2, figure 6",
        "For 77 % of the users by more than a day (here: for more than half).",
        "77 %",
        checks=on(_LOGS, Figure("", "pbs_v3", "users_better_by_a_day", above=0.5)),
    ),
    Claim(
        "003.8",
        "3.2",
        "Nobody's get worse by more than 26 min on the mean.",
        "26 min",
        checks=on(
            _LOGS, Figure("", "pbs_v3", "largest_deterioration", below=26 * 60.0, unit="min")
        ),
    ),
    Claim(
        "003.9",
        "3.3, figure 7",
        "Of the jobs that run for longer than a day, half are underestimated (here: a larger share "
        "than v3's 12 % of all).",
        "50 %",
        checks=on(_LOGS, Figure("", "pbs_v3", "underestimated long", above=0.12)),
    ),
    Claim(
        "003.10",
        "4.2, figure 10",
        "With soft walltimes short jobs are found more easily: the mean bounded slowdown (of at "
        "least 10 min) falls.",
        checks=on(_SIMULATED, Less("", "soft_walltime", "easy", "mean_bounded_slowdown")),
    ),
    Claim(
        "003.11",
        "4.1, figures 8 and 9",
        "Both periods are alike: 99.7 and 99.8 % of the jobs ask for 32 processors at most, 93.9 "
        "and 86.7 % run for a day at most, and jobs of more take 82.6 and 88.3 % of the work.",
        "99.7; 99.8; 93.9; 86.7; 82.6; 88.3 %",
        unchecked=_TWO_EPOCHS,
    ),
    Claim(
        "003.12",
        "4.1, figure 9",
        "By their walltimes 38.6 % of the jobs take two hours at most, and 68.1 % do.",
        "38.6 %; 68.1 %",
        unchecked="the log of that period is at JSSPP's workloads, and is not read here yet",
    ),
    Claim(
        "003.13",
        "4.2, figure 10",
        "Before, medium jobs waited the longest; since, waits grow with the length.",
        unchecked=_TWO_EPOCHS,
    ),
)

PAPER = Paper(
    "003",
    "Improving accuracy of walltime estimates in PBS Professional using soft walltimes",
    CLAIMS,
    (Simulations({"easy": {}, "soft_walltime": {}}, {name: {} for name in _SIMULATED}),),
    predictors={name: name for name in ("pbs_v1", "pbs_v2", "pbs_v3")},
    replayed=_LOGS,
    quick=("wagap", "KTH", "Saliksik"),
    tau=600.0,
)
