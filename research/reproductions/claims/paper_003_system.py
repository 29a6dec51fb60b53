"""Paper 003: what it says of queues, and of its system before soft walltimes and with them."""

from reproductions.checks.claim import DATA, GENERAL, Claim
from reproductions.checks.of_counts import Count
from reproductions.checks.of_replays import (
    Against,
    ReplayFigure,
)
from reproductions.checks.of_simulations import (
    LONG,
    MEDIUM,
    SHORT,
    GroupDifference,
    PolicyDifference,
)
from reproductions.checks.statement import Equal, Size, Statement, above, below, on
from reproductions.claims.paper_003_figures import (
    CERIT,
    LOGS,
    OWN,
    SIMULATED,
)

CLAIMS = (
    Claim(
        "003.9",
        "3.3, figure 7",
        "Of the jobs that run for longer than a day, half are underestimated (here: more than a "
        "quarter, half of the paper's share).",
        "50 %",
        kind=DATA,
        checks=on(
            LOGS,
            Statement(ReplayFigure("pbs_v3", "underestimated long"), above(0.25), size=Size(0.5)),
        ),
    ),
    Claim(
        "003.10",
        "4.2, figure 10",
        "With soft walltimes short jobs are found more easily: the mean bounded slowdown (of at "
        "least 10 min) falls.",
        kind=GENERAL,
        checks=on(SIMULATED, PolicyDifference("soft_walltime", "easy", "mean_bounded_slowdown")),
        answer="figure 10 is of two periods of their system as it ran; ours are two "
        "simulations of one log, on a machine without queues",
    ),
    Claim(
        "003.11",
        "4.1, figure 9",
        "In both periods nearly all jobs ask for 32 processors at most (here: more than 90 %) and "
        "run for a day at most (here: more than 80 %), but jobs of more take most of the work.",
        "99.7 and 99.8 %; 93.9 and 86.7 %; 82.6 and 88.3 %",
        kind=DATA,
        checks=on(
            CERIT,
            Statement(Count("up to 32 processors"), above(0.9), size=Size(0.997)),
            Statement(Count("run up to 1 day"), above(0.8), size=Size(0.867, 0.939)),
            Statement(Count("work of jobs over 1 day"), above(0.5), size=Size(0.826, 0.883)),
        ),
    ),
    Claim(
        "003.12",
        "4.1, figure 9",
        "By their walltimes far fewer jobs take two hours at most than do (here: how many times as "
        "many, below 0.78, half of the paper's difference).",
        "38.6 % and 68.1 %",
        kind=DATA,
        checks=on(
            LOGS, Statement(Count("short by walltime", ""), below(0.78), size=Size(0.386 / 0.681))
        ),
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
        answer="figure 10 is of two periods of their system as it ran; ours are two "
        "simulations of one log, on a machine without queues",
    ),
    Claim(
        "003.18",
        "3.3, 4.1, figure 5, figure 7, figure 8",
        "Most jobs are short, fewer are medium, and the fewest long.",
        "63; 30; 7 %",
        kind=DATA,
        checks=on(
            LOGS,
            Statement(Count("run up to 2 h"), above(0.5), size=Size(0.63)),
            Statement(Count("long by medium", ""), below(1.0)),
        ),
    ),
    Claim(
        "003.19",
        "3.3, figure 7",
        "By their queues 3.4 times as many jobs are long (here: by their walltimes, which decide "
        "about the queue there; how many times as many, above 1.7).",
        "33; 42; 25 %; 3.4",
        kind=DATA,
        checks=on(LOGS, Statement(Count("long by walltime", ""), above(1.7), size=Size(3.4))),
    ),
    Claim(
        "003.20",
        "3.3, figure 7",
        "Of the jobs in long queues half as many are underestimated as of long jobs (here: by "
        "their walltimes, less than 0.75 times; long jobs are chosen by what came out).",
        "25 % instead of 50 %",
        kind=DATA,
        checks=on(
            LOGS,
            Against(
                ReplayFigure("pbs_v3", "underestimated by walltime long", "%"),
                ReplayFigure("pbs_v3", "underestimated long", "%"),
                0.75,
            ),
        ),
    ),
    Claim(
        "003.21",
        "3.3, figure 7",
        "Users' walltimes are much worse for long queues than for long jobs (here: how many times "
        "as far off, above 1).",
        kind=DATA,
        checks=on(LOGS, Statement(Count("walltimes' errors of long", ""), above(1.0))),
    ),
    Claim(
        "003.22",
        "4.2, figure 10",
        "With users' walltimes the medians of the slowdowns of short and medium jobs are close.",
        untried="medians of groups are not kept of shaken runs; `pred-aware compare` has them of "
        "two runs",
    ),
    Claim(
        "003.23",
        "4.2, figure 10",
        "With soft walltimes slowdowns fall with the length (here: mean bounded slowdowns).",
        kind=GENERAL,
        checks=on(
            SIMULATED,
            *(
                GroupDifference(
                    "soft_walltime", one, "soft_walltime", other, "mean_bounded_slowdown"
                )
                for one, other in ((MEDIUM, SHORT), (LONG, MEDIUM))
            ),
        ),
        answer="figure 10 is of two periods of their system as it ran; ours are two "
        "simulations of one log, on a machine without queues",
    ),
    Claim(
        "003.24",
        "4",
        "CERIT-user-wall has 935,724 jobs, and CERIT-soft-wall 351,853, of which 254,663 have a "
        "soft walltime.",
        "935,724; 351,853; 254,663",
        kind=DATA,
        checks=(
            Statement(Count("records", ""), Equal(935_724), log=OWN[0]),
            Statement(Count("records", ""), Equal(351_853), log=OWN[1]),
            Statement(Count("soft walltimes", ""), Equal(254_663), log=OWN[1]),
        ),
    ),
    Claim(
        "003.26",
        "4.1, figure 9",
        "Walltimes are coarse: many jobs ask for a queue's limit (here: more than a quarter for 2, "
        "4 or 24 h, for 2, 4 or 7 days, or for 2 or 4 weeks).",
        kind=DATA,
        checks=on(CERIT, Statement(Count("walltimes at queues' limits"), above(0.25))),
    ),
    Claim(
        "003.28",
        "4.1, figure 9",
        "Most jobs are rather short, and ask for fewer than 40 processors (here: most run for two "
        "hours at most, and more than 90 % ask for fewer than 40).",
        kind=DATA,
        checks=on(
            CERIT,
            Statement(Count("run up to 2 h"), above(0.5)),
            Statement(Count("up to 39 processors"), above(0.9)),
        ),
    ),
)
