"""Measures beside the same computed by hand, by brute force, and by a few lines of pandas."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as some

from pred_aware.comparison.summaries import SHOWN
from pred_aware.errors import PredAwareError
from pred_aware.execution.simulate import simulate
from pred_aware.metrics import MEASURES, measures
from pred_aware.metrics.figures import figures
from pred_aware.metrics.overtaking import overtaken, work_that_overtook
from pred_aware.metrics.table import OF_SIZES
from pred_aware.metrics.timelines import lost_area
from pred_aware.runs.reading import read_run
from tests.golden.semantics import made_log
from tests.pred_aware.conftest import HEADER, JobsFile, row

JOBS = some.lists(
    some.tuples(*(some.integers(0, most) for most in (12, 6, 6)), some.integers(1, 4)), max_size=14
)
"""Of each job submission, wait, run time and size, small enough to look at each second."""


def arrays(jobs: list[tuple[int, int, int, int]]) -> list[np.ndarray]:
    submission, wait, run_time, sizes = np.array(jobs, float).reshape(-1, 4).T
    return [submission, submission + wait, submission + wait + run_time, sizes]


@given(JOBS)
def test_lost_capacity_equals_a_count_by_second(
    jobs: list[tuple[int, int, int, int]],
) -> None:
    submission, start, finish, sizes = arrays(jobs)
    expected = 0.0
    for second in range(30):
        free = 8 - sizes[(start <= second) & (second < finish)].sum()
        waiting = sizes[(submission <= second) & (second < start)]
        if len(waiting) and waiting.min() <= free:
            expected += free
    assert lost_area(submission, start, finish, sizes=sizes, processors=8) == expected


@given(JOBS)
def test_overtaking_work_is_the_sum_over_all_pairs(
    jobs: list[tuple[int, int, int, int]],
) -> None:
    submission, start, finish, sizes = arrays(jobs)
    work = sizes * (finish - start)
    before = (submission[None, :] > submission[:, None]) & (start[None, :] < start[:, None])
    assert overtaken(submission, start).tolist() == before.any(axis=1).tolist()
    found = work_that_overtook(submission, start, work=work)
    assert found.tolist() == (before * work).sum(axis=1).tolist()


def test_the_deviation_of_utilisation_equals_that_of_its_seconds(jobs_file: JobsFile) -> None:
    # of 8 processors 2 are in use for 5 s, 3 for 15 s and none for 5 s, before the last 5 s
    run = read_run(jobs_file("a", [(0, 0, 20, 2), (3, 5, 15, 1), (25, 25, 5, 8)]), "a")
    found = measures(run, ["utilisation", "utilisation_deviation"])
    seconds = np.repeat([2 / 8, 3 / 8, 0.0, 1.0], [5, 15, 5, 5])
    assert list(found.values()) == pytest.approx([seconds.mean(), seconds.std()])


def test_figures_are_measures_with_the_same_values(jobs_file: JobsFile) -> None:
    run = read_run(jobs_file("a", [(0, 0, 20, 2), (0, 20, 5, 1), (3, 3.5, 0.25, 1)]), "a")
    shown = figures(run)
    assert measures(run, shown) == shown


def test_measures_of_two_jobs_computed_by_hand(jobs_file: JobsFile) -> None:
    run = read_run(jobs_file("a", [(0, 10, 20, 4), (0, 0, 5, 1)]), "a")
    expected = {
        "median_waiting_time": 5.0,
        "p95_waiting_time": 9.5,
        "mean_below_p99_waiting_time": 0.0,
        "area_weighted_waiting_time": 10 * 80 / 85,
        "mean_per_processor_bounded_slowdown": 1.0,
        "max_unitless_wait": 10 / 3600,
        # four processors as long as the second job runs, then all of them up to 10 s
        "lost_capacity": (0 + 4 * 5) / (4 * 30),
        "overtaken_jobs": 0.0,
    }
    assert measures(run, expected) == pytest.approx(expected)


def test_size_classes_of_waits_are_shares_of_the_machine(jobs_file: JobsFile) -> None:
    # of 40 processors: 1 at most, up to 2, up to 10, more
    waits = [(4, 1), (8, 1), (20, 2), (30, 3), (50, 10), (70, 11), (90, 40)]
    run = read_run(jobs_file("a", [(0, wait, 9, size) for wait, size in waits]), "a")
    assert run.processors == 40
    assert [*measures(run, OF_SIZES).values()] == [6.0, 20.0, 40.0, 80.0]
    run = read_run(jobs_file("b", [(0, 5, 9, 40)]), "b")
    assert [*measures(run, OF_SIZES).values()] == [None, None, None, 5.0]


def test_tau_applies_to_every_bounded_slowdown(jobs_file: JobsFile) -> None:
    run = read_run(jobs_file("a", [(0, 900, 100, 2)]), "a")
    names = ("mean_bounded_slowdown", "mean_per_processor_bounded_slowdown")
    assert list(measures(run, names, tau=10.0).values()) == [10.0, 5.0]
    assert list(measures(run, names, tau=500.0).values()) == [2.0, 1.0]


def test_a_start_counts_as_later_from_a_hundredth_of_a_second_on(
    jobs_file: JobsFile,
) -> None:
    baseline = read_run(
        jobs_file("baseline", [(0, 0.02, 1, 1), (0, 0, 1, 1), (0, 9, 1, 1), (0, 4, 1, 1)])
    )
    run = read_run(jobs_file("new", [(0, 0.03, 1, 1), (0, 3, 1, 1), (0, 1, 1, 1), (0, 9, 1, 1)]))
    names = ("later_than_baseline", "mean_later_than_baseline", "max_later_than_baseline")
    assert list(measures(run, names, baseline=baseline).values()) == [0.5, 4.0, 5.0]
    assert set(measures(run, names).values()) == {None}


def test_kept_planned_starts_are_compared_with_the_first_one(
    tmp_path: Path, jobs_file: JobsFile
) -> None:
    file = jobs_file("a", [(0, 0, 9, 1), (0, 9, 9, 1), (0, 20, 9, 1), (0, 50, 9, 1)])
    head = "job_id,first_estimate,last_estimate,corrections,started_as,first_promised_start,"
    rows = ("1,9,9,0,head,,", "2,9,9,0,head,9,9", "3,9,9,0,head,24,20", "4,9,9,0,head,20,50")
    (tmp_path / "a_estimates.csv").write_text("\n".join((head + "last_promised_start", *rows, "")))
    names = ("promises_kept", "mean_later_than_promised", "max_later_than_promised")
    assert list(measures(read_run(file), names).values()) == [pytest.approx(2 / 3), 30.0, 30.0]


def test_without_jobs_or_walltimes_measures_are_unknown(
    jobs_file: JobsFile, tmp_path: Path
) -> None:
    run = read_run(jobs_file("a", [], ["1"]))
    assert set(measures(run, baseline=run).values()) == {None}
    # a job without a walltime has no unitless wait
    path = tmp_path / "a_jobs.csv"
    lines = [HEADER, row("1", 0, 30, 5, 1), row("2", 0, 9, 5, 1).replace(",3600,", ",-1,")]
    path.write_text("\n".join([*lines, ""]))
    assert measures(read_run(path), ["mean_unitless_wait"]) == {"mean_unitless_wait": 30 / 3600}


def test_a_wrong_name_is_reported_with_the_nearest_names(jobs_file: JobsFile) -> None:
    with pytest.raises(PredAwareError) as error:
        measures(read_run(jobs_file("a", [(0, 0, 1, 1)])), ["lost_capacties"])
    assert "no measure 'lost_capacties'; did you mean lost_capacity?" in str(error.value)


def test_measures_of_kth_equal_those_computed_with_pandas(shared: Path) -> None:
    files = [shared / f"golden/kth/{name}/out_jobs.csv.gz" for name in ("easy_bf", "filler")]
    easy, filler = (pd.read_csv(file).set_index("job_id").sort_index() for file in files)
    waits, run_times = filler["waiting_time"], filler["execution_time"]
    sizes = filler["requested_number_of_resources"]
    slowdowns = ((waits + run_times) / run_times.clip(lower=10)).clip(lower=1)
    later = (filler["starting_time"] - easy["starting_time"])[lambda found: found > 0.0100001]
    expected = {
        "median_turnaround_time": filler["turnaround_time"].median(),
        "p999_bounded_slowdown": slowdowns.quantile(0.999),
        "mean_below_p99_waiting_time": waits.nsmallest(int(0.99 * len(waits))).mean(),
        "area_weighted_waiting_time": np.average(waits, weights=sizes * run_times),
        "p99_unitless_wait": (waits / filler["requested_time"]).quantile(0.99),
        "mean_per_processor_bounded_slowdown": (
            (waits + run_times) / (sizes * run_times.clip(lower=10))
        )
        .clip(lower=1)
        .mean(),
        "later_than_baseline": len(later) / len(waits),
        "mean_later_than_baseline": later.mean(),
        "lost_capacity": lost_by_events(filler, processors=100),
    }
    runs = [read_run(file, file.parent.name) for file in files]
    assert measures(runs[1], expected, baseline=runs[0]) == pytest.approx(expected, rel=1e-9)


def lost_by_events(jobs: pd.DataFrame, *, processors: int) -> float:
    """Go through the dates with the free processors and the sizes that wait, one by one."""
    events = pd.concat(
        [
            pd.DataFrame({"date": jobs[column], "kind": kind, "size": jobs[sizes]})
            for kind, column in enumerate(("submission_time", "starting_time", "finish_time"))
            for sizes in ("requested_number_of_resources",)
        ]
    ).sort_values("date", kind="stable")
    waiting, free, last, lost = [0] * (processors + 1), processors, 0.0, 0.0
    for date, kind, size in events.itertuples(index=False):
        if any(waiting[: free + 1]):
            lost += free * (date - last)
        last = date
        waiting[size] += (1, -1, 0)[kind]
        free += (0, -size, size)[kind]
    return lost / (processors * last)


def test_every_measure_has_a_definition() -> None:
    assert set(SHOWN) <= set(MEASURES)
    for measure in MEASURES.values():
        assert measure.definition
        assert measure.hides
        assert measure.unit in {"s", "share", "times"}


def test_jobs_without_trust_are_those_that_started_before_it_was_gained_or_after_it_was_lost() -> (
    None
):
    run = simulate(
        made_log(), "recommended", estimates={"queueing": "actual"}, min_concordance=0.55
    )
    content = run.content("trust")
    assert content is not None
    rows = [line.split(b",") for line in content.splitlines()[1:]]
    assert rows
    trusted = [
        any(float(at[0]) <= start and at[1] == b"1" for at in rows if float(at[0]) <= start)
        for start in run.ran["starting_time"]
    ]
    assert len(rows) == 1  # once gained it is kept, which makes the above true
    share = run.measures(["started_without_trust"])["started_without_trust"]
    assert share == pytest.approx(1.0 - sum(trusted) / len(trusted))
    assert 0.0 < share < 1.0
