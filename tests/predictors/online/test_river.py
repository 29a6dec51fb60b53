from importlib import import_module

import pytest
from msgspec.structs import replace

from predictors import PREDICTORS, Submission
from predictors.online import online_regression
from predictors.online.online_regression import AdaptiveForest, HoeffdingTree
from predictors.regression.encoding import SubmissionEncoder

FEATURES = ["user", "processors", "walltime"]
NOMINAL = {"leaf_prediction": "mean", "nominal_attributes": ["user"]}


def past(number: int = 600) -> list[tuple[Submission, float]]:
    return [
        (
            Submission(
                id=f"{n}", submit_time=float(n), processors=n % 5 + 1,
                walltime=3600.0 * (n % 3 + 1), user=f"user{n * n % 7}",
            ),
            50.0 * (n * n % 7) + 10.0 * (n % 5) + n % 11,
        )
        for n in range(number)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("predictor", "theirs", "options"),
    [
        (HoeffdingTree(features=FEATURES, grace_period=50),
         ("river.tree", "HoeffdingTreeRegressor"), {"grace_period": 50}),
        (AdaptiveForest(features=FEATURES, trees=3, seed=5),
         ("river.forest", "ARFRegressor"), {"n_models": 3, "seed": 5}),
    ],
)  # fmt: skip
def test_predictions_equal_those_of_river(
    predictor: HoeffdingTree | AdaptiveForest, theirs: tuple[str, str], options: dict[str, int]
) -> None:
    module, name = theirs
    model = getattr(import_module(module), name)(**options, **NOMINAL)
    encoder = SubmissionEncoder(FEATURES)
    answers, expected = [], []
    for number, (job, run_time) in enumerate(past()):
        if number:
            answers.append(predictor.predict(job, 0.0))
            expected.append(
                model.predict_one(dict(zip(FEATURES, encoder.encode(job), strict=True)))
            )
        predictor.learn(job, run_time, 0.0)
        model.learn_one(dict(zip(FEATURES, encoder.learn(job), strict=True)), run_time)
    assert answers == expected
    assert len(set(answers[-50:])) > 5


def test_targets_are_fractions_of_the_walltime_and_jobs_without_one_are_left_out() -> None:
    predictor = HoeffdingTree(features=["user"], target="fraction")
    job = Submission(id="7", submit_time=0.0, processors=4, user="ann")
    predictor.learn(job, 999.0, 0.0)
    assert predictor.predict(job, 0.0) is None
    predictor.learn(Submission(id="8", submit_time=0.0, processors=4, walltime=100.0), 25.0, 0.0)
    asked = Submission(id="9", submit_time=0.0, processors=4, walltime=400.0)
    assert predictor.predict(asked, 0.0) == 100.0
    assert predictor.predict(job, 0.0) is None


@pytest.mark.parametrize("name", ["hoeffding_tree", "adaptive_forest"])
def test_a_field_with_very_many_texts_does_not_slow_the_model_down(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(online_regression, "MOST_TEXTS", 3)
    few = PREDICTORS.make({"name": name, "features": ["user"]})
    many = PREDICTORS.make({"name": name, "features": ["user"]})
    for n, (job, run_time) in enumerate(past()):
        few.learn(replace(job, user=f"{min(n, 3)}"), run_time, float(n))
        many.learn(replace(job, user=f"{n}"), run_time, float(n))
    for user in "0", "2", "3", "77":
        asked = Submission(id="1", submit_time=0.0, processors=1, user=user)
        same = replace(asked, user=f"{min(int(user), 3)}")
        assert many.predict(asked, 700.0) == few.predict(same, 700.0)
