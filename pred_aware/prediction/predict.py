"""A function that evaluates predictors on a log."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pred_aware.log.job_log import JobLog
from pred_aware.log.needed_fields import require_field
from pred_aware.log.past_jobs import PastJobs, past_jobs
from pred_aware.prediction.candidate import candidates_of
from pred_aware.prediction.evaluation import Evaluation, evaluate
from pred_aware.prediction.predictions import COLUMNS, Predictions, rows_of
from pred_aware.prediction.protocol import SplitKind, check_protocol, divided
from pred_aware.prediction.replay import replay
from pred_aware.prediction.splits import Split, predict_split
from predictors.history import history_of
from schedulers.core.estimates import fields_needed

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


@dataclass(frozen=True, slots=True, repr=False)
class Measured:
    """Predictions for the jobs of a log, and their evaluation; returned by `pred_aware.predict`."""

    name: str
    """Name of the log."""
    evaluations: tuple[Evaluation, ...]
    """The evaluation of each predictor, as in `pred-aware predict --json`."""
    jobs: PastJobs = field(repr=False)
    predictions: tuple[Predictions, ...] = field(repr=False)
    split: Split | None = field(default=None, repr=False)

    @property
    def frame(self) -> "pd.DataFrame":
        """A row for each prediction, with the columns of `pred-aware predict --csv`.

        The columns are `predictor`, `job_id`, `submit_time`, `processors`, `user`, `queue`,
        `walltime`, `run_time`, `estimate` and `estimate_at_start`; times are in seconds.
        """
        import pandas as pd

        rows = [row for one in self.predictions for row in rows_of(self.jobs, one)]
        frame = pd.DataFrame(rows, columns=list(COLUMNS))
        return frame.astype({"predictor": "category", "walltime": "float64"})

    @property
    def figures(self) -> "pd.DataFrame":
        """A row for each predictor, a column for each measure (docs/reference/metrics.md)."""
        import pandas as pd

        rows = {one.label: _flat(asdict(one.measures)) for one in self.evaluations}
        return pd.DataFrame.from_dict(rows, orient="index").rename_axis("predictor")

    def plot(self) -> "Figure":
        """Draw the predictions against the run times, as `pred-aware predict --picture` does."""
        from pred_aware.prediction.report import pictures
        from pred_aware.report.picture import figure_of

        return figure_of(pictures(self.evaluations))

    def __repr__(self) -> str:
        """Return the names of the log and the predictors."""
        return f"<Measured on {self.name}: {', '.join(one.label for one in self.evaluations)}>"

    def _repr_html_(self) -> str:
        """Return the measures as an HTML table, for notebooks."""
        from pred_aware.report.html import table_in_html

        return table_in_html(repr(self)[1:-1], self.figures.T)


def predict(  # noqa: PLR0913 - one for each option
    log: JobLog,
    predictors: Any,  # noqa: ANN401 - in any form
    *,
    history: str | Path | Mapping[str, Any] | None = None,
    train_until: str | float | None = None,
    split: SplitKind | None = None,
    test_share: float = 0.2,
    seed: int = 0,
    lag: float = 0.0,
    progress: Callable[[int, int], None] | None = None,
) -> Measured:
    """Replay a log in time order, and evaluate predictors.

    Each job is predicted at its submission and learned after its end, so that no future information
    is used. The arguments are not changed.

    Parameters
    ----------
    log
        The log.
    predictors
        One predictor or a list of predictors. Each is a name, a mapping with ``name`` and options,
        a class or an object. A mapping from labels to predictors is also possible.
    history
        A file of past jobs that all predictors learn first, or a mapping with ``file``, ``format``
        and options of the file's reader.
    train_until
        If given, there is no replay: predictors learn the jobs that had ended by a date, and
        predict later jobs. The date is a text (``2003-01-31``), a share of the jobs (0.8), or a
        number of seconds after the first submission.
    split
        If given, there is no replay: predictors learn some jobs and predict the others, as in paper
        001. The predicted jobs are the last ones (``consecutive``), or drawn at random (``random``,
        which uses future information).
    test_share
        Share of jobs that a split predicts.
    seed
        Seed of the random split.
    lag
        Seconds after a job's end until predictors learn the job in the replay. In production, the
        service reads PBS's accounting every 5 s, and Slurm's every 45 s.
    progress
        Called at intervals with the number of finished predictions, and their total number.

    Raises
    ------
    PredictorError, SchedulerError, PredAwareError
        A predictor cannot be created or fails on a job, or there is no predictor.

    Examples
    --------
    >>> import tempfile
    >>> from pred_aware.log.job_log import read_log
    >>> line = "{0} {0} 5 60 4 -1 -1 4 90 -1 1 7 1 -1 1 -1 -1 -1"
    >>> with tempfile.NamedTemporaryFile("w", suffix=".swf") as file:
    ...     print("; MaxProcs: 8", *map(line.format, (100, 200, 300, 400)), sep=chr(10), file=file)
    ...     file.flush()
    ...     log = read_log(file.name)
    >>> predict(log, ["last_two", "walltime"]).figures["mae"]
    predictor
    last_two    15.0
    walltime    30.0
    Name: mae, dtype: float64
    """
    candidates = candidates_of(predictors)
    check_protocol(train_until, split, history, lag)
    for name in fields_needed(one.make() for one in candidates):
        require_field(log.name, name, (getattr(job, name) for job in log.machine.jobs))
    jobs = past_jobs(log.machine.jobs)
    division = divided(
        jobs, log.machine, train_until=train_until, split=split, test_share=test_share, seed=seed
    )
    if division is not None:
        predictions = predict_split(jobs, candidates, division, progress=progress)
    else:
        past = (
            ()
            if history is None
            else history_of(str(history) if isinstance(history, Path) else history)
        )
        predictions = replay(jobs, candidates, history=past, lag=lag, progress=progress)
    evaluations = tuple(evaluate(jobs, one) for one in predictions)
    return Measured(log.name, evaluations, jobs, tuple(predictions), division)


def _flat(measures: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return nested measures as one mapping, with names such as ``effectiveness.valid``."""
    flat: dict[str, Any] = {}
    for name, value in measures.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{before}{name}.")
        elif isinstance(value, int | float | None):
            flat[f"{before}{name}"] = value
    return flat
