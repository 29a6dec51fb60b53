"""Paper 001, part 1: how well run times are predicted."""

from reproductions.checks.claim import Check, Claim
from reproductions.checks.of_counts import Against, Count, ExperimentFigure
from reproductions.checks.statement import LESS, About, Relation, Statement, above, below, on

_LOGS = ("KTH", "wagap", "SDSC-DS")
_TREE, _FOREST, _BOOSTING = "decision_tree", "random_forest", "gradient_boosting"
_OWN_JOBS = "the 628,977 jobs it learned from are not published with the fields it uses"


def _levels(measure: str, relation: Relation) -> tuple[Check, ...]:
    return on(_LOGS, Statement(ExperimentFigure("baseline", _TREE, measure), relation))


def _experiments(
    one: tuple[str, str],
    other: tuple[str, str],
    measure: str = "mae",
    *,
    than: str = "",
    relation: Relation = LESS,
) -> tuple[Check, ...]:
    figures = ExperimentFigure(*one, measure), ExperimentFigure(*other, than or measure)
    return on(_LOGS, Statement(Against(*figures), relation))


CLAIMS = (
    Claim(
        "001.1",
        "1 experiment 1",
        "A decision tree predicts with a mean absolute error of 23.56 min, a forest of 23.58 min, "
        "gradient boosting of 35.89 min (here: boosting errs by more than the tree).",
        "23.56; 23.58; 35.89 min",
        checks=_experiments(("baseline", _TREE), ("baseline", _BOOSTING)),
    ),
    Claim(
        "001.2",
        "1 experiment 1, 1 conclusions",
        "About four fifths of the jobs are overestimated (here: more than half).",
        "79.50 %",
        checks=_levels("over", above(0.5)),
    ),
    Claim(
        "001.3",
        "1 experiment 1, 1 conclusions",
        "Where they are, the prediction is nearly 98 % nearer to the run time than the walltime "
        "(here: by more than 90 %).",
        "97.93 %",
        checks=_levels("effective", above(0.9)),
    ),
    Claim(
        "001.4",
        "1 experiment 2",
        "Jobs of the 50 users who are predicted best have a much smaller error.",
        "8.44 min instead of 23.56",
        checks=_experiments(("best_users", _TREE), ("baseline", _TREE)),
    ),
    Claim(
        "001.5",
        "1 experiment 3",
        "What users asked for on the mean, as features, makes the error a little smaller.",
        "22.24 min instead of 23.56",
        checks=_experiments(("augmentation", _TREE), ("baseline", _TREE)),
    ),
    Claim(
        "001.6",
        "1 experiment 4",
        "With the last jobs as test, and not ones drawn at random, the errors are smaller.",
        "8.33 min instead of 23.56",
        checks=_experiments(("consecutive", _TREE), ("baseline", _TREE)),
    ),
    Claim(
        "001.7",
        "1 experiment 4",
        "But less of the variance is explained.",
        "R2 0.62 instead of 0.72",
        checks=_experiments(("consecutive", _TREE), ("baseline", _TREE), "r2"),
    ),
    Claim(
        "001.8",
        "1 experiment 1, 1 experiment 2, 1 experiment 3, 1 experiment 4",
        "The errors themselves, to the digit.",
        "four pairs of tables",
        unchecked=_OWN_JOBS,
    ),
    Claim(
        "001.37",
        "1 experiment 1",
        "A forest comes out as the tree (here: its mean absolute error within 5 % of the tree's).",
        "23.58 and 23.56 min; R2 0.72 of both",
        checks=_experiments(("baseline", _FOREST), ("baseline", _TREE), relation=About(0.05)),
    ),
    Claim(
        "001.38",
        "1 experiment 1",
        "Gradient boosting explains less of the variance than the tree.",
        "R2 0.54 and 0.72",
        checks=_experiments(("baseline", _BOOSTING), ("baseline", _TREE), "r2"),
    ),
    Claim(
        "001.39",
        "1 experiment 1",
        "Overestimates are off by less than underestimates on the mean.",
        "14.82 and 58.91 min",
        checks=_experiments(
            ("baseline", _TREE), ("baseline", _TREE), "over_mean", than="under_mean"
        ),
    ),
    Claim(
        "001.40",
        "1 experiment 1, 1 conclusions",
        "Most overestimates, and most underestimates, are off by less than an hour.",
        "96.30 %; 86.67 %",
        checks=(*_levels("over_in_hour", above(0.5)), *_levels("under_in_hour", above(0.5))),
    ),
    Claim(
        "001.41",
        "1 experiment 1",
        "Hardly any prediction is exact to half a second (here: fewer than 2 %).",
        "0.50 %",
        checks=_levels("exact", below(0.02)),
    ),
    Claim(
        "001.42",
        "1 experiment 1, 1 conclusions",
        "With underestimates counted as no gain, predictions are nearly four fifths nearer to the "
        "run times than walltimes (here: by more than half).",
        "78.10 %",
        checks=_levels("general", above(0.5)),
    ),
    Claim(
        "001.43",
        "1 experiment 2",
        "A third of the users are experts, with a tenth of the mean number of jobs or more (here: "
        "fewer than half).",
        "126 of 388",
        checks=on(_LOGS, Statement(Count("experts"), below(0.5))),
    ),
    Claim(
        "001.44",
        "1 experiment 2",
        "The 50 users who are predicted best have most of the jobs.",
        "497,894 of 628,977, almost 80 %",
        checks=on(_LOGS, Statement(ExperimentFigure("best_users", _TREE, "jobs"), above(0.5))),
    ),
    Claim(
        "001.45",
        "1 experiment 2",
        "Of their jobs more of the variance is explained.",
        "R2 0.77 instead of 0.72",
        checks=_experiments(("baseline", _TREE), ("best_users", _TREE), "r2"),
    ),
    Claim(
        "001.46",
        "1 experiment 3",
        "Experts have nearly all of the jobs (here: more than 90 %).",
        "618,548 of 628,977",
        checks=on(_LOGS, Statement(Count("jobs of experts"), above(0.9))),
    ),
    Claim(
        "001.47",
        "1 experiment 3",
        "With these features gradient boosting errs by less, too.",
        "26.01 min instead of 35.89",
        checks=_experiments(("augmentation", _BOOSTING), ("baseline", _BOOSTING)),
    ),
    Claim(
        "001.48",
        "1 experiment 4",
        "With the last jobs as test more are overestimated.",
        "94.40 % instead of 79.50 %",
        checks=_experiments(("baseline", _TREE), ("consecutive", _TREE), "over"),
    ),
    Claim(
        "001.49",
        "1 experiment 4",
        "The last jobs run for much less than those before, and vary less (here: the last fifth, "
        "by mean and standard deviation of the run times).",
        checks=on(
            _LOGS,
            Statement(Count("last fifth runs", ""), below(1.0)),
            Statement(Count("last fifth varies", ""), below(1.0)),
        ),
    ),
    Claim(
        "001.50",
        "1 conclusions",
        "With an hour added fewer than 3 % of the jobs are underestimated.",
        "3 %; about 85 % of the underestimates are off by less",
        checks=_levels("under_by_hour", below(0.03)),
    ),
    Claim(
        "001.51",
        "1 conclusions",
        "With an hour added predictions are still more than 91 % nearer than the walltimes.",
        "91 %",
        unchecked="it takes each job's prediction, and the experiments keep their measures alone",
    ),
    Claim(
        "001.52",
        "1 preliminary analysis",
        "Run times are skewed: their median lies below their mean.",
        "0.08 and 43.43 min",
        checks=on(_LOGS, Statement(Count("median by mean run time", ""), below(1.0))),
    ),
    Claim(
        "001.53",
        "0 dataset, 1 preliminary analysis, 1 conclusions",
        "Its data: of 6,236,346 rows 1,074,576 tell what was asked for, 887,539 (over 99 % of what "
        "completed) are of one partition, 628,977 are complete; 1.40 % of these reached their "
        "limit; quartiles of each column.",
        "628,977; 1.40 %",
        unchecked=_OWN_JOBS,
    ),
)
