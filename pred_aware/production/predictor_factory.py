"""The predictor of the service, as the command line names it."""

from pred_aware.errors import PredAwareError
from pred_aware.prediction.candidate import read_candidates
from pred_aware.production.learner import MakePredictor
from predictors import Predictor
from schedulers.policy.estimates import FromPredictor


def predictor_of(text: str) -> MakePredictor:
    """Return what makes a predictor.

    Parameters
    ----------
    text
        A name, ``module:Class``, or a JSON object with name and options.

    Raises
    ------
    PredictorError, PredAwareError
        There is none of that name, it has no such option, or it is none that could be asked about
        a job which has not run.

    Examples
    --------
    >>> predictor_of("pbs_v3")()
    PbsV3(jobs=15, margin=900.0)
    """
    (candidate,) = read_candidates([text])
    source = candidate.make()
    if not isinstance(source, FromPredictor):
        raise PredAwareError(
            f"'{candidate.label}' is no predictor: it exists in simulation only; "
            "`pred-aware predictors` lists those that are"
        )

    def make() -> Predictor:
        made = candidate.make()
        assert isinstance(made, FromPredictor)
        return made.predictor

    return make
