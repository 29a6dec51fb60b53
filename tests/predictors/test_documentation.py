import re
from pathlib import Path
from typing import Any

from predictors import PREDICTORS, Submission

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "predictors.md"


def test_every_predictor_has_an_example_and_is_on_the_page() -> None:
    page, names = PAGE.read_text(encoding="utf-8"), PREDICTORS.names()
    assert [name for name in names if ">>>" not in PREDICTORS.load(name).__doc__] == []
    assert [name for name in names if f"`{name}`" not in page] == []


def test_the_predictor_on_the_page_works() -> None:
    [code] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    scope: dict[str, Any] = {}
    exec(compile(code, PAGE.name, "exec"), scope)  # noqa: S102 - the page's own example
    predictor = scope["QueueQuantile"](quantile=0.5)
    job = Submission(id="7", submit_time=0.0, processors=4, queue="long")
    assert predictor.predict(job, 0.0) is None
    for run_time in (10.0, 500.0, 30.0):
        predictor.learn(job, run_time, run_time)
    assert predictor.predict(job, 500.0) == 30.0
