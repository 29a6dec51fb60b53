"""The command `doctor`: what it finds, what it advises, and its exit code."""

import json
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pred_aware.execution import pybatsim
from pred_aware.health import examination
from pred_aware.health.examination import check_folder, check_port, check_sockets
from pred_aware.health.installation import check_core, check_packages, check_python
from pred_aware.health.programs import BATSIM, examine, missing_libraries
from predictors import compiled
from tests.pred_aware.command import Command, Ended

OURS = f"exec {sys.executable} -m pred_aware batsim"
PYBATSIM = f"exec {sys.executable} -c 'from pybatsim.cmdline import main; main()' -t -1"

Program = Callable[[str, str], Path]
Findings = Mapping[str, Mapping[str, Any]]


@pytest.fixture
def doctor(monkeypatch: pytest.MonkeyPatch, command: Command, here: Path) -> Command:
    """Run the command in an empty folder, where neither Batsim nor batsched is to be found."""
    (here / "bin").mkdir()
    ldd = shutil.which("ldd")
    if ldd is not None:
        (here / "bin" / "ldd").symlink_to(ldd)
    monkeypatch.setenv("PATH", f"{here / 'bin'}")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    return partial(command, "doctor")


@pytest.fixture
def programs_only(doctor: Command, monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run the command without a look at the packages, which takes a second."""
    monkeypatch.setattr(examination, "check_packages", lambda: iter(()))
    return doctor


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Write a stand-in: a shell script that tells a version, and else does what is given."""

    def write(version: str, text: str) -> Path:
        path = tmp_path / "stand-in"
        path.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "{version}" && exit\n{text}\n')
        path.chmod(0o755)
        return path

    return write


def findings(ended: Ended) -> Findings:
    return {finding["subject"]: finding for finding in json.loads(ended.out)["findings"]}


@pytest.mark.slow
def test_every_needed_check_passes_without_batsim(doctor: Command) -> None:
    ended = doctor()
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.endswith("\nEverything that is required works.\n")
    assert "absent  Batsim: no batsim on the PATH\n        -> nothing is necessary" in ended.out
    assert "over ZeroMQ: 10 jobs ran, at the same times as in one process" in ended.out
    assert list(Path().iterdir()) == [Path("bin")]


def test_a_compiler_is_advised_only_if_the_core_is_plain_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for form, advised in (("compiled", False), ("python", True)):
        monkeypatch.setattr(compiled, "form", lambda form=form: form)
        assert ("C compiler" in check_core().advice) is advised


def test_a_requested_program_that_is_missing_fails_the_check(programs_only: Command) -> None:
    ended = programs_only("--batsim", "nowhere/batsim", "--json")
    assert ended.code == 1
    assert not json.loads(ended.out)["works"]
    batsim = findings(ended)["Batsim"]
    assert (batsim["state"], batsim["needed"]) == ("absent", True)
    assert batsim["found"] == "nowhere/batsim: this program does not exist"


def test_batsim_with_another_protocol_is_not_tested(
    programs_only: Command, program: Program
) -> None:
    ended = programs_only("--batsim", program("batsim 3.1.0", "exec /bin/sleep 100"))
    assert ended.code == 1
    assert "wrong   Batsim: 3.1.0 (" in ended.out
    assert "it must be 4.2.1" in ended.out
    assert "a run with Batsim" not in ended.out
    assert ended.out.endswith("\nNeeds repair: Batsim.\n")


def test_a_batsim_5_is_reported_and_tested(programs_only: Command, program: Program) -> None:
    as_ours = '-p "$2" -w "$4" -e "$6" -s "$8" --trace-machine-state --delays batsim'
    five = program("v5.0.0-rc2", f"{OURS} --protocol 5 {as_ours}")
    ended = programs_only("--batsim", five, "--json")
    assert ended.code == 0
    assert findings(ended)["Batsim"]["state"] == "note"
    assert "5.0.0-rc2" in findings(ended)["Batsim"]["found"]
    assert findings(ended)["a run with Batsim"]["found"].startswith(
        "10 jobs ran, at the same times"
    )


def test_a_wrong_batsim_on_the_path_is_reported_but_not_needed(
    programs_only: Command, program: Program
) -> None:
    program("v3.1.0", "exit 1").rename("bin/batsim")
    ended = programs_only()
    assert ended.code == 0
    assert ended.out.endswith(" works. Optional, with problems: Batsim.\n")
    ended = programs_only("--json")
    found = (findings(ended)["Batsim"]["state"], findings(ended)["Batsim"]["needed"])
    assert found == ("wrong", False)


def test_a_batsim_and_a_batsched_with_the_known_behaviour_pass(
    programs_only: Command, program: Program
) -> None:
    program("v4.2.1", f'{OURS} --delays batsim "$@"').rename("bin/batsim")
    program("1.4.0", f'{PYBATSIM} -s "$4" easy_bf').rename("bin/batsched")
    ended = programs_only("--json")
    assert ended.code == 0
    assert {findings(ended)[name]["state"] for name in ("Batsim", "batsched")} == {"ok"}
    for name in ("a run with Batsim", "a run with batsched"):
        assert findings(ended)[name]["found"].startswith(
            "10 jobs ran, at the same times as in one process"
        )


@pytest.mark.parametrize(
    ("version", "text", "state", "found"),
    [
        # messages take no time in it, as in no Batsim
        ("v4.2.0", f'{OURS} "$@"', "note", "10 jobs ran, but 10 of them at other times than"),
        ("v4.2.1", "echo no such option; exit 3", "ok", "its last output was: no such option"),
        ("v4.2.1", "exec /bin/sleep 100", "ok", "Batsim has sent nothing for 0.5 s"),
    ],
)
def test_a_batsim_with_another_behaviour_is_detected(
    programs_only: Command, program: Program, version: str, text: str, state: str, found: str
) -> None:
    timeout = "0.5" if "sleep" in text else "20"
    ended = programs_only("--batsim", program(version, text), "--timeout", timeout, "--json")
    assert ended.code == 1
    assert findings(ended)["Batsim"]["state"] == state
    assert found in findings(ended)["a run with Batsim"]["found"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("#!/bin/sh\necho hello", "prints no version: 'hello', exit code 0"),
        ("#!/bin/sh\nexec /bin/sleep 100", "silent for 0.2 s"),
        ("#!/no/such/shell\n", "--version: No such file or directory"),
        ("not a program", "--version: Exec format error"),
    ],
)
def test_a_program_without_a_version_fails_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, found: str
) -> None:
    monkeypatch.setattr(pybatsim, "VERSION_PATIENCE", 0.2)
    path = tmp_path / "program"
    path.write_text(text)
    path.chmod(0o755)
    finding = examine(BATSIM, path, needed=True)
    assert finding.must_be_mended
    assert found in finding.found


@pytest.mark.skipif(not (shutil.which("gcc") and shutil.which("ldd")), reason="needs gcc and ldd")
def test_missing_shared_libraries_of_a_binary_are_named(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int a(void) { return 0; }")
    (tmp_path / "main.c").write_text("int a(void); int main(void) { return a(); }")
    for arguments in (["-shared", "-fPIC", "-o", "liba.so", "a.c"], ["main.c", "-L.", "-la"]):
        subprocess.run(["gcc", *arguments], cwd=tmp_path, check=True)  # noqa: S603, S607 - a test's
    assert missing_libraries(tmp_path / "a.out") == ["liba.so"]
    assert (
        "lacks the shared libraries liba.so"
        in examine(BATSIM, tmp_path / "a.out", needed=True).found
    )
    assert missing_libraries(Path(sys.executable)) == []


def test_missing_old_and_broken_packages_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "broken_one"
    package.mkdir()
    (package / "__init__.py").write_text("raise ImportError('libx.so: cannot open')")
    (tmp_path / "broken_one-1.0.dist-info").mkdir()
    (tmp_path / "broken_one-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: broken_one\nVersion: 1.0\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    found = list(
        check_packages(["msgspec>=999", "no-such-package", "broken_one", "x; python_version<'3'"])
    )
    assert [(f.subject, f.state) for f in found] == [
        ("msgspec", "wrong"),
        ("no-such-package", "absent"),
        ("packages", "ok"),
        ("broken_one", "wrong"),
    ]
    assert "libx.so: cannot open" in found[-1].found


def test_a_python_that_is_too_old_or_new_fails_the_check() -> None:
    assert check_python((3, 10, 1)).found == "3.10.1; it must be <3.15,>=3.11"
    assert check_python((3, 15, 0)).must_be_mended
    assert check_python().state == "ok"


def test_a_port_in_use_is_reported() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        assert check_port(port).state == "note"
    assert check_port(port).state == "ok"


def test_folders_that_are_not_writable_fail_the_check(tmp_path: Path) -> None:
    assert check_folder(tmp_path).state == "ok"
    assert "No such file or directory" in check_folder(tmp_path / "none").found
    assert "No such file or directory" in check_sockets(tmp_path / "none").found
    assert "is too long: paths of sockets" in check_sockets(tmp_path / ("x" * 100)).found
    assert list(tmp_path.iterdir()) == []


def test_optional_parts_are_reported_as_not_needed() -> None:
    found = list(check_packages(["msgspec", 'no-river; extra == "river"', "gone; extra == 'dev'"]))
    told = [(f.subject, f.state, f.needed) for f in found[:2]]
    assert told == [("no-river", "absent", False), ("packages", "ok", True)]
    assert found[0].advice == (
        "nothing, unless you need the predictors hoeffding_tree and adaptive_forest: "
        "pip install --no-deps --require-hashes -r requirements-river.lock"
    )


def test_every_needed_check_passes_without_pybatsim(
    programs_only: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pybatsim", None)
    ended = programs_only()
    assert ended.code == 0
    assert "a run in one process: 10 jobs ran" in ended.out
    assert "pybatsim over ZeroMQ" not in ended.out
