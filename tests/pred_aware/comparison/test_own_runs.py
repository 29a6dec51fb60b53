from pathlib import Path

import pytest

from pred_aware import read_workload, simulate
from pred_aware.comparison.comparing import compare
from pred_aware.runs.reading import read_run


@pytest.mark.parametrize(
    ("platform", "processors"),
    [("small", 512), pytest.param("big", 15680, marks=pytest.mark.slow)],
)
def test_our_easy_bf_gives_paper_001s_easy_bf_columns(
    shared: Path, tmp_path: Path, platform: str, processors: int
) -> None:
    golden = shared / f"golden/m100-{processors}"
    simulate(
        read_workload(golden / "workload.json.gz"), "easy_bf", platform=golden / "platform.xml",
        write_to=tmp_path / "ours", delays="batsim",
    )  # fmt: skip
    published = read_run(shared / f"m100-24h/{platform}_out_jobs_easy_bf.csv.gz", "published")
    ours = read_run(tmp_path / "ours_jobs.csv", "ours")
    comparison = compare([published, ours])
    figures = [{**run.figures, "scheduling_time": None} for run in comparison.runs]
    assert figures[0] == figures[1]
    assert comparison.runs[0].waiting == comparison.runs[1].waiting
    assert comparison.against_baseline[0].at_most_the_same == 4407
