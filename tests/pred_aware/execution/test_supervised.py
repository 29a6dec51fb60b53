"""Runs with an external program: it is found, supervised, and ended."""

import csv
import gzip
import json
import stat
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pred_aware.errors import PredAwareError
from pred_aware.execution.children import LONGEST_SOCKET
from pred_aware.execution.decider import Decider, arguments_of
from pred_aware.execution.supervised import read_past, supervise
from tests.pred_aware.simulator.world import job, simulated, write_inputs

JOBS = [
    job(1, 0, 8, 100, 200) | {"user_id": 7},
    job(2, 10, 10, 50, 60) | {"user_id": 8},
    job(3, 20, 2, 90, 400) | {"user_id": 7},
]

Program = Callable[..., Path]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Write a program that is run by the shell."""

    def write(text: str, version: str = "v4.2.1") -> Path:
        path = tmp_path / "program"
        told = f'[ "$1" = --version ] && echo {version} && exit'
        path.write_text(f"#!/bin/sh\n{told}\n{text}\n")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return path

    return write


@pytest.fixture
def stand_in(program: Program) -> Path:
    """A Batsim: ours, as a program of its own."""
    return program(f'exec {sys.executable} -m pred_aware batsim "$@"')


def run(folder: Path, decider: Decider, batsim: Path | None = None) -> list[dict[str, str]]:
    write_inputs(folder, JOBS)
    result = supervise(
        decider, batsim=batsim, platform=folder / "platform.xml", workload=folder / "workload.json",
        prefix=folder / "out", connect_timeout=20.0, answer_timeout=20.0,
    )  # fmt: skip
    assert result.summary["nb_jobs"] == len(JOBS)
    return list(csv.DictReader((folder / "out_jobs.csv").read_text().splitlines()))


def in_process(folder: Path, scheduler: str) -> list[dict[str, str]]:
    simulated(folder, scheduler, write_to=folder / "ours")
    return list(csv.DictReader((folder / "ours_jobs.csv").read_text().splitlines()))


def test_an_external_batsim_gives_the_same_schedule_figures_and_files(
    tmp_path: Path, stand_in: Path
) -> None:
    rows = run(tmp_path, Decider.of("easy", {"predictor": "last_two"}, None), stand_in)
    assert rows == in_process(tmp_path, "easy")
    figures = next(csv.DictReader((tmp_path / "out_schedule.csv").read_text().splitlines()))
    assert json.loads(figures["nb_jobs"]) == len(JOBS)
    assert {path.name for path in tmp_path.glob("out_*")} == {
        "out_jobs.csv", "out_schedule.csv", "out_machine_states.csv", "out_estimates.csv",
        "out_run.json", "out_batsim.log", "out_decision_process.log",
    }  # fmt: skip


FIVE = """grep -q DelayProfile "$4" && [ "${{10}}" = --trace-machine-state ] || exit 9
exec {python} -m pred_aware batsim --protocol 5 -p "$2" -w "$4" -e "$6" -s "$8" --sched-cfg "$9" \
"${{10}}"
"""


@pytest.mark.parametrize("scheduler", ["easy", "easy_plus_plus"])
def test_a_batsim_5_is_detected_and_gets_its_own_options(
    tmp_path: Path, program: Program, scheduler: str
) -> None:
    five = program(FIVE.format(python=sys.executable), "v5.0.0-rc2")
    rows = run(tmp_path, Decider.of(scheduler, {"predictor": "last_two"}, None), five)
    ours = in_process(tmp_path, scheduler)
    assert [row.pop("profile") for row in rows] == [f"w0!{row.pop('profile')}" for row in ours]
    assert [row | {"metadata": ""} for row in rows] == [row | {"metadata": ""} for row in ours]
    figures = next(csv.DictReader((tmp_path / "out_schedule.csv").read_text().splitlines()))
    assert (figures["nb_jobs"], figures["batsim_version"]) == ("3", "5.0.0-rc2")
    estimates = [tmp_path / f"{name}_estimates.csv" for name in ("out", "ours")]
    assert estimates[0].read_text() == estimates[1].read_text()
    assert (tmp_path / "out_machine_states.csv").exists()


def test_a_batsim_5_with_a_wrong_first_message_is_named(tmp_path: Path, program: Program) -> None:
    text = f"""exec {sys.executable} -c "
import sys, zmq
s = zmq.Context().socket(zmq.REQ); s.connect(sys.argv[1]); s.send(b'nonsense'); s.recv()" "$8"
"""
    with pytest.raises(PredAwareError, match="Batsim sent an invalid message of Batsim's protocol"):
        run(tmp_path, Decider.of("easy", {}, None), program(text, "v5.0.0-rc2"))


def test_a_decision_process_can_use_version_5_of_the_protocol(tmp_path: Path) -> None:
    write_inputs(tmp_path, JOBS)
    supervise(
        Decider.of("easy", {"predictor": "last_two"}, None), batsim=None, protocol=5,
        platform=tmp_path / "platform.xml", workload=tmp_path / "workload.json",
        prefix=tmp_path / "out", connect_timeout=20.0, answer_timeout=20.0,
    )  # fmt: skip
    in_process(tmp_path, "easy")
    for kind in ("jobs", "estimates", "machine_states"):
        texts = [(tmp_path / f"{name}_{kind}.csv").read_text() for name in ("out", "ours")]
        assert texts[0] == texts[1]


def test_any_decision_process_can_be_simulated(tmp_path: Path) -> None:
    command = f"{sys.executable} -c 'from pybatsim.cmdline import main; main()' -t -1 fcfs"
    assert run(tmp_path, Decider(command=command)) == in_process(tmp_path, "fcfs")
    assert not (tmp_path / "out_estimates.csv").exists()


@pytest.mark.slow
def test_batsim_and_the_decision_process_can_both_be_external(
    tmp_path: Path, stand_in: Path
) -> None:
    command = f"{sys.executable} -c 'from pybatsim.cmdline import main; main()' -t -1 fcfs"
    assert run(tmp_path, Decider(command=command), stand_in) == in_process(tmp_path, "fcfs")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("exit 3", "Batsim ended before the simulation began: exit code 3"),
        ("echo no such platform; exit 1", "its last output was: no such platform"),
        ("kill -9 $$", "exit code 137, SIGKILL"),
        (
            "echo '[workload/CRITICAL] Invalid job: no id'; echo '-> 5# main'; kill -6 $$",
            "SIGABRT, its log {folder}/out_batsim.log says: [workload/CRITICAL] Invalid job: no id",
        ),
        (r"printf '\033[31mno such variant\033[0m\n'; exit 1", "output was: no such variant"),
    ],
)
def test_a_batsim_that_ends_too_soon_is_named_with_its_last_output(
    tmp_path: Path, program: Program, text: str, message: str
) -> None:
    with pytest.raises(PredAwareError) as error:
        run(tmp_path, Decider.of("easy", {}, None), program(text))
    assert message.format(folder=tmp_path) in str(error.value)
    assert {path.name for path in tmp_path.glob("*out*")} == {
        "out_batsim.log", "out_decision_process.log",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("no-such-program", "no-such-program: cannot be started: No such file"),
        ("false", "the decision process ended before it listened: exit code 1"),
        ("'", "No closing quotation"),
        ("", "--decision-process is empty"),
    ],
)
def test_a_decision_process_that_cannot_start_gives_one_error(
    tmp_path: Path, command: str, message: str
) -> None:
    with pytest.raises(Exception, match=message):
        run(tmp_path, Decider(command=command))
    assert not (tmp_path / "out_jobs.csv").exists()


def test_a_missing_batsim_gives_one_error(tmp_path: Path) -> None:
    with pytest.raises(PredAwareError, match=r"--batsim .*none: this program does not exist"):
        run(tmp_path, Decider.of("easy", {}, None), tmp_path / "none")


def test_the_address_replaces_its_placeholder_in_the_command() -> None:
    assert arguments_of("a '{endpoint} x' b", "ipc:///s") == ["a", "ipc:///s x", "b"]


def test_a_damaged_gzip_workload_gives_one_error(tmp_path: Path, stand_in: Path) -> None:
    packed = bytearray(gzip.compress(b'{"jobs": []}'))
    packed[10] = 0xFF
    workload = tmp_path / "workload.json.gz"
    workload.write_bytes(packed)
    write_inputs(tmp_path, JOBS)
    with pytest.raises(PredAwareError, match=r"workload\.json\.gz: damaged gzip: Error -3"):
        supervise(
            Decider.of("easy", {}, None), batsim=stand_in, platform=tmp_path / "platform.xml",
            workload=workload, prefix=tmp_path / "out",
        )  # fmt: skip


@pytest.mark.parametrize("kind", ["jobs.csv", "estimates.csv", "batsim.log"])
def test_no_file_is_written_if_one_of_them_is_not_writable(
    tmp_path: Path, stand_in: Path, kind: str
) -> None:
    (tmp_path / f"out_{kind}").mkdir()
    with pytest.raises(ValueError, match=f"out_{kind}: is a folder"):
        run(tmp_path, Decider.of("easy", {}, None), stand_in)
    assert [path.name for path in tmp_path.glob("*out*")] == [f"out_{kind}"]


@pytest.mark.parametrize("with_batsim", [False, True])
def test_a_temporary_folder_with_a_long_name_gives_one_error(
    tmp_path: Path, stand_in: Path, monkeypatch: pytest.MonkeyPatch, *, with_batsim: bool
) -> None:
    long = tmp_path / ("x" * LONGEST_SOCKET)
    long.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(long))
    with pytest.raises(PredAwareError, match=r"is too long: .* set TMPDIR"):
        run(tmp_path, Decider.of("easy", {}, None), stand_in if with_batsim else None)


def test_pybatsim_imports_nothing_from_the_working_folder(here: Path) -> None:
    (here / "zmq.py").write_text("raise SystemExit('imported from a folder of data')\n")
    assert len(run(here, Decider.of("easy", {}, None))) == len(JOBS)


@pytest.mark.parametrize(
    "content", [b"\xff\xfe", b"job_id\n1\n", b"job_id,final_state\n1,COMPLETED_SUCCESSFULLY\n"]
)
def test_an_unreadable_jobs_file_is_a_user_error(tmp_path: Path, content: bytes) -> None:
    (path := tmp_path / "out_jobs.csv").write_bytes(content)
    with pytest.raises(PredAwareError, match=r"out_jobs\.csv"):
        read_past(path)
