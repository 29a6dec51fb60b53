import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pred_aware.log.past_jobs import PastJobs, past_jobs
from pred_aware.prediction.candidate import read_candidates
from pred_aware.prediction.evaluation import Evaluation, EvaluationColumns, evaluate
from pred_aware.prediction.panels import heatmap
from pred_aware.prediction.predictions import COLUMNS
from pred_aware.prediction.replay import replay
from pred_aware.prediction.report import pictures
from pred_aware.prediction.tables import tables
from pred_aware.report.page.content import report
from pred_aware.report.page.writing import write
from pred_aware.report.picture import figure_of, save
from pred_aware.report.sentence import remarks
from tests.pred_aware.prediction.conftest import make_job


def evaluations(jobs: PastJobs) -> list[Evaluation]:
    found = replay(jobs, read_candidates(["last_two", "actual", "<b>=walltime", "w2=walltime"]))
    return [evaluate(jobs, one) for one in found]


def test_a_single_job_without_walltime_can_be_drawn(tmp_path: Path) -> None:
    found = evaluations(past_jobs([make_job(1, 0, 9, walltime=None)]))
    save(figure_of(pictures(found)), tmp_path / "one.png")
    assert len((tmp_path / "one.png").read_bytes()) > 10_000


def test_the_page_is_self_contained(jobs: PastJobs, tmp_path: Path) -> None:
    blocks = [remarks(["c & d"]), *tables(found := evaluations(jobs)), *pictures(found)]
    write(tmp_path / "page.html", report("a < b", under="2 jobs", blocks=blocks, command="x"))
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    without_images = re.sub(r'src="data:[^"]*"', "", page)
    assert not re.search(r'(src|href)="(?!#)|<script|<b>|@import|url\(', without_images)
    assert page.count("<img") == 4
    for text in ("a &lt; b", "c &amp; d", "&lt;b&gt;", "(paper 001)"):
        assert text in page


def test_a_cell_of_the_heatmap_is_the_mean_of_powers_of_2() -> None:
    jobs = EvaluationColumns(
        run_times=np.array([10.0, 10.0, 3600.0, 50.0]),
        walltimes=np.array([80.0, 40.0, 3600.0, np.nan]), processors=np.array([1, 1, 8, 8]),
        users=[None] * 4, queues=[None] * 4,
    )  # fmt: skip
    found = heatmap(jobs, np.array([20.0, 40.0, 900.0, 50.0]))
    assert (found.sizes, found.run_times[-1]) == (("1", "2", "3-4", "5-8"), "≤ 1 h")
    # 8 times off became 2 times, 4 stayed 4: log2 is 2 and 0; exact became 4 times off: -2
    assert (found.improvement[0, 0], found.jobs[0, 0]) == (1.0, 2)
    assert (found.improvement[3, 3], found.jobs.sum()) == (-2.0, 3)


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
