"""Paper 001, part 1: how well run times are predicted."""

from reproductions.checks.claim import DATA, Claim
from reproductions.checks.of_counts import Count, ExperimentFigure
from reproductions.checks.statement import About, Between, Statement, above, below, on
from reproductions.claims.paper_001_trying import (
    BEST,
    BOOSTING,
    FIRST,
    FOREST,
    LAST,
    LOGS,
    MORE,
    TREE,
    counts,
    experiments,
    levels,
)

CLAIMS = (
    Claim(
        "001.1",
        "1 experiment 1",
        "Gradient boosting errs by more than a decision tree on the mean.",
        "35.89 and 23.56 min; 23.58 min for a forest",
        checks=experiments((FIRST, TREE), (FIRST, BOOSTING), size=23.56 / 35.89 - 1.0),
        answer="what their boosting was set to is not told; CINECA's job table decides",
    ),
    Claim(
        "001.2",
        "1 experiment 1, 1 conclusions",
        "About four fifths of the jobs are overestimated (here: more than half).",
        "79.50 %",
        kind=DATA,
        checks=levels("over", above(0.5), 0.795),
    ),
    Claim(
        "001.3",
        "1 experiment 1, 1 conclusions",
        "Where they are, the prediction is nearly 98 % nearer to the run time than the walltime "
        "(here: by more than 90 %).",
        "97.93 %",
        kind=DATA,
        checks=levels("effective", above(0.9), 0.9793),
    ),
    Claim(
        "001.4",
        "1 experiment 2",
        "Jobs of the 50 users who are predicted best have a much smaller error.",
        "8.44 min instead of 23.56",
        checks=experiments((BEST, TREE), (FIRST, TREE), size=8.44 / 23.56 - 1.0),
    ),
    Claim(
        "001.5",
        "1 experiment 3",
        "What users asked for on the mean, as features, makes the error a little smaller.",
        "22.24 min instead of 23.56",
        checks=experiments((MORE, TREE), (FIRST, TREE), size=22.24 / 23.56 - 1.0),
    ),
    Claim(
        "001.6",
        "1 experiment 4",
        "With the last jobs as test, and not ones drawn at random, the errors are smaller.",
        "8.33 min instead of 23.56",
        checks=experiments((LAST, TREE), (FIRST, TREE), size=8.33 / 23.56 - 1.0),
        answer="they explain it by their last jobs, which run for much less than those before "
        "(001.49); CINECA's job table decides",
    ),
    Claim(
        "001.7",
        "1 experiment 4",
        "But less of the variance is explained.",
        "R2 0.62 instead of 0.72",
        checks=experiments((LAST, TREE), (FIRST, TREE), "r2", size=0.62 - 0.72),
        answer="they explain it by their last jobs, which run for much less than those before "
        "(001.49); CINECA's job table decides",
    ),
    Claim(
        "001.8",
        "1 experiment 1, 1 experiment 2, 1 experiment 3, 1 experiment 4",
        "The errors themselves, to the digit.",
        "four pairs of tables",
        untried="the seeds of its splits are not told, and CINECA's table is not at hand",
    ),
    Claim(
        "001.37",
        "1 experiment 1",
        "A forest comes out as the tree (here: its mean absolute error within 5 % of the tree's).",
        "23.58 and 23.56 min; R2 0.72 of both",
        checks=experiments((FIRST, FOREST), (FIRST, TREE), relation=About(0.05)),
    ),
    Claim(
        "001.38",
        "1 experiment 1",
        "Gradient boosting explains less of the variance than the tree.",
        "R2 0.54 and 0.72",
        checks=experiments((FIRST, BOOSTING), (FIRST, TREE), "r2", size=0.54 - 0.72),
        answer="what their boosting was set to is not told; CINECA's job table decides",
    ),
    Claim(
        "001.39",
        "1 experiment 1",
        "Overestimates are off by less than underestimates on the mean.",
        "14.82 and 58.91 min",
        checks=experiments(
            (FIRST, TREE),
            (FIRST, TREE),
            "over_mean",
            than="under_mean",
            size=14.82 / 58.91 - 1.0,
        ),
    ),
    Claim(
        "001.40",
        "1 experiment 1, 1 conclusions",
        "Most overestimates, and most underestimates, are off by less than an hour.",
        "96.30 %; 86.67 %",
        kind=DATA,
        checks=(
            *levels("over_in_hour", above(0.5), 0.963),
            *levels("under_in_hour", above(0.5), 0.8667),
        ),
    ),
    Claim(
        "001.41",
        "1 experiment 1",
        "Hardly any prediction is exact to half a second (here: fewer than 2 %).",
        "0.50 %",
        kind=DATA,
        checks=levels("exact", below(0.02), 0.005),
    ),
    Claim(
        "001.42",
        "1 experiment 1, 1 conclusions",
        "With underestimates counted as no gain, predictions are nearly four fifths nearer to the "
        "run times than walltimes (here: by more than half).",
        "78.10 %",
        kind=DATA,
        checks=levels("general", above(0.5), 0.781),
    ),
    Claim(
        "001.43",
        "1 experiment 2",
        "A third of the users are experts, with a tenth of the mean number of jobs or more (here: "
        "fewer than half).",
        "126 of 388",
        kind=DATA,
        checks=counts("experts", below(0.5), size=126 / 388),
    ),
    Claim(
        "001.44",
        "1 experiment 2",
        "The 50 users who are predicted best have most of the jobs.",
        "497,894 of 628,977, almost 80 %",
        kind=DATA,
        checks=levels("jobs", above(0.5), 497_894 / 628_977, of=BEST),
    ),
    Claim(
        "001.45",
        "1 experiment 2",
        "Of their jobs more of the variance is explained.",
        "R2 0.77 instead of 0.72",
        checks=experiments((FIRST, TREE), (BEST, TREE), "r2", size=0.72 - 0.77),
    ),
    Claim(
        "001.46",
        "1 experiment 3",
        "Experts have nearly all of the jobs (here: more than 90 %, which those with less than a "
        "tenth of the mean number leave them on any data).",
        "618,548 of 628,977",
        kind=DATA,
        checks=on(
            LOGS,
            Statement(Count("jobs of experts"), above(0.9), true_by_construction=True),
        ),
    ),
    Claim(
        "001.47",
        "1 experiment 3",
        "With these features gradient boosting errs by less, too.",
        "26.01 min instead of 35.89",
        checks=experiments((MORE, BOOSTING), (FIRST, BOOSTING), size=26.01 / 35.89 - 1.0),
        answer="what their boosting was set to is not told; CINECA's job table decides",
    ),
    Claim(
        "001.48",
        "1 experiment 4",
        "With the last jobs as test more are overestimated.",
        "94.40 % instead of 79.50 %",
        checks=experiments((FIRST, TREE), (LAST, TREE), "over", size=0.795 / 0.944 - 1.0),
        answer="they explain it by their last jobs, which run for much less than those before "
        "(001.49); CINECA's job table decides",
    ),
    Claim(
        "001.49",
        "1 experiment 4",
        "The last jobs run for much less than those before, and vary less (here: the last fifth, "
        "by mean and standard deviation of the run times).",
        kind=DATA,
        checks=(
            *counts("last fifth runs", below(1.0), ""),
            *counts("last fifth varies", below(1.0), ""),
        ),
    ),
    Claim(
        "001.50",
        "1 conclusions",
        "With an hour added fewer than 3 % of the jobs are underestimated.",
        "3 %; about 85 % of the underestimates are off by less",
        kind=DATA,
        checks=on(LOGS, Statement(ExperimentFigure(FIRST, TREE, "under_by_hour"), below(0.03))),
    ),
    Claim(
        "001.51",
        "1 conclusions",
        "With an hour added predictions are still more than 91 % nearer than the walltimes.",
        "91 %",
        kind=DATA,
        checks=on(
            LOGS, Statement(ExperimentFigure(FIRST, TREE, "effective_with_hour"), above(0.91))
        ),
    ),
    Claim(
        "001.52",
        "1 preliminary analysis",
        "Run times are highly skewed: their median lies far below their mean (here: below half).",
        "0.08 and 43.43 min",
        kind=DATA,
        checks=counts("median by mean run time", below(0.5), "", size=0.0833 / 43.4328),
    ),
    Claim(
        "001.53",
        "0 dataset, 1 preliminary analysis, 1 conclusions",
        "Its data: of 6,236,346 rows 1,074,576 tell what was asked for, 887,539 (over 99 % of what "
        "completed) are of one partition, 628,977 are complete; 1.40 % of these reached their "
        "limit; quartiles of each column.",
        "628,977; 1.40 %",
        kind=DATA,
        untried="CINECA's table is not at hand; `pred-aware convert m100` counts what each step "
        "leaves out",
    ),
    Claim(
        "001.56",
        "1 experiment 1",
        "The forest has slightly better figures than the tree (here: it explains more of the "
        "variance).",
        "mean squared errors of 7,990 and 8,052",
        checks=experiments((FIRST, TREE), (FIRST, FOREST), "r2"),
    ),
    Claim(
        "001.57",
        "1 experiment 2, 1 experiment 4",
        "Boosting is the worst there, too (here: it errs by more than the tree).",
        "9.97 and 8.44 min; 22.90 and 8.33 min",
        checks=(
            *experiments((BEST, TREE), (BEST, BOOSTING), size=8.44 / 9.97 - 1.0),
            *experiments((LAST, TREE), (LAST, BOOSTING), size=8.33 / 22.9 - 1.0),
        ),
        answer="what their boosting was set to is not told; CINECA's job table decides",
    ),
    Claim(
        "001.58",
        "1 experiment 4",
        "But underestimates are off by more than with jobs drawn at random.",
        "83.43 min instead of 58.91",
        checks=experiments((FIRST, TREE), (LAST, TREE), "under_mean", size=58.91 / 83.43 - 1.0),
        answer="they explain it by their last jobs, which run for much less than those before "
        "(001.49); CINECA's job table decides",
    ),
    Claim(
        "001.59",
        "1 conclusions",
        "In all experiments predictions are better than walltimes (here: nearer on the mean over "
        "all jobs, with underestimates counted as no gain, for tree and boosting).",
        "by 76 to 94 %",
        checks=tuple(
            check
            for experiment in (FIRST, BEST, MORE, LAST)
            for model in (TREE, BOOSTING)
            for check in on(
                LOGS, Statement(ExperimentFigure(experiment, model, "general"), above(0.0))
            )
        ),
    ),
    Claim(
        "001.60",
        "1 preliminary analysis",
        "Most columns are highly skewed, with medians below the means (here: of the processors).",
        "80 and 121.4 processors",
        kind=DATA,
        checks=counts("median by mean processors", Between(0.0, 1.0), "", size=80 / 121.379),
    ),
)
