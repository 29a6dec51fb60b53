from pathlib import Path

import numpy as np
import pytest

from pred_aware.metrics.timelines import MOST_BINS, bin_edges, timeline
from pred_aware.runs.reading import read_run
from tests.pred_aware.conftest import JobsFile
from tests.suites import each_case


def test_means_of_one_job_computed_by_hand(jobs_file: JobsFile) -> None:
    run = read_run(jobs_file("a", [(5, 15, 10, 4)]), "a")
    line = timeline(run, np.array([0.0, 10.0, 20.0, 30.0]))
    assert line.jobs_waiting.tolist() == [0.5, 0.5, 0.0]
    assert line.processors_waited_for.tolist() == [2.0, 2.0, 0.0]
    assert line.processors_in_use.tolist() == [0.0, 2.0, 2.0]


@each_case("end", [0.0, 1.0, 86400.0, 86272.0024, 1e8])
def test_bins_cover_the_time_and_are_few(end: float) -> None:
    edges = bin_edges(end)
    assert edges[-1] >= end
    assert 2 <= len(edges) <= MOST_BINS + 1


def test_areas_of_a_real_run_are_kept(shared: Path) -> None:
    run = read_run(shared / "golden/kth/easy_bf/out_jobs.csv.gz", "kth")
    edges = bin_edges(float(run.ran["finish_time"].max()))
    line = timeline(run, edges)
    width = edges[1] - edges[0]
    assert line.jobs_waiting.sum() * width == pytest.approx(run.ran["waiting_time"].sum())
    assert line.processors_in_use.max() <= 100 + 1e-9
