"""The four experiments of paper 001 in one command, with our simulator in Batsim's place."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "paper001.sh"
BATSIM = f'exec {sys.executable} -m pred_aware batsim "$@"'
# it is called with -v NAME -s SOCKET
BATSCHED = 'exec pybatsim -t -1 "$2" "$3" "$4"'
JOBS = [
    {"id": str(number), "subtime": date, "res": size, "walltime": walltime, "profile": f"D{delay}"}
    for number, date, size, delay, walltime in (
        (1, 0, 256, 100, 200), (2, 10, 257, 50, 60), (3, 20, 200, 90, 400),
    )
]  # fmt: skip

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the script with these programs in place of Batsim's and batsched's."""
    profiles = {f"D{delay}": {"type": "delay", "delay": delay} for delay in (50, 90, 100)}
    content = {"nb_res": 512, "jobs": JOBS, "profiles": profiles}
    (tmp_path / "workload.json").write_text(json.dumps(content))
    programs = tmp_path / "programs"
    programs.mkdir()
    installed = Path(sys.executable).parent

    def start(
        *, batsim: str = BATSIM, batsched: str = BATSCHED
    ) -> subprocess.CompletedProcess[str]:
        scripts = {"batsim": batsim, "batsched": batsched}
        scripts |= {name: f'exec {installed / name} "$@"' for name in ("pred-aware", "pybatsim")}
        for name, script in scripts.items():
            (programs / name).write_text(f"#!/bin/sh\necho $$ >> {tmp_path}/started\n{script}\n")
            (programs / name).chmod(0o755)
        return subprocess.run(  # noqa: S603 - our own command
            [str(SCRIPT), "workload.json", "results"],
            cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600,
            env=os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"},
        )  # fmt: skip

    return start


@pytest.mark.slow
def test_it_runs_both_schedulers_on_both_platforms_and_compares_them(
    run: Run, tmp_path: Path
) -> None:
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    for platform in ("cluster512", "clusterMarconi"):
        for scheduler in ("pred_aware", "easy_bf"):
            rows = (tmp_path / "results" / platform / f"{scheduler}_jobs.csv").read_text()
            assert len(rows.splitlines()) == 1 + len(JOBS)
        assert f"easy_bf on {platform}" in done.stdout
    tables = [line for line in done.stdout.splitlines() if line.startswith("│ mean waiting time ")]
    assert len(tables) == 2


def test_one_that_ends_badly_is_named_and_takes_the_other_with_it(run: Run, tmp_path: Path) -> None:
    for program, status in (("batsim", 3), ("batsched", 4)):
        done = run(**{program: f"echo no such thing >&2; exit {status}"})
        assert done.returncode == 1, program
        assert f"{program} ended with status {status}; the end of" in done.stderr
        assert done.stderr.splitlines()[-1].startswith("no such"), program
        assert not (tmp_path / "results" / "cluster512" / "easy_bf_jobs.csv").exists(), program
        started = (tmp_path / "started").read_text().split()
        assert len(started) > 1
        assert not [pid for pid in started if Path("/proc", pid).exists()], program


def test_without_a_workload_it_says_what_is_missing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "workload.json").unlink()
    done = run()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("cannot read the workload workload.json\n")
