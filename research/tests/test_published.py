"""The published outputs of paper 001's runs: found, and a workload rebuilt from them."""

import gzip
import json
from pathlib import Path

import pytest

from pred_aware.errors import PredAwareError
from reproductions.day import FIGURES, Day
from reproductions.logs import found_in
from reproductions.published import published_in, rebuild

COLUMNS = (
    "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
    "success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,"
    "stretch,allocated_resources"
)
JOBS = (
    # the job that was submitted last ended first
    "2,w0,D_2_50,10.0,2,100.0,1,COMPLETED_SUCCESSFULLY,10.0,50.0,60.0,0.0,50.0,1.0,0-1",
    "1,w0,D_4_60,0.0,4,90.0,1,COMPLETED_SUCCESSFULLY,60.0,60.0,120.0,60.0,120.0,2.0,0-3",
)


def write(folder: Path, scheduler: str, *, prefix: str = "", packed: bool = False) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    jobs = "\n".join((COLUMNS, *JOBS, ""))
    name = f"{prefix}out_jobs_{scheduler}.csv"
    if packed:
        (folder / f"{name}.gz").write_bytes(gzip.compress(jobs.encode()))
    else:
        (folder / name).write_text(jobs)
    schedule = f"batsim_version,{','.join(FIGURES)}\n4.2.0,{','.join('1.5' for _ in FIGURES)}\n"
    place = folder / f"{prefix}out_schedule_{scheduler}.csv"
    if packed:
        place.with_suffix(".csv.gz").write_bytes(gzip.compress(schedule.encode()))
    else:
        place.write_text(schedule)


@pytest.fixture
def experiments(tmp_path: Path) -> Path:
    """The outputs in folders, as the authors have them."""
    for folder in ("1 - Small Platform", "2 - Big Platform"):
        for scheduler in ("easy_bf", "pred_aware"):
            write(tmp_path / folder, scheduler)
    return tmp_path


def test_they_are_found_in_the_authors_folders_and_beside_each_other(
    experiments: Path, tmp_path: Path
) -> None:
    both = {(size, name) for size in (512, 15680) for name in ("easy_bf", "pred_aware")}
    assert set(published_in([experiments])) == both
    for machine in ("small_", "big_"):
        for scheduler in ("easy_bf", "pred_aware"):
            write(tmp_path / "flat", scheduler, prefix=machine, packed=True)
    assert set(published_in([tmp_path / "flat"])) == both
    assert "Marconi100" in found_in([experiments])


def test_where_one_is_missing_none_is_there(experiments: Path) -> None:
    (experiments / "2 - Big Platform" / "out_schedule_easy_bf.csv").unlink()
    assert not published_in([experiments])
    assert "Marconi100" not in found_in([experiments])


def test_the_workload_has_what_was_submitted(experiments: Path, tmp_path: Path) -> None:
    rebuild(experiments / "1 - Small Platform" / "out_jobs_easy_bf.csv", tmp_path / "day.json")
    made = json.loads((tmp_path / "day.json").read_text())
    assert [(job["id"], job["subtime"], job["res"]) for job in made["jobs"]] == [
        (1, 0, 4),
        (2, 10, 2),
    ]
    assert [job["walltime"] for job in made["jobs"]] == [90.0, 100.0]
    assert made["profiles"]["D_4_60"] == {"type": "delay", "delay": 60.0}


def test_a_published_run_has_batsims_figures_and_waits_in_the_order_of_jobs(
    experiments: Path, tmp_path: Path
) -> None:
    run = Day(published_in([experiments]), tmp_path / "out").published(512, "pred_aware")
    assert run.waits == (60.0, 0.0)
    assert run.figures["makespan"] == 1.5
    assert run.figures["waits under 1 min"] == 0.5


def test_what_is_no_output_is_told(experiments: Path, tmp_path: Path) -> None:
    table = experiments / "1 - Small Platform" / "out_jobs_easy_bf.csv"
    for text, told in (
        ("job_id,profile\n1,D_1\n", "is no table of Batsim's: it has no column 'submission_time'"),
        (f"{COLUMNS}\n", "has no row"),
        ("\n".join((COLUMNS, JOBS[0].replace("10.0", "ten"))), "could not convert"),
    ):
        table.write_text(text)
        with pytest.raises(PredAwareError, match=rf"out_jobs_easy_bf\.csv: .*{told}"):
            rebuild(table, tmp_path / "day.json")
    assert not (tmp_path / "day.json").exists()
