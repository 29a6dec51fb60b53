"""Sources of estimates of run times."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Protocol, TypeGuard

from predictors import PREDICTORS, OptionError, Predictor, PredictorError, UnknownNameError
from predictors.checks import require_number
from predictors.estimate import clamp
from predictors.registry import Part, PartSpec, build, nearest
from schedulers.core.job import Job
from schedulers.errors import SchedulerError
from schedulers.foreign import described, failure, require

UNKNOWN = float("inf")
"""The estimate of a job without any information."""

SHORTEST = 1.0
"""The smallest estimate, in seconds."""


class EstimateSource(Protocol):
    """Estimates how long a job will run."""

    needs_fields: bool = True
    """Whether the source uses other fields of a job than its size and walltime."""
    valid_for: float = UNKNOWN
    """If a job starts more than this many seconds after its submission, it is estimated again."""

    def estimate(self, job: Job, now: float) -> float:
        """Return the estimate in seconds: at least 1, at most the walltime, or `UNKNOWN`."""
        ...


class FromWalltime(EstimateSource):
    """Use the walltime as the estimate."""

    needs_fields = False

    def estimate(self, job: Job, now: float) -> float:
        """Return the walltime."""
        return job.walltime


class FromDelay(EstimateSource):
    """Use the true run time, from the job's delay profile. Only simulations have this profile."""

    def estimate(self, job: Job, now: float) -> float:
        """Return the run time; raise a `SchedulerError` if the job has no delay profile."""
        if job.delay is None:
            raise SchedulerError(
                f"job '{job.id}' has no delay profile; the estimates 'actual' need a simulation "
                "in which every job has one"
            )
        return _between(job.delay, job.walltime)


class FromAccuracy(EstimateSource):
    """Mix the true run time and the walltime. This works only in simulations.

    The estimate is a x run time + (1 - a) x walltime, with the accuracy a from 0 to 1 (equation 3
    of Tang et al., paper 004).
    """

    def __init__(self, a: float) -> None:
        self.a = require_number("the accuracy a", a, most=1.0)
        self._actual = FromDelay()

    def estimate(self, job: Job, now: float) -> float:
        """Return the estimate; without a walltime, the run time."""
        actual = self._actual.estimate(job, now)
        if job.walltime == UNKNOWN:
            return actual
        return _between(self.a * actual + (1.0 - self.a) * job.walltime, job.walltime)


class FromConstant(EstimateSource):
    """Use the same estimate for every job, at most the walltime."""

    def __init__(self, seconds: float) -> None:
        self.seconds = require_number("the constant", seconds, least=SHORTEST, unit="seconds")

    def estimate(self, job: Job, now: float) -> float:
        """Return the constant, at most the walltime."""
        return _between(self.seconds, job.walltime)


class FromRecorded(EstimateSource):
    """Use the soft walltime of the log, with which the batch system itself planned.

    A job without a soft walltime gets its walltime, as in PBS. If no job has a soft walltime, the
    run stops with an error before the first job (`fields_needed`).
    """

    needed_field = "soft_walltime"

    def estimate(self, job: Job, now: float) -> float:
        """Return the soft walltime, at most the walltime."""
        recorded = (job.fields or {}).get(self.needed_field)
        if isinstance(recorded, bool) or not isinstance(recorded, int | float) or not recorded > 0:
            return job.walltime
        return _between(float(recorded), job.walltime)


class FromPredictor:
    """Use the prediction of a predictor. `Learning` reports the jobs' events to the predictor.

    `default` is the estimate in seconds if there is neither a prediction nor a walltime.
    """

    needs_fields = True

    def __init__(self, predictor: Predictor, *, default: float = 86400.0) -> None:
        self.predictor = predictor
        self.default = default
        self.valid_for: float = getattr(predictor, "valid_for", UNKNOWN)

    def estimate(self, job: Job, now: float) -> float:
        """Return the prediction, between 1 s and the walltime."""
        submission = job.submission
        # typed as Any, because `clamp` itself checks the type of the prediction
        predictor: Any = self.predictor
        try:
            prediction = predictor.predict(submission, now)
            return clamp(prediction, submission, default=self.default)
        except PredictorError as error:
            raise PredictorError(f"predictor {described(self.predictor)}: {error}") from error
        except Exception as error:
            raise failure("predictor", self.predictor, error, job_id=job.id) from error


def _between(seconds: float, walltime: float) -> float:
    return min(max(seconds, SHORTEST), walltime)


def predictors_of(sources: Iterable[EstimateSource]) -> list[Predictor]:
    """Return the predictors that the sources use, without duplicates."""
    found: list[Predictor] = []
    for source in sources:
        if isinstance(source, FromPredictor) and source.predictor not in found:
            found.append(source.predictor)
    return found


def fields_needed(sources: Iterable[EstimateSource]) -> frozenset[str]:
    """Return the job fields that the sources need; without them, the walltime is used.

    Examples
    --------
    >>> sorted(fields_needed([FromRecorded(), FromWalltime()]))
    ['soft_walltime']
    """
    needed = (getattr(source, "needed_field", None) for source in sources)
    return frozenset(field for field in needed if field is not None)


class Learning:
    """Reports each event of a job once to each predictor."""

    def __init__(self, predictors: list[Predictor]) -> None:
        self._predictors = predictors
        self._hooks = {
            what: [(one, getattr(one, what)) for one in predictors if hasattr(one, what)]
            for what in ("submitted", "started", "withdrawn")
        }

    def notify(self, what: str, job: Job, now: float) -> None:
        """Call the optional method `what` of each predictor that has this method.

        `what` is `submitted`, `started`, or `withdrawn` (the scheduler rejected the job).
        """
        for predictor, hook in self._hooks[what]:
            try:
                hook(job.submission, now)
            except Exception as error:
                raise failure("predictor", predictor, error, job_id=job.id) from error

    def ended(self, job: Job, now: float) -> None:
        """Report an ended job and its run time, at most its walltime, to each predictor."""
        run_time = now - job.started
        if job.walltime < run_time:
            run_time = job.walltime
        for predictor in self._predictors:
            try:
                predictor.learn(job.submission, run_time, now)
            except Exception as error:
                raise failure("predictor", predictor, error, job_id=job.id) from error


OWN_SOURCES: Mapping[str, Callable[..., EstimateSource]] = MappingProxyType(
    {
        "walltime": FromWalltime,
        "actual": FromDelay,
        "accuracy": FromAccuracy,
        "constant": FromConstant,
        "recorded": FromRecorded,
    }
)
"""The sources of estimates that are not predictors."""


def make_source(spec: object) -> EstimateSource:
    """Make a source of estimates from a name, or from an object with name and options.

    Names are ``walltime``, ``actual``, ``accuracy`` (option ``a``), ``constant`` (option
    ``seconds``), ``recorded`` (soft walltimes of the log), and the names of predictors. For a
    predictor, the option ``default`` is the estimate in seconds if there is neither a prediction
    nor a walltime. A script can also pass a predictor or source as a class or as an object. Each
    scheduler uses its own copy of such an object.

    Raises
    ------
    UnknownNameError, OptionError
        The source is unknown or does not have the option.
    """
    if spec is None or isinstance(spec, bool | int | float | list | tuple):
        raise OptionError(
            "estimates are given by a name or by an object with name and options, such as "
            f'{{"name": "last_two"}}, not by {spec!r}'
        )
    name, options = PREDICTORS.split(spec)
    default = options.pop("default", None)
    if isinstance(name, str) and name in OWN_SOURCES and default is None:
        source: EstimateSource = build("source of estimates", name, OWN_SOURCES[name], options)
        return source
    predictor = _predictor(name, options)
    if default is None:
        return predictor if _is_source(predictor) else FromPredictor(predictor)
    seconds = require_number("the option 'default'", default, least=SHORTEST, unit="seconds")
    return FromPredictor(predictor, default=seconds)


def _is_source(part: object) -> TypeGuard[EstimateSource]:
    return hasattr(part, "estimate") and not hasattr(part, "predict")


def _predictor(name: PartSpec, options: Mapping[str, Any]) -> Part:
    try:
        part = PREDICTORS.make({"name": name, **options} if options else name)
    except UnknownNameError as error:
        if ":" in name:
            raise
        hint = nearest(name, {*PREDICTORS.names(), *OWN_SOURCES})
        raise UnknownNameError(f"unknown predictor '{name}': {hint}") from error
    if _is_source(part):
        require("source of estimates", part, "estimate", "needs_fields", "valid_for")
    else:
        require("predictor", part, "predict", "learn")
    return part
