import re
from pathlib import Path
from typing import Any

import pytest

from predictors import PREDICTORS, Submission

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "predictors.md"


@pytest.mark.parametrize("name", PREDICTORS.names())
def test_every_predictor_has_an_example(name: str) -> None:
    assert ">>>" in PREDICTORS.load(name).__doc__


@pytest.mark.parametrize("name", PREDICTORS.names())
def test_every_predictor_is_on_the_page(name: str) -> None:
    assert f"`{name}`" in PAGE.read_text(encoding="utf-8")


def test_the_predictor_on_the_page_works() -> None:
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code.count("\n") <= 30
    scope: dict[str, Any] = {}
    exec(compile(code, PAGE.name, "exec"), scope)  # noqa: S102 - the page's own example
    predictor = scope["QueueQuantile"](quantile=0.5)
    job = Submission(id="7", submit_time=0.0, processors=4, queue="long")
    assert predictor.predict(job, 0.0) is None
    for run_time in (10.0, 500.0, 30.0):
        predictor.learn(job, run_time, run_time)
    assert predictor.predict(job, 500.0) == 30.0
