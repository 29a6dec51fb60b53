"""The four experiments of paper 001 in one command, with our simulator in Batsim's place."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pred_aware.simulator.world import job, write_inputs

ROOT = Path(__file__).resolve().parents[2]
BATSIM = f'exec {sys.executable} -m pred_aware batsim "$@"'
# it is called with -v NAME -s SOCKET
BATSCHED = 'exec pybatsim -t -1 "$2" "$3" "$4"'
JOBS = [job(1, 0, 256, 100, 200), job(2, 10, 257, 50, 60), job(3, 20, 200, 90, 400)]

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run the script with these programs in place of Batsim's and batsched's."""
    write_inputs(tmp_path, JOBS)
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
            [str(ROOT / "nix" / "paper001.sh"), "workload.json", "results"],
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


@pytest.mark.parametrize(
    ("programs", "message"),
    [
        ({"batsim": "echo no such platform >&2; exit 3"}, "batsim ended with status 3; the end of"),
        ({"batsched": "echo no such variant >&2; exit 4"}, "batsched ended with status 4; the end"),
    ],
)
def test_one_that_ends_badly_is_named_and_takes_the_other_with_it(
    run: Run, tmp_path: Path, programs: dict[str, str], message: str
) -> None:
    done = run(**programs)
    assert done.returncode == 1
    assert message in done.stderr
    assert done.stderr.splitlines()[-1].startswith("no such")
    assert not (tmp_path / "results" / "cluster512" / "easy_bf_jobs.csv").exists()
    started = (tmp_path / "started").read_text().split()
    assert len(started) > 1
    assert not [pid for pid in started if Path("/proc", pid).exists()]


def test_without_a_workload_it_says_what_is_missing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "workload.json").unlink()
    done = run()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("can't read the workload workload.json\n")
