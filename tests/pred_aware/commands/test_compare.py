import json
import shutil
from functools import partial
from pathlib import Path

import pytest

from tests.pred_aware.command import Command


@pytest.fixture
def compare(command: Command) -> Command:
    """Run the command; its exit code, standard output and standard error."""
    return partial(command, "compare", "--full")


@pytest.fixture
def runs(shared: Path) -> tuple[str, str]:
    folder = shared / "m100-24h"
    return (
        f"easy_bf={folder / 'big_out_jobs_easy_bf.csv.gz'}",
        f"pred_aware={folder / 'big_out_jobs_pred_aware.csv.gz'}",
    )


def test_tables_show_figures_shares_and_counts(compare: Command, runs: tuple[str, str]) -> None:
    code, out, err = compare(*runs)
    assert (code, err) == (0, "")
    for text in (
        "15 min 53 s",
        "14 min 7 s (-11 %)",
        "3,740 (84.86 %)",
        "3,992 (90.58 %)",
        "363 (8.24 %)",
    ):
        assert text in out


def test_json_is_one_object_and_nothing_else(compare: Command, runs: tuple[str, str]) -> None:
    code, out, err = compare(*runs, "--json")
    answer = json.loads(out)
    assert (code, err, answer["baseline"]) == (0, "", "easy_bf")
    waits = {name: run["mean_waiting_time"] for name, run in answer["runs"].items()}
    found = {name: round(wait, 2) for name, wait in waits.items()}
    assert found == {"easy_bf": 953.38, "pred_aware": 846.54}
    assert answer["against_baseline"]["pred_aware"]["shorter_by_1_h"] == 199
    assert answer["runs"]["pred_aware"]["waiting"]["under_10_min"]["jobs"] == 3903


def test_the_picture_is_written_to_the_given_path(
    compare: Command, runs: tuple[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "runs.svg"
    code, out, _ = compare(*runs, "--picture", path)
    assert (code, str(path) in out) == (0, True)
    assert b"<svg" in path.read_bytes()[:2000]


def test_three_runs_are_each_compared_with_the_first(compare: Command, shared: Path) -> None:
    kth = shared / "golden/kth"
    files = [f"{name}={kth / name / 'out_jobs.csv.gz'}" for name in ("easy_bf", "filler")]
    code, out, _ = compare(*files, f"again={kth / 'easy_bf/out_jobs.csv.gz'}", "--json")
    against = json.loads(out)["against_baseline"]
    assert (code, list(against)) == (0, ["filler", "again"])
    assert against["again"]["at_most_the_same"] == 28467


def test_a_single_file_is_named_by_its_prefix(
    compare: Command, shared: Path, tmp_path: Path
) -> None:
    files = [tmp_path / "one_jobs.csv.gz", tmp_path / "a=b_jobs.csv.gz"]
    for file in files:
        shutil.copyfile(shared / "m100-24h/big_out_jobs_easy_bf.csv.gz", file)
    code, out, _ = compare(*files, "--json")
    assert (code, list(json.loads(out)["runs"])) == (0, ["one", "a=b"])


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["a=a.csv"], "give at least two runs"),
        (["a=a.csv", "a=b.csv"], "two runs are called 'a'"),
        (["x/out_jobs.csv", "y/out_jobs.csv"], "two runs are called 'out'"),
        (["a=", "b=b.csv"], "'a=': give NAME=FILE"),
        (["a=nosuch_jobs.csv", "b=b.csv"], "nosuch_jobs.csv: No such file or directory"),
        (["a=a.csv", "b=b.csv", "--picture", "c.bmp"], "must end in .png, .svg or .pdf"),
        (["a=a.csv", "b=b.csv", "--picture", "no/c.png"], "the folder no does not exist"),
    ],
)
def test_runs_that_cannot_be_compared_give_a_one_line_error(
    compare: Command, typed: list[str], said: str
) -> None:
    compare(*typed).assert_refused(said)


def test_runs_of_different_jobs_are_refused_or_compared_with_a_remark(
    compare: Command, tmp_path: Path
) -> None:
    header = "job_id,workload_name,final_state,submission_time,requested_number_of_resources,"
    header += "starting_time,execution_time,finish_time,waiting_time,turnaround_time,stretch\n"
    row = "{},w0,COMPLETED_SUCCESSFULLY,0,1,0,9,9,0,9,1\n"
    files = [tmp_path / f"{name}_jobs.csv" for name in "ab"]
    files[0].write_text(header + row.format(1) + row.format(2))
    files[1].write_text(header + row.format(1) + "2,w0,REJECTED,0,1,,,,,,\n")
    code, out, err = compare(*files)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "1 job ran in a, rejected in b (w0!2); --anyway compares them nevertheless" in err
    code, out, err = compare(*files, "--anyway")
    assert (code, err, out.index("DIFFERENT JOBS: 1 job ran in a")) == (0, "", 0)
    answer = json.loads(compare(*files, "--anyway", "--json").out)
    assert answer["not_the_same_jobs"] == ["1 job ran in a, rejected in b (w0!2)"]


@pytest.mark.slow
def test_the_page_has_the_figures_in_words_and_is_reproducible(
    compare: Command, runs: tuple[str, str], tmp_path: Path
) -> None:
    pages = [tmp_path / f"{name}.html" for name in ("first", "second")]
    for page in pages:
        assert f"Page: {page}" in compare(*runs, "--html", page).out
    text = pages[0].read_text()
    assert (
        "a job waits 14 min 7 s instead of 15 min 53 s on average (-11 %; one run of each" in text
    )
    assert text.count("<img") == 3
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_tables_are_written_with_all_digits(
    compare: Command, runs: tuple[str, str], tmp_path: Path
) -> None:
    assert compare(*runs, "--tables", tmp_path / "t.csv").code == 0
    rows = (tmp_path / "t.csv").read_text().splitlines()
    (wait,) = [row for row in rows if ",mean waiting time,pred_aware," in row]
    assert round(float(wait.rpartition(",")[2]), 2) == 846.54
    compare(*runs, "--tables", tmp_path / "t.xls").assert_refused("must end in .csv or .json")


def test_a_page_is_not_written_over_a_run(compare: Command, runs: tuple[str, str]) -> None:
    file = runs[0].partition("=")[2]
    compare(*runs, "--html", file).assert_refused("each file needs its own name")
