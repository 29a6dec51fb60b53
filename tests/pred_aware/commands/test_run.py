"""The command `run`."""

import csv
import json
import sys
from functools import partial
from pathlib import Path

import pytest

from pred_aware.errors import PredAwareError
from pred_aware.execution.pybatsim import ADD_PYBATSIM
from schedulers.journal import sums
from tests.pred_aware.command import Command
from tests.pred_aware.simulator.world import job, simulated, write_inputs

# two users on ten processors; the second and third job wait, and the last is too large
JOBS = [
    job(1, 0, 8, 100, 200) | {"user_id": 7},
    job(2, 10, 10, 50, 60) | {"user_id": 8},
    job(3, 20, 2, 90, 400) | {"user_id": 7},
    job(4, 30, 11, 5, 60) | {"user_id": 8},
]


@pytest.fixture
def run(here: Path, command: Command) -> Command:
    """Run the command on the four jobs, in their folder."""
    write_inputs(here, JOBS)
    return partial(command, "run", "-p", "platform.xml", "-w", "workload.json")


def starts() -> dict[str, str]:
    with Path("out_jobs.csv").open(newline="") as file:
        return {row["job_id"]: row["starting_time"] for row in csv.DictReader(file)}


def test_run_writes_its_files_and_shows_the_figures(run: Command) -> None:
    ended = run("-s", "easy")
    assert ended.code == 0
    assert "mean wait, s" in ended.out
    assert "out_jobs.csv, _schedule.csv, _machine_states.csv" in ended.out
    assert {path.name for path in Path().glob("out*")} == {
        "out_jobs.csv", "out_schedule.csv", "out_machine_states.csv", "out_estimates.csv",
        "out_run.json",
    }  # fmt: skip


def test_reasons_of_rejections_go_to_standard_error(run: Command) -> None:
    assert run("-s", "easy", "--json").err == (
        "pred-aware: 1 job was rejected: it asks for 11 processors; the machine has 10\n"
    )


def test_each_reason_of_rejections_has_its_number_of_jobs(run: Command, tmp_path: Path) -> None:
    unlimited = [job(n, 0, 4, 9, None) for n in (1, 2)]
    write_inputs(tmp_path, [*unlimited, *(job(n, 0, n, 9, 60) for n in (11, 12, 13, 14))])
    assert run("-s", "easy_bf", "--json").err == (
        "pred-aware: 6 jobs were rejected: 2 have no walltime; 1 asks for 11 processors; the "
        "machine has 10; 1 asks for 12 processors; the machine has 10; and 2 more reasons\n"
    )


def test_json_is_one_object_with_the_columns_and_nothing_else(run: Command) -> None:
    ended = run("-s", "easy", "--json", "-q")
    figures = json.loads(ended.out)
    with Path("out_schedule.csv").open(newline="") as file:
        (row,) = csv.DictReader(file)
    slowdowns = {"mean_bounded_slowdown", "max_bounded_slowdown"}
    assert set(figures) == {*row, *slowdowns, *sums([])}
    assert (figures["nb_jobs"], figures["nb_jobs_rejected"], ended.err) == (4, 1, "")
    # waits of 0, 90 and 130 s before 100, 50 and 90 s; the job that was rejected is left out
    assert figures["mean_waiting_time"] == pytest.approx((0 + 90 + 130) / 3)
    assert float(row["mean_waiting_time"]) == (0 + 90 + 130) / 4
    assert figures["mean_bounded_slowdown"] == pytest.approx((1 + 140 / 50 + 220 / 90) / 3)


def test_a_machine_larger_than_the_workloads_is_reported(run: Command, tmp_path: Path) -> None:
    write_inputs(tmp_path, JOBS[:1])
    workload = json.loads(Path("workload.json").read_text())
    Path("workload.json").write_text(json.dumps({**workload, "nb_res": 8}))
    told = (
        "platform.xml has 10 processors, but workload.json comes from a machine with 8, so its jobs"
    )
    assert told in run("-s", "easy", "--json").err
    assert run("-s", "easy", "-q").err == ""
    Path("workload.json").write_text(json.dumps({**workload, "nb_res": 10}))
    assert run("-s", "easy").err == ""


def test_quiet_says_nothing(run: Command) -> None:
    assert run("-s", "easy", "-q") == (0, "", "")


@pytest.mark.parametrize(
    ("arguments", "third"),
    [
        (["-s", "fcfs"], "150.000000"),
        (["-s", "filler"], "20.000000"),
        (["-s", "easy_bf"], "150.000000"),
        (["-s", "easy", "--predictor", "actual"], "150.000000"),
        (["-s", "pred_aware", "--predictor", "walltime"], "20.000000"),
        (["-s", "policy", "-O", "order=sjf", "-O", "backfilling=none"], "150.000000"),
        (["-s", "policy", "-O", '{"backfilling": "filler"}'], "20.000000"),
        (["-s", "policy", "-O", "@options.json"], "20.000000"),
        (["-s", "policy", "-O", "@options.json", "-O", "backfilling=none"], "150.000000"),
        (["-s", "policy", "-O", 'backfilling={"name": "filler"}'], "20.000000"),
        (["-s", "easy", "--predictor", "last_two", "--history", "past.swf"], "30.000000"),
    ],
)
def test_run_passes_options_to_the_scheduler(
    run: Command, arguments: list[str], third: str
) -> None:
    Path("options.json").write_text('{"backfilling": "filler"}')
    line = "{} 0 0 30 4 -1 -1 4 3600 -1 1 7 1 2 0 1 -1 -1\n"
    Path("past.swf").write_text("; MaxProcs: 8\n" + line.format(1) + line.format(2))
    assert run(*arguments, "-q").code == 0
    assert starts()["3"] == third


SACCT = """JobIDRaw|User|State|Submit|Start|ElapsedRaw|TimelimitRaw|AllocCPUS
{}|7|COMPLETED|2024-03-01T08:00:00|2024-03-01T08:00:10|30|240|4
{}|7|COMPLETED|2024-03-01T08:00:00|2024-03-01T08:00:10|30|240|4
"""


@pytest.mark.parametrize("transport", ["process", "zmq"])
@pytest.mark.parametrize("history", ["past.txt", '{"file": "past.txt", "format": "slurm"}'])
def test_past_jobs_of_slurm_are_learned_first(run: Command, history: str, transport: str) -> None:
    Path("past.txt").write_text(SACCT.format(1, 2))
    options = ("-s", "easy", "--predictor", "last_two", "--transport", transport, "-q")
    assert run(*options).code == 0
    assert starts()["3"] != "30.000000"
    assert run(*options, "--history", history) == (0, "", "")
    assert starts()["3"] == "30.000000"


@pytest.mark.parametrize(
    ("scheduler", "delays"), [("easy_bf", "none"), ("filler", "batsim"), ("easy", "batsim")]
)
def test_zeromq_gives_the_same_jobs_file(run: Command, scheduler: str, delays: str) -> None:
    assert run("-s", scheduler, "-q", "--delays", delays).code == 0
    here = Path("out_jobs.csv").read_bytes()
    ended = run("-s", scheduler, "-q", "--delays", delays, "--transport", "zmq", "-e", "zmq")
    assert ended == (0, "", "")
    assert Path("zmq_jobs.csv").read_bytes() == here


def test_a_script_receives_the_progress(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    write_inputs(tmp_path, [job(number, number, 1, 1) for number in range(1200)])
    simulated(tmp_path, "filler", progress=lambda ended, total: told.append((ended, total)))
    assert told == [(500, 1200), (1000, 1200)]


def test_an_unknown_transport_is_an_error_in_a_script(tmp_path: Path) -> None:
    write_inputs(tmp_path, JOBS)
    with pytest.raises(PredAwareError, match="unknown transport 'pigeon'; known: process, zmq"):
        simulated(tmp_path, "filler", transport="pigeon")


def test_a_prefix_that_is_a_folder_is_an_error(run: Command) -> None:
    ended = run("-s", "easy", "-e", "out/")
    assert ended.code == 2
    assert "'out/' is a folder; give a prefix in it: out/run" in ended.err
    assert not list(Path().glob("out*"))


@pytest.mark.parametrize("kind", ["jobs", "schedule", "machine_states", "estimates"])
def test_a_folder_at_an_output_path_is_reported_before_anything_is_written(
    run: Command, kind: str
) -> None:
    Path(f"out_{kind}.csv").mkdir()
    run("-s", "easy").assert_refused(f"out_{kind}.csv")
    assert {path.name for path in Path().glob("*out*")} == {f"out_{kind}.csv"}


@pytest.mark.parametrize("separator", ["\u2028", "\u0085", "\v", "\f"])
def test_pybatsim_returns_an_id_with_a_unicode_separator_unchanged(
    tmp_path: Path, separator: str
) -> None:
    write_inputs(tmp_path, [job(1, 0, 8, 100, 200) | {"id": f"a{separator}b", "user_id": 7}])
    result = simulated(tmp_path, "easy_plus_plus", transport="zmq")
    assert result.summary["started_as_head"] == 1
    assert f"a{separator}b," in (tmp_path / "out_estimates.csv").read_text()


def test_a_missing_package_gives_a_one_line_error_with_the_install_command(
    run: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pybatsim", None)
    monkeypatch.setitem(sys.modules, "river", None)
    for options, told in (
        (("--transport", "zmq"), f"pybatsim is not installed; install it with: {ADD_PYBATSIM}"),
        (("--predictor", "hoeffding_tree"), "-r requirements-river.lock"),
    ):
        ended = run("-s", "easy", *options)
        assert (ended.code, ended.out, ended.err.count("\n")) == (2, "", 1)
        assert ended.err.endswith(f"{told}\n")
    assert not list(Path().glob("out*"))
