"""Rehearsal of the service on a log, as a function."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pred_aware.comparison.comparing import compare
from pred_aware.errors import PredAwareError
from pred_aware.execution.simulate import simulate
from pred_aware.log.job_log import JobLog
from pred_aware.log.needed_fields import require_field
from pred_aware.log.past_jobs import past_jobs
from pred_aware.metrics.table import OF_SIZES
from pred_aware.prediction.candidate import Candidate, candidates_of
from pred_aware.prediction.evaluation import evaluate
from pred_aware.rehearsal.rehearsal_values import (
    RehearsalValues,
    RehearsedPredictor,
    frame,
    period_of,
    simulated_part,
)
from pred_aware.rehearsal.served_estimates import ServedPredictor, served_estimates
from pred_aware.rehearsal.verdict import verdict_of
from pred_aware.site_configuration import site_in
from predictors.history import warm
from predictors.submission import PastJob
from schedulers.core.estimates import FromPredictor, fields_needed
from schedulers.site.reader import content_of

if TYPE_CHECKING:
    import pandas as pd

BASELINE = "walltimes"
"""Name of the schedule without soft walltimes."""

CALENDAR: Mapping[str, Any] = {"backfilling": "openpbs", "correction": "openpbs"}
"""The default scheduling options: OpenPBS's backfilling and correction."""

SLURM: Mapping[str, Any] = {
    "order": {"name": "multifactor", "slurm": {}},
    "backfilling": "slurm",
    "correction": "doubling",
}
"""The default scheduling options for a site with Slurm's configuration: soft time limits."""

MEASURES = (
    "mean_waiting_time", OF_SIZES[-1], "area_weighted_waiting_time", "p99_waiting_time",
    "max_waiting_time", "mean_bounded_slowdown", "promises_kept",
)  # fmt: skip
"""Measures for comparing the schedules."""


@dataclass(frozen=True, slots=True, repr=False)
class Rehearsal(RehearsalValues):
    """The result of `pred_aware.rehearse`: what the service would have done on a log."""

    @property
    def frame(self) -> "pd.DataFrame":
        """A row for each predictor and job, as in `pred-aware service shadow --csv`."""
        return frame(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the values for JSON; times are in seconds, shares from 0 to 1."""
        verdict = verdict_of(self)
        return {
            "log": self.log.name,
            "jobs": len(self.period.places),
            "answer": verdict.answer,
            "predictor": verdict.predictor,
            "in_words": [verdict.sentence, *verdict.more],
            "scheduler": dict(self.options),
            "predictors": [
                {
                    "set": one.set,
                    "unknown": one.answers.unknown,
                    "extended": one.extended,
                    "errors": one.evaluation.to_dict(),
                }
                for one in self.by_predictor
            ],
            "schedules": self.comparison.to_dict(),
        }

    def __repr__(self) -> str:
        """Return the names of the log and the predictors."""
        return (
            f"<Rehearsal on {self.log.name}: {', '.join(one.label for one in self.by_predictor)}>"
        )


def rehearse(  # noqa: PLR0913 - the options of a rehearsal
    log: JobLog,
    predictors: Any,  # noqa: ANN401 - one or several, in any form
    *,
    begin: str | None = None,
    end: str | None = None,
    options: Mapping[str, Any] | None = None,
    lag: float = 5.0,
    shakes: int = 0,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Rehearsal:
    """Compute which soft walltimes the service would have set for a log's jobs, and their effects.

    The production code learns the jobs of the whole log in the order of their ends, and predicts
    each job of the period at its submission. Then the period is simulated without and with soft
    walltimes. In this simulation, the predictor learns the simulated ends.

    Parameters
    ----------
    log
        The log.
    predictors
        One or several predictors, as in `pred_aware.predict`; ``recorded`` is the log's own soft
        walltime.
    begin, end
        The period, as dates or in seconds; by default the whole log.
    options
        Options of the scheduler `policy`, which extend and override `CALENDAR`; for a site with
        Slurm's configuration, `SLURM`.
    lag
        Seconds from a job's end until the service learns it; the default is the usual delay of
        reading PBS's accounting.
    shakes
        Number of perturbed copies for intervals.
    workers
        Number of processes for the copies; by default one per core.
    progress
        Called after each perturbed copy, with the numbers of finished and of all copies.

    Raises
    ------
    InputError, PredictorError, SchedulerError, SimulationError, PredAwareError
        An argument is invalid, or a predictor or the simulation fails.

    Examples
    --------
    >>> import tempfile
    >>> from pred_aware.log.job_log import read_log
    >>> line = "{0} {1} -1 {2} 4 -1 -1 4 900 -1 1 7 1 -1 1 -1 -1 -1"
    >>> jobs = [line.format(n, 300 * n, 100 + n) for n in range(1, 20)]
    >>> with tempfile.NamedTemporaryFile("w", suffix=".swf") as file:
    ...     print("; MaxProcs: 8", *jobs, sep=chr(10), file=file, flush=True)
    ...     log = read_log(file.name)
    >>> found = rehearse(log, "pbs_v1", begin="3000")
    >>> found.frame[["job_id", "walltime", "soft_walltime", "run_time"]].head(2)
      job_id  walltime  soft_walltime  run_time
    0     11     900.0          120.0     111.0
    1     12     900.0          120.0     112.0
    """
    candidates = candidates_of(predictors)
    if any(one.label == BASELINE for one in candidates):
        raise PredAwareError(
            f"no predictor can have the name '{BASELINE}', because the baseline has this name"
        )
    for name in ("predictor", "estimates", "history"):
        if name in (options or {}):
            raise PredAwareError(
                f"do not give the scheduler's option '{name}', because the rehearsal sets it"
            )
    if log.machine.processors is None:
        raise PredAwareError(f"{log.name} does not contain the machine's size: give --processors N")
    for name in fields_needed(one.make() for one in candidates):
        require_field(log.name, name, (job.soft_walltime for job in log.machine.jobs))
    period = period_of(log, begin, end)
    past = past_jobs(log.machine.jobs)
    site = None if options is None or options.get("site") is None else site_in(options["site"])
    options = {**(CALENDAR if site is None or site.slurm is None else SLURM), **(options or {})}
    if site is not None:
        options["site"] = content_of(site)
    part, before = simulated_part(log, period)
    baseline = simulate(part, "policy", options=options, name=BASELINE)
    by_predictor = []
    for one in candidates:
        answers = served_estimates(log.machine.jobs, past, one, places=period.places, lag=lag)
        run = simulate(
            part, "policy", options=options, predictor=_of_a_run(one, before, lag), name=one.label
        )
        by_predictor.append(RehearsedPredictor(answers, evaluate(past, answers.predictions), run))
    comparison = compare(
        [baseline, *(one.run for one in by_predictor)], measures=MEASURES, shakes=shakes,
        workers=workers, progress=progress,
    )  # fmt: skip
    return Rehearsal(log, period, options, tuple(by_predictor), baseline, comparison)


def _of_a_run(candidate: Candidate, before: Iterable[PastJob], lag: float) -> Any:  # noqa: ANN401 - a source
    """Return the source of estimates for a simulation; each run gets its own copy."""
    source = candidate.make()
    if not isinstance(source, FromPredictor):
        return source
    warm(source.predictor, before)
    return ServedPredictor(source.predictor, lag=lag)
