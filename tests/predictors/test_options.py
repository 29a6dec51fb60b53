import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from predictors import PREDICTORS, OptionError
from predictors.options import stored_options
from predictors.rules.knn import Knn
from tests.suites import each_case

HERE = __name__
NESTED = {
    "name": "safe",
    "predictor": {"name": "fallback", "predictors": ["pbs_v1", {"name": "knn", "k": 3}]},
}


class Base:
    def predict(self, submission: object, now: float) -> None: ...

    def learn(self, submission: object, run_time: float, now: float) -> None: ...


class Keeps(Base):
    def __init__(self, quantile: float = 0.9, queues: Any = ("long",)) -> None:  # noqa: ANN401
        self.quantile = quantile
        self.queues = queues


class Hides(Base):
    def __init__(self, *, quantile: float = 0.9, window: int = 5, **others: int) -> None:
        self.window = window
        self._quantile = quantile


@dataclass(kw_only=True, eq=False)
class Wraps(Base):
    inner: Any = None


def names_of_predictors() -> dict[str, Any]:
    classes = [PREDICTORS.load(name) for name in PREDICTORS.names()]
    return {each.__name__: each for each in classes}


@each_case("spec", [*PREDICTORS.names(), NESTED])
def test_shown_options_can_be_given_again(spec: Any) -> None:  # noqa: ANN401 - from JSON
    predictor = PREDICTORS.make(spec)
    again = eval(repr(predictor), names_of_predictors())  # noqa: S307 - what we show ourselves
    assert repr(again) == repr(predictor)
    assert PREDICTORS.describe(again) == PREDICTORS.describe(predictor)


def test_defaults_and_options_of_inner_predictors_are_shown() -> None:
    assert PREDICTORS.describe(PREDICTORS.make(NESTED)) == {
        "name": "safe",
        "predictor": {
            "name": "fallback",
            "predictors": [{"name": "pbs_v1", "jobs": 2}, PREDICTORS.describe(Knn(k=3))],
        },
        "margin": 900.0,
        "underestimated": None,
        "window": 1000,
        "by": None,
    }


def test_equal_options_do_not_make_equal_predictors() -> None:
    assert Knn() != Knn()
    assert len({Knn(), Knn()}) == 2


def test_options_of_a_plain_class_come_from_its_attributes() -> None:
    described = PREDICTORS.describe(Keeps(0.5, queues=["short"]))
    assert described == {"name": f"{HERE}:Keeps", "quantile": 0.5, "queues": ["short"]}
    assert PREDICTORS.describe(PREDICTORS.make(described)) == described


def test_options_that_a_class_does_not_store_are_reported() -> None:
    told = stored_options(Hides(window=7), repr)
    assert told.options == {"window": 7}
    assert told.unstored == ("quantile", "**others: int")
    with pytest.raises(OptionError, match=r"Hides' does not store quantile, \*\*others: int: its"):
        PREDICTORS.describe(Hides())


@each_case("value", [Path("here"), float("inf"), {1, 2}, object(), Knn])
def test_an_option_that_json_cannot_express_is_reported(value: object) -> None:
    with pytest.raises(OptionError, match="Keeps' does not store queues"):
        PREDICTORS.describe(Keeps(queues=value))


def test_a_plain_class_can_have_inner_predictors() -> None:
    described = PREDICTORS.describe(Wraps(inner=Keeps(0.5)))
    assert described["inner"] == {"name": f"{HERE}:Keeps", "quantile": 0.5, "queues": ["long"]}
    with pytest.raises(OptionError, match="Wraps' does not store inner"):
        PREDICTORS.describe(Wraps(inner=Hides()))


def test_a_class_without_an_importable_name_is_reported() -> None:
    class Local(Base):
        pass

    with pytest.raises(OptionError, match=r"no predictor has the name '.*Local'"):
        PREDICTORS.describe(Local())


@each_case("value", [5, [1], object()])
def test_an_object_that_is_not_a_predictor_has_no_options(value: object) -> None:
    with pytest.raises(OptionError):
        PREDICTORS.describe(value)


def test_a_class_of_this_module_is_found_by_its_name() -> None:
    assert importlib.import_module(HERE).Keeps is Keeps


ENSEMBLES = ("ada_boost", "gradient_boosting", "hist_gradient_boosting", "random_forest")
REFUSED: dict[str, dict[str, tuple[Any, ...]]] = {
    **{name: {"trees": (0,), "seed": (-1, 2**32), "target": ("hours",)} for name in ENSEMBLES},
    "decision_tree": {
        "window": (0, "10"), "refit_every": (0, "day", float("nan")), "max_depth": (-1,),
        "min_samples_leaf": (1.5,), "seed": (-1, 2**32), "features": (["cpus"],), "windows": (5,),
    },
    "online_linear": {
        "degree": (3, 0), "rate": (0, 1e300), "unit": ("hour",), "over": ("x",), "epoch": (None,),
    },
    "hoeffding_tree": {"grace_period": (0,), "seed": (1,), "max_depth": (0,)},
    "adaptive_forest": {"trees": (0,), "seed": (0.5,), "target": ("hours",)},
    "tobit": {
        "quantile": (1.0,), "censored": ("no",), "window": (0,), "refit_jobs": (0,),
        "min_jobs": (0,),
    },
}  # fmt: skip
"""Values of predictors' options that cannot be."""
NOT_THESE = [
    *(
        (name, option, value)
        for name, of in REFUSED.items()
        for option in of
        for value in of[option]
    ),
    *((name, "loss", "cubic") for name in ("decision_tree", *ENSEMBLES)),
    *(("random_forest", "loss", "quantile"), ("random_forest", "max_features", 1.5)),
    *(("ada_boost", "loss", "squared"), ("gradient_boosting", "quantile", 1.0)),
    *((ENSEMBLES[2], "learning_rate", 0), (ENSEMBLES[2], "max_leaves", 1)),
]


@each_case(("name", "option", "value"), NOT_THESE)
def test_invalid_options_are_refused(name: str, option: str, value: object) -> None:
    of_values = f": {option} (must be|'.*' is not known)"
    told = f"{of_values}| has no option '{option}'|: unknown {option[:-1]} "
    with pytest.raises(OptionError, match=f"^predictor '{name}'({told})"):
        PREDICTORS.make({"name": name, option: value})
