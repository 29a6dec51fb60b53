"""Paper 003: soft walltimes in PBS Professional at CERIT-SC."""

from reproductions.checks.claim import Claim
from reproductions.checks.of_counts import Against, Count
from reproductions.checks.of_replays import (
    ReplayFigure,
    WeeklyDifference,
    WeeklyMean,
)
from reproductions.checks.of_simulations import (
    LONG,
    MEDIUM,
    SHORT,
    GroupDifference,
    PolicyDifference,
)
from reproductions.checks.statement import Equal, Statement, above, below, on
from reproductions.claims.paper_003_figures import (
    CERIT,
    FIGURES,
    LENGTHS,
    LOGS,
    OWN,
    PREDICTORS,
    SIMULATED,
)
from reproductions.paper import Paper, Simulations

CLAIMS = (
    Claim(
        "003.1",
        "2.3, 3.1, figure 4",
        "The mean of the user's last two run times (v1) is too short for more than 40 % of jobs.",
        "over 40 %",
        checks=on(LOGS, Statement(WeeklyMean("pbs_v1"), above(0.40))),
    ),
    Claim(
        "003.2",
        "2.3, 3.1, figure 4",
        "With a quarter of an hour added (v2) it is for nearly 31 % (here: between v1 and v3).",
        "31 %",
        checks=on(
            LOGS,
            WeeklyDifference("pbs_v2", "pbs_v1", "underestimated"),
            WeeklyDifference("pbs_v3", "pbs_v2", "underestimated"),
        ),
    ),
    Claim(
        "003.3",
        "3.1, figure 4",
        "The largest part of a walltime that the last 15 jobs used (v3) is for less than 12 %.",
        "under 12 %",
        checks=on(LOGS, Statement(WeeklyMean("pbs_v3"), below(0.12))),
    ),
    Claim(
        "003.4",
        "3.1, figure 4",
        "In return v3 overestimates by more than v2 and v1 (here: it errs by more on the mean).",
        checks=on(
            LOGS,
            WeeklyDifference("pbs_v1", "pbs_v3", "absolute_error"),
            WeeklyDifference("pbs_v2", "pbs_v3", "absolute_error"),
        ),
    ),
    Claim(
        "003.5",
        "2.3, 3.2, figure 5",
        "The soft walltimes of each version are nearer to the run times than the walltimes.",
        checks=on(
            LOGS, *(WeeklyDifference(one, "walltime", "absolute_error") for one in PREDICTORS)
        ),
    ),
    Claim(
        "003.6",
        "3.2, figure 6",
        "They are nearer for 91 % of the users (here: for more than 80 %).",
        "91 %",
        checks=on(LOGS, Statement(ReplayFigure("pbs_v3", "users_better"), above(0.8))),
    ),
    Claim(
        "003.7",
        "3.2, figure 6",
        "For 77 % of the users by more than a day (here: for more than half).",
        "77 %",
        checks=on(LOGS, Statement(ReplayFigure("pbs_v3", "users_better_by_a_day"), above(0.5))),
    ),
    Claim(
        "003.8",
        "3.2, figure 6",
        "For the other 9 % they get worse by little: by 26 min at most on the mean.",
        "26 min; 36 s for the one with the least",
        checks=on(
            LOGS,
            Statement(ReplayFigure("pbs_v3", "largest_deterioration", "min"), below(26 * 60.0)),
        ),
    ),
    Claim(
        "003.9",
        "3.3, figure 7",
        "Of the jobs that run for longer than a day, half are underestimated (here: a larger share "
        "than v3's 12 % of all).",
        "50 %",
        checks=on(LOGS, Statement(ReplayFigure("pbs_v3", "underestimated long"), above(0.12))),
    ),
    Claim(
        "003.10",
        "4.2, figure 10",
        "With soft walltimes short jobs are found more easily: the mean bounded slowdown (of at "
        "least 10 min) falls.",
        checks=on(SIMULATED, PolicyDifference("soft_walltime", "easy", "mean_bounded_slowdown")),
    ),
    Claim(
        "003.11",
        "4.1, figure 9",
        "In both periods nearly all jobs ask for 32 processors at most (here: more than 90 %) and "
        "run for a day at most (here: more than 80 %), but jobs of more take most of the work.",
        "99.7 and 99.8 %; 93.9 and 86.7 %; 82.6 and 88.3 %",
        checks=on(
            CERIT,
            Statement(Count("up to 32 processors"), above(0.9)),
            Statement(Count("run up to 1 day"), above(0.8)),
            Statement(Count("work of jobs over 1 day"), above(0.5)),
        ),
    ),
    Claim(
        "003.12",
        "4.1, figure 9",
        "By their walltimes far fewer jobs take two hours at most than do (here: how many times as "
        "many, below 1).",
        "38.6 % and 68.1 %",
        checks=on(LOGS, Statement(Count("short by walltime", ""), below(1.0))),
    ),
    Claim(
        "003.13",
        "4.2, figure 10",
        "With users' walltimes medium jobs wait the longest; with soft walltimes waits grow with "
        "the length (here: both simulated, means).",
        checks=on(
            SIMULATED,
            GroupDifference("easy", SHORT, "easy", MEDIUM),
            GroupDifference("easy", LONG, "easy", MEDIUM),
            GroupDifference("soft_walltime", SHORT, "soft_walltime", MEDIUM),
            GroupDifference("soft_walltime", MEDIUM, "soft_walltime", LONG),
        ),
    ),
    Claim(
        "003.14",
        "2.1, figure 1",
        "Walltimes and run times do not match at all: users overestimate (here: most jobs use less "
        "than half of their walltime).",
        checks=on(LOGS, Statement(Count("used under 0.5"), above(0.5))),
    ),
    Claim(
        "003.15",
        "3.1, figure 4",
        "Walltimes are never underestimated (here: by fewer than 1 % of the jobs).",
        checks=on(LOGS, Statement(Count("run beyond walltime"), below(0.01))),
    ),
    Claim(
        "003.16",
        "3.2, figure 5",
        "Also among short, medium and long jobs each version is nearer than the walltimes.",
        checks=on(
            LOGS,
            *(
                Against(
                    ReplayFigure(one, f"mae {length}", "h"),
                    ReplayFigure(one, f"walltime_mae {length}", "h"),
                )
                for one in PREDICTORS
                for length in LENGTHS
            ),
        ),
    ),
    Claim(
        "003.17",
        "3.2, figure 5",
        "Long jobs are underestimated by less with v2 than with v1, and with v3 than with v2 "
        "(here: the lower quartile).",
        checks=on(
            LOGS,
            Against(
                ReplayFigure("pbs_v2", "too short long", "h"),
                ReplayFigure("pbs_v1", "too short long", "h"),
            ),
            Against(
                ReplayFigure("pbs_v3", "too short long", "h"),
                ReplayFigure("pbs_v2", "too short long", "h"),
            ),
        ),
    ),
    Claim(
        "003.18",
        "3.3, 4.1, figure 5, figure 7, figure 8",
        "Most jobs are short, fewer are medium, and the fewest long.",
        "63; 30; 7 %",
        checks=on(
            LOGS,
            Statement(Count("run up to 2 h"), above(0.5)),
            Statement(Count("long by medium", ""), below(1.0)),
        ),
    ),
    Claim(
        "003.19",
        "3.3, figure 7",
        "By their queues 3.4 times as many jobs are long (here: by their walltimes, which decide "
        "about the queue there; how many times as many, above 1).",
        "33; 42; 25 %; 3.4",
        checks=on(LOGS, Statement(Count("long by walltime", ""), above(1.0))),
    ),
    Claim(
        "003.20",
        "3.3, figure 7",
        "Of the jobs in long queues fewer are underestimated than of long jobs (here: by their "
        "walltimes).",
        "25 % instead of 50 %",
        checks=on(
            LOGS,
            Against(
                ReplayFigure("pbs_v3", "underestimated by walltime long", "%"),
                ReplayFigure("pbs_v3", "underestimated long", "%"),
            ),
        ),
    ),
    Claim(
        "003.21",
        "3.3, figure 7",
        "Users' walltimes are much worse for long queues than for long jobs (here: how many times "
        "as far off, above 1).",
        checks=on(LOGS, Statement(Count("walltimes' errors of long", ""), above(1.0))),
    ),
    Claim(
        "003.22",
        "4.2, figure 10",
        "With users' walltimes the medians of the slowdowns of short and medium jobs are close.",
        unchecked="medians of groups are not kept of shaken runs; `pred-aware compare` has them of "
        "two runs",
    ),
    Claim(
        "003.23",
        "4.2, figure 10",
        "With soft walltimes slowdowns fall with the length (here: mean bounded slowdowns).",
        checks=on(
            SIMULATED,
            *(
                GroupDifference(
                    "soft_walltime", one, "soft_walltime", other, "mean_bounded_slowdown"
                )
                for one, other in ((MEDIUM, SHORT), (LONG, MEDIUM))
            ),
        ),
    ),
    Claim(
        "003.24",
        "4",
        "CERIT-user-wall has 935,724 jobs, and CERIT-soft-wall 351,853, of which 254,663 have a "
        "soft walltime.",
        "935,724; 351,853; 254,663",
        checks=(
            Statement(Count("records", ""), Equal(935_724), log=OWN[0]),
            Statement(Count("records", ""), Equal(351_853), log=OWN[1]),
            Statement(Count("soft walltimes", ""), Equal(254_663), log=OWN[1]),
        ),
    ),
    Claim(
        "003.25",
        "2.3, figure 3",
        "Within a batch of jobs a user's run times vary widely.",
        unchecked="it is the picture of one user of its system in one week",
    ),
    Claim(
        "003.26",
        "4.1, figure 9",
        "Walltimes are coarse: many jobs ask for a queue's limit (here: more than a quarter for 2, "
        "4 or 24 h, for 2, 4 or 7 days, or for 2 or 4 weeks).",
        checks=on(CERIT, Statement(Count("walltimes at queues' limits"), above(0.25))),
    ),
)

PAPER = Paper(
    "003",
    "Improving accuracy of walltime estimates in PBS Professional using soft walltimes",
    CLAIMS,
    (Simulations({"easy": {}, "soft_walltime": {}}, {name: {} for name in SIMULATED}),),
    predictors={name: name for name in PREDICTORS},
    replayed=LOGS,
    own=OWN,
    quick=("wagap", "KTH", "Saliksik"),
    figures=FIGURES,
    tau=600.0,
)
