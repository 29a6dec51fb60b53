"""Paper 001's tables of schedules, as they stand in it, and checks of them and of predictions."""

from collections.abc import Mapping

from reproductions.checks.claim import CHANGED, THEIRS, Check
from reproductions.checks.of_counts import Count, ExperimentDifference, ExperimentFigure
from reproductions.checks.of_the_day import DAY, PUBLISHED, DayDifference, DayShare, Digits
from reproductions.checks.statement import LESS, Relation, Size, Statement, on

SMALL, BIG = 512, 15680
"""Processors of the paper's machines."""
Table = Mapping[str, tuple[float, float]]
"""By figure: what the paper has of ``pred_aware`` and of ``easy_bf``."""

TABLES: Mapping[int, Table] = {
    SMALL: {
        "makespan": (1029198.211600, 1090869.293818),
        "mean_waiting_time": (127474.557009, 163846.310703),
        "mean_turnaround_time": (128979.200758, 165350.954452),
        "mean_slowdown": (22785.239851, 20097.171103),
        "max_waiting_time": (994211.211600, 1026349.259818),
        "max_turnaround_time": (1024094.211600, 1027933.289418),
        "max_slowdown": (450511.649074, 1026350.260057),
    },
    BIG: {
        "makespan": (86272.006800, 86272.002400),
        "mean_waiting_time": (846.539090, 953.381263),
        "mean_turnaround_time": (2351.182838, 2458.025012),
        "mean_slowdown": (2.308898, 45.851883),
        "max_waiting_time": (17003.092800, 12608.038400),
        "max_turnaround_time": (64657.006800, 64657.002400),
        "max_slowdown": (261.081800, 12156.040600),
    },
}
"""Figures of a whole schedule, by machine."""
WAITS_TABLES: Mapping[int, Table] = {
    SMALL: {
        "waits under 1 min": (13.09, 2.06),
        "waits under 10 min": (22.76, 2.95),
        "waits under 1 h": (32.92, 15.95),
        "waits under 6 h": (55.84, 56.93),
        "waits under 24 h": (66.94, 71.84),
    },
    BIG: {
        "waits under 1 min": (84.86, 80.58),
        "waits under 10 min": (88.56, 84.41),
        "waits under 1 h": (91.49, 89.88),
        "waits under 6 h": (100.0, 100.0),
    },
}
"""Shares of the jobs by their waits in percent, by machine."""

_PREDICTORS = ("decision_tree", "actual")
ORDERED_BY = (PUBLISHED, *_PREDICTORS)
"""The authors' own runs; ours, whose tree learns from what has ended on the day itself, since the
jobs that the paper's learned from cannot be had; and ours with perfect predictions."""


def source_of(predictor: str) -> str:
    """Say whose runs are ordered by this: the authors' own, or ours."""
    return THEIRS if predictor == PUBLISHED else CHANGED


def both(
    processors: int, figure: str, relation: Relation = LESS, *, sized: bool = True
) -> tuple[Check, ...]:
    """Compare a figure of their tables under both schedulers, and of its size where they differ."""
    new, old = {**TABLES[processors], **WAITS_TABLES[processors]}[figure]
    size = Size(new / old - 1.0) if sized else None
    return tuple(
        Statement(DayDifference(processors, figure, one), relation, DAY, size, source_of(one))
        for one in ORDERED_BY
    )


def digits(processors: int, scheduler: str, figures: Mapping[str, str]) -> tuple[Check, ...]:
    """Compare figures with the paper's digits: the published, and `easy_bf`'s made again."""
    theirs = Statement(
        Digits(processors, figures, scheduler, published=True), log=DAY, source=THEIRS
    )
    if scheduler != "easy_bf":
        return (theirs,)
    return theirs, Statement(Digits(processors, figures), log=DAY, source=CHANGED)


def table_of(processors: int, scheduler: str) -> Mapping[str, str]:
    """Return the figures of a scheduler in the table of a machine, as it has them."""
    place = ("pred_aware", "easy_bf").index(scheduler)
    return {name: f"{both[place]:.6f}" for name, both in TABLES[processors].items()}


def waits_of(processors: int, scheduler: str) -> Mapping[str, str]:
    """Return the shares of a scheduler in the table of waits of a machine."""
    place = ("pred_aware", "easy_bf").index(scheduler)
    return {name: f"{both[place]:.2f}" for name, both in WAITS_TABLES[processors].items()}


def shares(
    share: str, relation: Relation, size: float | None = None, *, processors: int = BIG
) -> tuple[Check, ...]:
    """Return checks of a share of the jobs under its scheduler, and of its size."""
    return tuple(
        Statement(
            DayShare(processors, share, one),
            relation,
            DAY,
            None if size is None else Size(size),
            source_of(one),
        )
        for one in ORDERED_BY
    )


TABLE = "Marconi100, the table"
LOGS = (TABLE, "KTH", "wagap", "SDSC-DS")
TREE, FOREST, BOOSTING = "decision_tree", "random_forest", "gradient_boosting"
FIRST, BEST, MORE, LAST = "baseline", "best_users", "augmentation", "consecutive"


def levels(measure: str, relation: Relation, size: float, *, of: str = FIRST) -> tuple[Check, ...]:
    """Return checks of a measure of the tree, and of its size, on each log."""
    figure = ExperimentFigure(of, TREE, measure)
    return on(LOGS, Statement(figure, relation, size=Size(size)))


def counts(
    name: str, relation: Relation, unit: str = "%", *, size: float | None = None
) -> tuple[Check, ...]:
    """Return checks of what is counted in each log, and of its size."""
    sized = None if size is None else Size(size)
    return on(LOGS, Statement(Count(name, unit), relation, size=sized))


def experiments(
    one: tuple[str, str],
    other: tuple[str, str],
    measure: str = "mae",
    *,
    than: str = "",
    relation: Relation = LESS,
    size: float | None = None,
) -> tuple[Check, ...]:
    """Return checks of one experiment against another, model by model, on each log."""
    figures = ExperimentFigure(*one, measure), ExperimentFigure(*other, than or measure)
    sized = None if size is None else Size(size, points=measure == "r2")
    return on(LOGS, Statement(ExperimentDifference(*figures), relation, size=sized))
