"""Tables of evaluated predictions."""

from collections.abc import Callable, Iterator, Sequence

from pred_aware.prediction.evaluation import Evaluation
from pred_aware.prediction.groups import LENGTHS, Group
from pred_aware.prediction.measures import Measures, PredictionErrors
from pred_aware.report.table import NOTHING, Cell, Table, duration, figure, number, percent

LONGEST_NAME = 32
MOST_ROWS = 12
"""Largest number of queues or users in a table."""
LOWEST_R2 = -100.0
WALLTIMES = "(the walltimes)"
PAPER_001 = "Measures of the Marconi100 report (paper 001)"


def tables(evaluations: Sequence[Evaluation]) -> list[Table]:
    """Return the tables for predictions of the same jobs.

    Parameters
    ----------
    evaluations
        The evaluations, at least one.
    """
    return [
        _overview(evaluations),
        paper001_table([(evaluation.label, evaluation.measures) for evaluation in evaluations]),
        _lengths(evaluations),
        *_groups("queue", evaluations, lambda evaluation: evaluation.by_queue),
        *_users(evaluations),
    ]


def short(name: str) -> str:
    """Shorten a long name.

    Examples
    --------
    >>> short("a" * 40)
    'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'
    """
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def determination(r2: float | None) -> Cell:
    """Format a coefficient of determination; values below -100 become ``< -100``.

    Examples
    --------
    >>> [determination(r2) for r2 in (0.256, -3.0, -12345.6, None)]
    ['0.26', '-3.00', '< -100', '-']
    """
    return Cell("< -100", r2) if r2 is not None and r2 < LOWEST_R2 else number(r2, 2)


def _overview(evaluations: Sequence[Evaluation]) -> Table:
    walltime = evaluations[0].measures.walltime
    rows = [
        (
            WALLTIMES,
            duration(walltime.mae),
            duration(walltime.median_absolute_error),
            *[NOTHING] * 2,
            percent(walltime.overrun),
            number(walltime.deviation_ratio, 1),
            *[NOTHING] * 2,
        )
    ]
    for one in evaluations:
        measures, timing = one.measures, one.predictions.timing
        rows.append(
            (
                short(one.label),
                duration(measures.mae),
                duration(measures.median_absolute_error),
                duration(measures.rmse),
                determination(measures.r2),
                percent(measures.underestimated),
                number(measures.deviation_ratio, 1),
                number(timing.predict_median, 1),
                number(timing.learn_median, 1),
            )
        )
    header = (
        "",
        "MAE",
        "median",
        "RMSE",
        "R2",
        "underestimated",
        "deviation ratio",
        "predict, us",
        "learn, us",
    )
    jobs = evaluations[0].measures.jobs
    return Table(f"Predictions of {jobs:,} jobs", header, tuple(rows))


def paper001_table(
    measured: Sequence[tuple[str, Measures]],
    *,
    title: str = PAPER_001,
    unit: float | None = None,
) -> Table:
    """Return the table of measures of paper 001, with a column for each predictor.

    Parameters
    ----------
    measured
        The predictors' names and measures.
    title
        Title of the table.
    unit
        Unit of errors, in seconds; by default a suitable unit for each value.
    """
    columns = [list(_paper001_column(measures, unit)) for _, measures in measured]
    return Table(
        title,
        ("", *(short(name) for name, _ in measured)),
        tuple((row[0][0], *(text for _, text in row)) for row in zip(*columns, strict=True)),
    )


def _paper001_column(of: Measures, unit: float | None) -> Iterator[tuple[str, Cell]]:
    """Yield the labels and values of one predictor's column, from top to bottom."""

    def time(value: float | None) -> Cell:
        if unit is None:
            return duration(value)
        return figure(None if value is None else value / unit)

    def side(errors: PredictionErrors) -> Iterator[tuple[str, Cell]]:
        yield "  min(error)", time(errors.min)
        yield "  max(error)", time(errors.max)
        yield "  avg(error)", time(errors.mean)
        yield "  error < 60 min", percent(errors.within_hour, 2)

    yield "MAE", time(of.mae)
    yield ("MSE, s²", figure(of.mse)) if unit is None else ("MSE", time(of.mse / unit))
    yield "RMSE", time(of.rmse)
    yield "R2", determination(of.r2)
    yield "overestimated by more than 0.5 s", percent(of.over, 2)
    yield from side(of.over_errors)
    yield "underestimated by more than 0.5 s", percent(of.under, 2)
    yield from side(of.under_errors)
    yield "exact to 0.5 s", percent(of.exact, 2)
    yield "effectiveness, general", percent(of.effectiveness.general, 2)
    yield "effectiveness, valid predictions", percent(of.effectiveness.valid, 2)


def _lengths(evaluations: Sequence[Evaluation]) -> Table:
    groups = evaluations[0].by_length
    header = [""]
    walltimes = [WALLTIMES]
    for group in groups:
        header += [f"{group.name}: MAE", "underestimated"]
        walltimes += [duration(group.walltime_mae), NOTHING]
    rows = [tuple(walltimes)]
    for one in evaluations:
        row = [short(one.label)]
        for group in one.by_length:
            row += [duration(group.mae), percent(group.underestimated)]
        rows.append(tuple(row))
    shares = ", ".join(f"{group.name} {percent(group.share)}" for group in groups)
    hours = " and ".join(f"{at_most / 3600:.0f} h" for _, _, at_most in LENGTHS[:-1])
    title = f"Errors by run time (limits {hours}): {shares} of the jobs"
    return Table(title, tuple(header), tuple(rows))


def _groups(
    what: str, evaluations: Sequence[Evaluation], groups_of: Callable[[Evaluation], list[Group]]
) -> Iterator[Table]:
    """Yield a table of mean absolute errors by group and predictor."""
    groups = groups_of(evaluations[0])
    if not groups:
        return
    shown = f"the {MOST_ROWS} largest of {len(groups)}; " * (len(groups) > MOST_ROWS)
    columns = [groups_of(one)[:MOST_ROWS] for one in evaluations]
    yield Table(
        f"MAE by {what} ({shown}in brackets: share of underestimated jobs)",
        (what, "jobs", WALLTIMES, *(short(one.label) for one in evaluations)),
        tuple(
            (
                short(row[0].name),
                number(row[0].jobs),
                duration(row[0].walltime_mae),
                *(
                    Cell(f"{duration(group.mae)} ({percent(group.underestimated)})", group.mae)
                    for group in row
                ),
            )
            for row in zip(*columns, strict=True)
        ),
    )


def _users(evaluations: Sequence[Evaluation]) -> Iterator[Table]:
    yield from _groups("user", evaluations, lambda evaluation: evaluation.by_user)
    users = evaluations[0].users
    if not users.users:
        return
    yield Table(
        f"Mean absolute errors of {users.users:,} users, compared with their walltimes' errors",
        ("", "smaller", "larger", "smaller by over 24 h", "largest increase"),
        tuple(
            (
                short(evaluation.label),
                percent(evaluation.users.better),
                percent(evaluation.users.worse),
                percent(evaluation.users.better_by_a_day),
                duration(evaluation.users.largest_deterioration),
            )
            for evaluation in evaluations
        ),
    )
