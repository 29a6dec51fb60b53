"""Statistics of groups at once, beside those of each group by itself."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pred_aware.metrics.sample import QUANTILES, Sample, Samples
from pred_aware.metrics.table import STATISTICS
from pred_aware.metrics.timelines import MOST_BINS, bin_edges, timeline
from pred_aware.runs.reading import read_run
from tests.pred_aware.conftest import JobsFile
from tests.suites import each_case

VALUES = st.one_of(st.floats(0.0, 1e7), st.sampled_from([0.0, 1.0, 3.5]))


@given(
    jobs=st.lists(st.tuples(st.integers(0, 4), VALUES), min_size=1, max_size=60),
    some_have_none=st.booleans(),
)
def test_each_groups_statistic_equals_that_of_its_jobs_alone(
    *, jobs: list[tuple[int, float]], some_have_none: bool
) -> None:
    _, codes = np.unique([code for code, _ in jobs], return_inverse=True)
    values = np.array([value for _, value in jobs])
    if some_have_none:
        values[::3] = np.nan
    areas, samples = np.arange(len(jobs), dtype=float), Samples(codes, int(codes.max()) + 1)
    for name in {one.name for one in STATISTICS} | {*QUANTILES}:
        alone = [
            Sample(values[codes == code], areas[codes == code]).statistic(name)
            for code in range(len(samples.sizes))
        ]
        assert samples.statistics(name, values, areas) == alone


def test_large_and_many_groups_have_exact_sums() -> None:
    values = np.random.default_rng(1).exponential(1e3, 70_000)
    codes = np.arange(70_000) % 3
    samples = Samples(codes, 3)
    assert samples.sums(values) == [values[codes == code].sum() for code in range(3)]
    assert samples.statistics("p99", values, values) == pytest.approx(
        [np.quantile(values[codes == code], 0.99) for code in range(3)], rel=1e-12
    )
    # more groups than two bytes can tell apart
    codes = np.arange(70_000)[::-1]
    assert Samples(codes, 70_000).sums(codes.astype(float)) == [*map(float, range(70_000))]


def test_means_of_one_job_computed_by_hand(jobs_file: JobsFile) -> None:
    run = read_run(jobs_file("a", [(5, 15, 10, 4)]), "a")
    line = timeline(run, np.array([0.0, 10.0, 20.0, 30.0]))
    assert line.jobs_waiting.tolist() == [0.5, 0.5, 0.0]
    assert line.processors_waited_for.tolist() == [2.0, 2.0, 0.0]
    assert line.processors_in_use.tolist() == [0.0, 2.0, 2.0]


@each_case("end", [0.0, 1.0, 86400.0, 86272.0024, 1e8])
def test_a_few_bins_cover_the_time(end: float) -> None:
    edges = bin_edges(end)
    assert edges[-1] >= end
    assert 2 <= len(edges) <= MOST_BINS + 1


def test_samples_of_a_real_run_keep_its_areas(shared: Path) -> None:
    run = read_run(shared / "golden/kth/easy_bf/out_jobs.csv.gz", "kth")
    edges = bin_edges(float(run.ran["finish_time"].max()))
    line = timeline(run, edges)
    width = edges[1] - edges[0]
    assert line.jobs_waiting.sum() * width == pytest.approx(run.ran["waiting_time"].sum())
    assert line.processors_in_use.max() <= 100 + 1e-9
