"""The command `predict`: measure predictors on a log."""

from pathlib import Path
from typing import Annotated, Any, Literal

from pred_aware.commands.options.groups import adding, has, option
from pred_aware.commands.options.output import PAGE, OutputOptions
from pred_aware.commands.options.parts import HISTORY_HELP, CandidateOptions
from pred_aware.commands.options.reading import LogArgument, ReadingOptions, read_options


def predict(  # noqa: PLR0913 - one parameter per option
    log: LogArgument,
    *,
    predicting: CandidateOptions,
    history: Annotated[str | None, option("FILE|JSON", HISTORY_HELP)] = None,
    train_until: Annotated[
        str | None,
        option(
            "DATE|FRACTION",
            "Learn only jobs that ended by this date (2003-01-31) or this many seconds after the "
            "first submission, or the first share of the jobs (0.8). Then predict the later jobs "
            "without learning more.",
        ),
    ] = None,
    split: Annotated[
        Literal["consecutive", "random"] | None,
        option(
            "",
            "Learn some jobs and predict the others, as in paper 001: the last jobs, or random "
            "jobs. With random jobs, the predictor also learns jobs of the future.",
        ),
    ] = None,
    test_share: Annotated[
        float, option("SHARE", "With --split: share of the jobs to predict, between 0 and 1.")
    ] = 0.2,
    seed: Annotated[int, option("N", "Seed of the random split.", min=0)] = 0,
    reading: ReadingOptions,
    output: Annotated[
        OutputOptions,
        has(*PAGE, csv="Write a row for each prediction."),
    ],
) -> None:
    """Measure how well predictors predict the run times of a log's jobs.

    Replays the log in time order. The predictor predicts each job at its submission and learns the
    job's run time at its end. So no prediction uses the future. Predictions are limited as in a
    scheduler: at least 1 s, at most the walltime. Run times are those of the log, even if they
    exceed the walltime.

    Give a predictor as for `run`: a name, module:Class, or JSON with name and options. `actual` and
    `accuracy` know the run time, so they show the best possible result.

    For example:

        pred-aware predict KTH-SP2-1996-2.1-cln.swf.gz --predictor last_two

        pred-aware predict LOG.swf.gz --predictor last_two --predictor 'near={"name": "knn", "k": 3}'

        pred-aware predict LOG.swf.gz --predictor pbs_v3 --html pbs.html --csv predictions.csv

        pred-aware predict LOG.swf.gz --predictor decision_tree --train-until 0.8 --json

        pred-aware predict LOG.swf.gz --predictor decision_tree --split random --test-share 0.2
    """  # noqa: E501 - an example is one line
    from pred_aware.prediction import predict as prediction
    from pred_aware.prediction.protocol import check_protocol
    from pred_aware.prediction.report import PredictionReport

    candidates = predicting.candidates()
    read = {"the log": log, **reading.files}
    past: Any = read_options(history) if (history or "").startswith("{") else history
    if isinstance(past, str) or (past and isinstance(past.get("file"), str)):
        read["--history"] = Path(past if isinstance(past, str) else past["file"])
    output.check(read)
    check_protocol(train_until, split, history, predicting.lag)
    jobs = reading.read(log)
    with output.progress() as progress:
        measured = prediction.predict(
            jobs, candidates, history=past, train_until=train_until,
            split=split, test_share=test_share, seed=seed, lag=predicting.lag, progress=progress,
        )  # fmt: skip
    output.deliver(PredictionReport(jobs, measured), readable=True)


register = adding(predict, page="how-to/predict.md")
