"""Paper 001's four prediction experiments on past jobs."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from time import process_time
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from pred_aware.errors import PredAwareError
from pred_aware.prediction import Measures, PastColumns, PastTable, measure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = NDArray[np.intp]

MODELS: Mapping[str, str] = MappingProxyType(
    {
        "decision_tree": "Decision Tree",
        "random_forest": "Random Forest",
        "gradient_boosting": "Gradient Boosting",
    }
)
"""The paper's models and what it calls them."""

EXPERIMENTS: Mapping[str, str] = MappingProxyType(
    {
        "baseline": "Experiment 1: baseline",
        "best_users": "Experiment 2: best users partition",
        "augmentation": "Experiment 3: data augmentation",
        "consecutive": "Experiment 4: consecutive split",
    }
)

_HOUR = 3600.0
EXPERT_SHARE = 0.1
"""Of the average number of jobs of a user: with fewer, nobody is an expert."""


@dataclass(frozen=True, slots=True)
class ModelResult:
    """How good a model's predictions are."""

    model: str
    """One of `MODELS`."""
    measures: Measures
    """Over the jobs of the test part, predictions as the model makes them, not cut to the
    walltime."""
    fit_seconds: float
    """CPU seconds of the fit."""
    effective_with_hour: float | None = None
    """How much nearer to the run time than the walltime predictions are with an hour added, of the
    jobs that are not underestimated then."""


@dataclass(frozen=True, slots=True)
class Experiment:
    """What came out of an experiment."""

    name: str
    """One of `EXPERIMENTS`."""
    learned: int
    predicted: int
    """How many jobs."""
    features: tuple[str, ...]
    """The columns."""
    remark: str
    """What has to be known of it."""
    models: tuple[ModelResult, ...]
    """The results; empty where the experiment cannot be made of these jobs."""

    def to_dict(self) -> dict[str, Any]:
        """Return what is printed as JSON."""
        return {
            "experiment": self.name,
            "learned": self.learned,
            "predicted": self.predicted,
            "features": list(self.features),
            "remark": self.remark,
            "models": [
                {
                    "predictor": result.model,
                    **asdict(result.measures),
                    "fit_seconds": result.fit_seconds,
                }
                for result in self.models
            ],
        }


@dataclass(frozen=True, slots=True)
class Setup:
    """How the experiments are made.

    Raises
    ------
    PredAwareError
        A value that cannot be.
    """

    test_share: float = 0.2
    """What share of the jobs is predicted; a fifth where the paper says nothing."""
    seed: int = 13
    """Of the split and of the models."""
    best_users: int = 50
    """How many users experiment 2 keeps."""
    models: tuple[str, ...] = tuple(MODELS)
    """Some of `MODELS`."""
    workers: int = 1
    """Threads that fit a forest; -1 for as many as there are processors. Results do not change."""

    def __post_init__(self) -> None:
        """Check the values."""
        if not 0.0 < self.test_share < 1.0:
            raise PredAwareError(f"the share to predict is {self.test_share}, not between 0 and 1")


def run(name: str, table: PastTable, setup: Setup) -> Experiment:
    """Make one of `EXPERIMENTS`.

    Parameters
    ----------
    name
        Which one.
    table
        The jobs.
    setup
        How.

    Raises
    ------
    PredAwareError
        There are too few jobs.
    """
    columns = PastColumns(table)
    learned, predicted = _split(len(table.submissions), setup, at_random=name != "consecutive")
    if name == "baseline":
        return _experiment(name, columns, learned, predicted, setup=setup)
    if name == "consecutive":
        remark = _late(table, learned, predicted)
        return _experiment(name, columns, learned, predicted, setup=setup, remark=remark)
    experts = _experts(columns.users[learned])
    if not experts:
        return Experiment(name, 0, 0, (), "Left out: nobody knows whose the jobs are.", ())
    if name == "best_users":
        users = _best_users(columns, learned, experts, setup=setup)
        remark = f"The best {len(users)} of {len(experts)} experts, chosen in the training part."
    else:
        users = experts
        remark = (
            f"The jobs of {len(experts)} experts, by their number of jobs in the training part."
        )
    known = np.isin(columns.users, users)
    return _experiment(
        name,
        columns,
        learned[known[learned]],
        predicted[known[predicted]],
        setup=setup,
        remark=remark,
    )


def _split(number: int, setup: Setup, *, at_random: bool) -> tuple["Rows", "Rows"]:
    """Return the places of the training part and of the test part."""
    tested = round(setup.test_share * number)
    if not 0 < tested < number:
        raise PredAwareError(f"{number} jobs are too few to learn from some and predict others")
    places = np.arange(number)
    if at_random:
        places = np.random.default_rng(setup.seed).permutation(number)
    return np.sort(places[: number - tested]), np.sort(places[number - tested :])


def _experts(users: "NDArray[np.intp]") -> list[int]:
    """Return who has at least a tenth of the average number of jobs."""
    known, counts = np.unique(users[users >= 0], return_counts=True)
    if not len(known):
        return []
    experts: list[int] = known[counts >= EXPERT_SHARE * counts.mean()].tolist()
    return experts


def _best_users(
    columns: PastColumns, learned: "Rows", experts: list[int], *, setup: Setup
) -> list[int]:
    """Return the experts whom a tree predicts best, in the training part alone.

    The tree is fitted to a part of it and looks at the rest: on what it has seen, it would be best
    for those who repeat nothing.
    """
    fitted, looked_at = (learned[part] for part in _split(len(learned), setup, at_random=True))
    rows = columns.encoded(fitted)
    model = _model("decision_tree", setup)
    model.fit(rows[fitted], columns.run_times[fitted])
    errors = (model.predict(rows[looked_at]) - columns.run_times[looked_at]) ** 2
    size = int(columns.users.max()) + 1
    known = columns.users[looked_at] >= 0
    whose = columns.users[looked_at][known]
    counts = np.bincount(whose, minlength=size)
    sums = np.bincount(whose, errors[known], size)
    ranked = sorted(
        (float(sums[user] / counts[user]), user) for user in experts if counts[user] > 0
    )
    return [user for _, user in ranked[: setup.best_users]]


def _late(table: PastTable, learned: "Rows", predicted: "Rows") -> str:
    """Say how many jobs had not ended when the test part begins."""
    if table.end_times is None:
        return "The first jobs of the table are learned, the last predicted."
    begin = min(table.submissions[place].submit_time for place in predicted.tolist())
    late = sum(table.end_times[place] > begin for place in learned.tolist())
    return (
        "The first jobs are learned, the last predicted; as in the paper also "
        f"{late:,} that had not ended when the first of these was submitted."
    )


def _model(name: str, setup: Setup) -> Any:  # noqa: ANN401 - scikit-learn's
    """Return a model with scikit-learn's defaults."""
    if name == "decision_tree":
        from sklearn.tree import DecisionTreeRegressor

        return DecisionTreeRegressor(random_state=setup.seed)
    from sklearn.ensemble import (
        GradientBoostingRegressor,
        RandomForestRegressor,
    )

    if name == "random_forest":
        return RandomForestRegressor(random_state=setup.seed, n_jobs=setup.workers)
    return GradientBoostingRegressor(random_state=setup.seed)


def _experiment(
    name: str,
    columns: PastColumns,
    learned: "Rows",
    predicted: "Rows",
    *,
    setup: Setup,
    remark: str = "",
) -> Experiment:
    if not len(learned) or not len(predicted):
        return Experiment(name, len(learned), len(predicted), (), "Left out: too few jobs.", ())
    features, rows = columns.features, columns.encoded(learned)
    if name == "augmentation":
        more, averages = columns.averages(learned)
        features, rows = (*features, *more), np.hstack([rows, averages])
    results = []
    for model_name in setup.models:
        model = _model(model_name, setup)
        began = process_time()
        model.fit(rows[learned], columns.run_times[learned])
        seconds = process_time() - began
        if model_name == "random_forest":
            # threads sum up a forest's trees in whatever order they come
            model.set_params(n_jobs=1)
        estimates, ran = model.predict(rows[predicted]), columns.run_times[predicted]
        limits = columns.walltimes[predicted]
        measures = measure(estimates, ran, walltimes=limits)
        later = measure(estimates + _HOUR, ran, walltimes=limits).effectiveness.valid
        results.append(ModelResult(model_name, measures, seconds, later))
    return Experiment(name, len(learned), len(predicted), tuple(features), remark, tuple(results))
