"""Predictors measured on a log: values in, a value out."""

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
    """What predictors said of the jobs of a log, and how right they were.

    It is made by `pred_aware.predict`.
    """

    name: str
    """The log's name."""
    evaluations: tuple[Evaluation, ...]
    """Everything that is said of each predictor, as `pred-aware predict --json` has it."""
    jobs: PastJobs = field(repr=False)
    predictions: tuple[Predictions, ...] = field(repr=False)
    split: Split | None = field(default=None, repr=False)

    @property
    def frame(self) -> "pd.DataFrame":
        """A row for each prediction, with the columns of `pred-aware predict --csv`.

        `predictor`, `job_id`, `submit_time`, `processors`, `user`, `queue`, `walltime`, `run_time`,
        `estimate`, `estimate_at_start`; times in seconds.
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
        """Draw the predictions beside the run times, as `pred-aware predict --picture` does."""
        from pred_aware.prediction.report import pictures
        from pred_aware.report.picture import figure_of

        return figure_of(pictures(self.evaluations))

    def __repr__(self) -> str:
        """Name the log and the predictors."""
        return f"<Measured on {self.name}: {', '.join(one.label for one in self.evaluations)}>"

    def _repr_html_(self) -> str:
        """Show it in a notebook: the measures."""
        from pred_aware.report.html import table_in_html

        return table_in_html(repr(self)[1:-1], self.figures.T)


def predict(  # noqa: PLR0913 - each way to learn by its name
    log: JobLog,
    predictors: Any,  # noqa: ANN401 - one or several, in any form
    *,
    history: str | Path | Mapping[str, Any] | None = None,
    train_until: str | float | None = None,
    split: SplitKind | None = None,
    test_share: float = 0.2,
    seed: int = 0,
    lag: float = 0.0,
    progress: Callable[[int, int], None] | None = None,
) -> Measured:
    """Replay a log in time order, and measure how right predictors are.

    Each job is predicted when it is submitted and learned when it has ended, so that nothing is
    known before its time. Nothing that is given is changed.

    Parameters
    ----------
    log
        The log.
    predictors
        One or a list: each a name, a mapping with ``name`` and options, a class or an object; or a
        mapping of labels to these.
    history
        A file of past jobs that all of them learn first, or a mapping with ``file``, ``format`` and
        options of its reader.
    train_until
        In place of the replay, learn what had ended by this date (``2003-01-31``), by this share of
        the jobs (0.8) or this many seconds after the first submission; then predict the others.
    split
        In place of the replay, learn some of the jobs and predict the others, as paper 001 does:
        the last ones, or drawn at random (which looks into the future).
    test_share
        Share of the jobs that a split predicts.
    seed
        Seed of the random split.
    lag
        In the replay, how many seconds after its end a job is learned, as in production: the
        service reads PBS's accounting every 5 s, and asks Slurm's every 45 s.
    progress
        Called now and then with how many predictions were made, and of how many.

    Raises
    ------
    PredictorError, SchedulerError, PredAwareError
        A predictor can't be made, or fails on a job; nobody is asked.

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
    """Write measures of groups as ``group.measure``."""
    flat: dict[str, Any] = {}
    for name, value in measures.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{before}{name}.")
        elif isinstance(value, int | float | None):
            flat[f"{before}{name}"] = value
    return flat
