from functools import cache
from pathlib import Path

import pytest

from pred_aware.comparison.comparing import compare
from pred_aware.comparison.comparison import Comparison
from pred_aware.comparison.tables import remarks
from pred_aware.errors import PredAwareError
from pred_aware.runs.reading import read_run
from tests.pred_aware.conftest import JobsFile
from tests.suites import each_case


def compared(*files: Path, anyway: bool = False) -> Comparison:
    runs = [read_run(file, file.name.removesuffix("_jobs.csv")) for file in files]
    return compare(runs, anyway=anyway)


@cache
def of_paper_001(shared: Path, platform: str) -> Comparison:
    return compare(
        [
            read_run(shared / f"m100-24h/{platform}_out_jobs_{name}.csv.gz", name)
            for name in ("easy_bf", "pred_aware")
        ]
    )


def test_counts_and_improvements_by_job_equal_those_of_paper_001(shared: Path) -> None:
    other = of_paper_001(shared, "big").against_baseline[0]
    counts = (
        other.at_most_the_same, other.shorter_by_10_min, other.shorter_by_1_h,
        other.longer_by_10_min, other.longer_by_1_h,
    )  # fmt: skip
    assert counts == (3992, 363, 199, 253, 153)
    # improvement is a share of the baseline
    improvement = of_paper_001(shared, "small").against_baseline[0].improvement
    assert improvement["makespan"] == pytest.approx(1029198.2116 / 1090869.293818 - 1)


@each_case(
    ("platform", "run", "expected"),
    [
        ("small", 1, [1029198.2116, 210.345998, 127474.557009, 128979.200758, 22785.239851]),
        ("small", 0, [1090869.293818, 194.504246, 163846.310703, 165350.954452, 20097.171103]),
        ("big", 1, [86272.0068, 37.844925, 846.53909, 2351.182838, 2.308898]),
        ("big", 0, [86272.0024, 240.739561, 953.381263, 2458.025012, 45.851883]),
    ],
)
def test_means_equal_those_of_paper_001(
    shared: Path, platform: str, run: int, expected: list[float]
) -> None:
    figures = of_paper_001(shared, platform).runs[run].figures
    names = ("makespan", "scheduling_time", "mean_waiting_time", "mean_turnaround_time")
    # batsim adds in another order: the paper's last digit may differ by one
    assert [figures[name] for name in (*names, "mean_slowdown")] == pytest.approx(
        expected, abs=1.1e-6
    )


@each_case(
    ("platform", "run", "expected"),
    [
        ("small", 1, [994211.2116, 1024094.2116, 450511.649074]),
        ("small", 0, [1026349.259818, 1027933.289418, 1026350.260057]),
        ("big", 1, [17003.0928, 64657.0068, 261.0818]),
        ("big", 0, [12608.0384, 64657.0024, 12156.0406]),
    ],
)
def test_maxima_equal_those_of_paper_001(
    shared: Path, platform: str, run: int, expected: list[float]
) -> None:
    figures = of_paper_001(shared, platform).runs[run].figures
    names = ("max_waiting_time", "max_turnaround_time", "max_slowdown")
    assert [figures[name] for name in names] == expected


@each_case(
    ("platform", "run", "expected"),
    [
        ("small", 1, [13.09, 22.76, 32.92, 55.84, 66.94, 33.06]),
        ("small", 0, [2.06, 2.95, 15.95, 56.93, 71.84, 28.16]),
        ("big", 1, [84.86, 88.56, 91.49, 100.0, 100.0, 0.0]),
        ("big", 0, [80.58, 84.41, 89.88, 100.0, 100.0, 0.0]),
    ],
)
def test_shares_of_waiting_jobs_equal_those_of_paper_001(
    shared: Path, platform: str, run: int, expected: list[float]
) -> None:
    summary = of_paper_001(shared, platform).runs[run]
    shares = [round(100 * count / summary.jobs, 2) for count in summary.waiting.values()]
    assert shares == expected


def test_waits_that_differ_by_a_hundredth_of_a_second_count_as_equal(jobs_file: JobsFile) -> None:
    # 0.03 - 0.02 is more than 0.01 in doubles
    baseline = jobs_file("baseline", [(0, 0.02, 1, 1), (0, 0.02, 1, 1)])
    new = jobs_file("new", [(0, 0.03, 1, 1), (0, 0.030001, 1, 1)])
    assert compared(baseline, new).against_baseline[0].at_most_the_same == 1


def test_jobs_are_matched_by_name_not_by_row(jobs_file: JobsFile) -> None:
    baseline = jobs_file("baseline", [(0, 0, 1, 1), (0, 4000, 1, 1)])
    lines = baseline.read_text().splitlines()
    turned = baseline.with_name("turned_jobs.csv")
    turned.write_text("\n".join([lines[0], lines[2], lines[1]]))
    other = compared(baseline, turned).against_baseline[0]
    assert (other.jobs, other.at_most_the_same, other.longer_by_1_h) == (2, 2, 0)


def test_jobs_in_only_one_file_are_counted_and_reported(jobs_file: JobsFile) -> None:
    one, two = (0.0, 0.0, 1.0, 1), (0.0, 1.0, 1.0, 1)
    files = jobs_file("baseline", [one, two]), jobs_file("new", [one], ["2", "9"])
    comparison = compared(*files, anyway=True)
    other = comparison.against_baseline[0]
    assert (other.jobs, other.ran_only_in_baseline, other.only_here) == (1, 1, 1)
    assert "new rejected 1 job that ran in baseline." in remarks(comparison)
    assert "The file of baseline lacks 1 job of new." in remarks(comparison)


@each_case(
    ("jobs", "rejected", "told"),
    [
        ([(0, 0, 1, 1)], ["2"], "1 job ran in a, rejected in b (w0!2)"),
        ([(0, 0, 1, 1)], [], "1 job of a missing in the file of b (w0!2)"),
        ([(0, 0, 1, 1)] * 4, [], "2 jobs of b missing in the file of a (first w0!3)"),
        ([(0, 0, 1, 1), (5, 5, 1, 1)], [], "1 job with another submission time or size in b than"),
        ([(0, 0, 1, 1), (0, 1, 1, 2)], [], "1 job with another submission time or size in b than"),
    ],
)
def test_runs_of_different_jobs_are_compared_only_on_request(
    jobs_file: JobsFile, jobs: list[tuple[float, float, float, int]], rejected: list[str], told: str
) -> None:
    files = jobs_file("a", [(0, 0, 1, 1), (0, 1, 1, 1)]), jobs_file("b", jobs, rejected)
    with pytest.raises(PredAwareError) as error:
        compared(*files)
    assert str(error.value).startswith("these runs have different jobs, so their measures cannot")
    assert f": {told}" in str(error.value)
    (difference,) = compared(*files, anyway=True).differences
    assert difference.startswith(told)


def test_runs_with_rejected_jobs_can_be_compared(jobs_file: JobsFile) -> None:
    files = [jobs_file(name, [(0, 0, 1, 1)], ["2", "3"]) for name in "ab"]
    assert compared(*files).differences == ()
    # runs that rejected everything compare
    comparison = compared(jobs_file("a", [], ["1"]), jobs_file("b", [], ["1"]))
    assert comparison.against_baseline[0].jobs == 0
    assert set(comparison.against_baseline[0].improvement.values()) == {None}
    # files without a common job are an error
    with pytest.raises(PredAwareError, match="no job in common"):
        compared(jobs_file("a", [(0, 0, 1, 1)]), jobs_file("b", [], ["7"]))
