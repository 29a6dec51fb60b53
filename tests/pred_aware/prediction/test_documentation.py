import re
from collections.abc import Iterator
from pathlib import Path

from pred_aware.log.past_jobs import PastJobs
from pred_aware.prediction.candidate import read_candidates
from pred_aware.prediction.evaluation import evaluate
from pred_aware.prediction.predictions import COLUMNS
from pred_aware.prediction.replay import replay

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "predict.md"


def keys(value: object) -> Iterator[str]:
    """Yield the keys of nested mappings."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys(inner)
    elif isinstance(value, list):
        for inner in value[:1]:
            yield from keys(inner)


def test_every_key_of_the_json_and_column_of_the_csv_is_on_the_page(jobs: PastJobs) -> None:
    (found,) = replay(jobs, read_candidates(["last_two"]))
    page = PAGE.read_text(encoding="utf-8")
    for key in sorted({*keys(evaluate(jobs, found).to_dict()), *COLUMNS}):
        assert re.search(rf"[`.]{key}[`.]", page), key
