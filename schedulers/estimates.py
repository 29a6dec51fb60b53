"""Where estimates of run times come from."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from predictors import PREDICTORS, OptionError, Predictor, UnknownNameError
from predictors.estimate import clamp
from predictors.registry import nearest
from schedulers.errors import SchedulerError
from schedulers.job import Job

UNKNOWN = float("inf")
"""The estimate of a job of which nothing is known."""

SHORTEST = 1.0
"""No estimate is below this, in seconds."""


class EstimateSource(Protocol):
    """Estimates how long a job will run."""

    needs_fields: bool
    """Whether it looks at more of a job than its size and walltime."""

    def estimate(self, job: Job, now: float) -> float:
        """Return the estimate in seconds: at least 1, at most the walltime, or `UNKNOWN`."""
        ...


class FromWalltime:
    """Takes the walltime as the estimate."""

    needs_fields = False

    def estimate(self, job: Job, now: float) -> float:  # noqa: ARG002 - the same at any date
        """Return the walltime."""
        return UNKNOWN if job.walltime is None else job.walltime


class FromDelay:
    """Takes the run time itself, from the delay profile: exists in simulation only."""

    needs_fields = True

    def estimate(self, job: Job, now: float) -> float:  # noqa: ARG002 - the same at any date
        """Return how long the job will run.

        Raises
        ------
        SchedulerError
            The job has no delay profile.
        """
        if job.delay is None:
            raise SchedulerError(
                f"job '{job.id}' has no delay profile; the estimates 'actual' exist only in a "
                "simulation of delays"
            )
        return _between(job.delay, job.walltime)


class FromPredictor:
    """Asks a predictor.

    Parameters
    ----------
    predictor
        Whom to ask; it is told of the jobs by `Learning`.
    default
        The estimate in seconds where there is neither a prediction nor a walltime.
    """

    needs_fields = True

    def __init__(self, predictor: Predictor, *, default: float = 86400.0) -> None:
        self.predictor = predictor
        self.default = default

    def estimate(self, job: Job, now: float) -> float:
        """Return the prediction, between 1 s and the walltime."""
        submission = job.submission
        return clamp(self.predictor.predict(submission, now), submission, default=self.default)


def _between(seconds: float, walltime: float | None) -> float:
    estimate = max(seconds, SHORTEST)
    return estimate if walltime is None else min(estimate, walltime)


def predictors_of(sources: Iterable[EstimateSource]) -> list[Predictor]:
    """Return the predictors that some sources ask, each of them once."""
    found: list[Predictor] = []
    for source in sources:
        if isinstance(source, FromPredictor) and source.predictor not in found:
            found.append(source.predictor)
    return found


class Learning:
    """Tells predictors what becomes of the jobs, each of them once.

    Parameters
    ----------
    predictors
        Whom to tell.
    """

    def __init__(self, predictors: list[Predictor]) -> None:
        self._predictors = predictors
        self._submitted = self._hooks("submitted")
        self._started = self._hooks("started")
        self._withdrawn = self._hooks("withdrawn")

    def __bool__(self) -> bool:
        """Whether anybody listens."""
        return bool(self._predictors)

    def _hooks(self, name: str) -> list[Callable[[Any, float], None]]:
        return [getattr(p, name) for p in self._predictors if hasattr(p, name)]

    def submitted(self, job: Job, now: float) -> None:
        """Tell that a job was submitted."""
        for tell in self._submitted:
            tell(job.submission, now)

    def started(self, job: Job, now: float) -> None:
        """Tell that a job starts."""
        for tell in self._started:
            tell(job.submission, now)

    def withdrawn(self, job: Job, now: float) -> None:
        """Tell that a job is rejected."""
        for tell in self._withdrawn:
            tell(job.submission, now)

    def ended(self, job: Job, now: float) -> None:
        """Tell that a job has ended, and how long it ran."""
        run_time = now - job.started
        if job.walltime is not None and run_time > job.walltime:
            run_time = job.walltime
        for predictor in self._predictors:
            predictor.learn(job.submission, run_time, now)


def make_source(spec: object) -> EstimateSource:
    """Make a source of estimates: ``walltime``, ``actual``, or a predictor by name and options.

    Raises
    ------
    UnknownNameError, OptionError
        No such source, or an option that it does not have.
    """
    if spec == "walltime":
        return FromWalltime()
    if spec == "actual":
        return FromDelay()
    if not isinstance(spec, str | dict):
        raise OptionError(
            "estimates are given by a name or by an object with name and options, such as "
            f'{{"name": "last_two"}}, not by {spec!r}'
        )
    if spec == {"name": "actual"}:
        return FromDelay()
    if isinstance(spec, dict) and "default" in spec:
        default = spec["default"]
        # written so that NaN fails the comparison
        if isinstance(default, bool) or not (
            isinstance(default, int | float) and 1 <= default < UNKNOWN
        ):
            raise OptionError(f"the option 'default' is {default!r}; it must be 1 s or more")
        rest = {key: value for key, value in spec.items() if key != "default"}
        return FromPredictor(_predictor(rest), default=float(default))
    return FromPredictor(_predictor(spec))


def _predictor(spec: str | dict[str, Any]) -> Predictor:
    name, _ = PREDICTORS.split(spec)
    try:
        predictor: Predictor = PREDICTORS.make(spec)
    except UnknownNameError as error:
        if ":" in name:
            raise
        hint = nearest(name, [*PREDICTORS.names(), "actual"])
        raise UnknownNameError(f"unknown predictor '{name}': {hint}") from error
    return predictor
