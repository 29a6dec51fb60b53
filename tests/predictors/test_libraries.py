import sys

import pytest

from predictors import PREDICTORS
from predictors.errors import MissingLibraryError
from predictors.online.online_regression import OnlineRegression
from tests.pred_aware.command import python

WITH_RIVER = ("adaptive_forest", "hoeffding_tree")
ADVICE = (
    "needs river, which is not installed; add it with: "
    "pip install --no-deps --require-hashes -r requirements-river.lock"
)


@pytest.fixture
def without_river(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "river", None)


@pytest.mark.usefixtures("without_river")
@pytest.mark.parametrize("name", WITH_RIVER)
def test_a_predictor_without_its_library_names_the_extra(name: str) -> None:
    with pytest.raises(MissingLibraryError) as raised:
        PREDICTORS.make(name)
    assert str(raised.value) == f"predictor '{name}': {ADVICE}"


@pytest.mark.usefixtures("without_river")
def test_an_inner_predictor_without_its_library_names_the_extra() -> None:
    with pytest.raises(MissingLibraryError, match=f"'hoeffding_tree': {ADVICE[:30]}"):
        PREDICTORS.make({"name": "safe", "predictor": "hoeffding_tree"})


@pytest.mark.usefixtures("without_river")
def test_other_predictors_work_without_the_library() -> None:
    needs_none = {"fallback", "median_of", "proven", "safe"}  # options without defaults
    others = set(PREDICTORS.names()) - {*WITH_RIVER, *needs_none}
    assert all(PREDICTORS.make(name) for name in others)


def test_the_predictors_that_need_an_extra_can_be_listed() -> None:
    classes = {name: PREDICTORS.load(name) for name in PREDICTORS.names()}
    with_extra = {name for name, one in classes.items() if hasattr(one, "extra")}
    assert with_extra == set(WITH_RIVER)
    assert OnlineRegression.extra == "river"


@pytest.mark.parametrize(
    ("made", "heavy"),
    [
        ("online.adaptive_forest AdaptiveForest", {"river", "sklearn"}),
        ("online.linear OnlineLinear", {"river", "sklearn"}),
        ("regression.decision_tree DecisionTree", {"sklearn", "numpy"}),
    ],
)
def test_heavy_libraries_are_imported_with_the_first_job(made: str, heavy: set[str]) -> None:
    module, name = made.split()
    script = f"import sys; from predictors.{module} import {name}; {name}(); print(*sys.modules)"
    assert heavy.isdisjoint(python("-c", script).out.split())
