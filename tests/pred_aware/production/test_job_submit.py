"""The script for Slurm's job_submit/lua plugin, in a real controller."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.pred_aware.campaign.cluster.slurm_here import SlurmHere, why_not
from tests.pred_aware.command import Command
from tests.pred_aware.production.serving import Serving

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(why_not() is not None, reason=str(why_not()))]

ENDED = [
    {"id": name, "submit_time": 1709280000, "wait_time": 60, "run_time": 1190, "processors": 1,
     "walltime": 3600, "user": "root", "state": "exit 0"}
    for name in ("7", "8")
]  # fmt: skip


class Controller:
    """A Slurm with the script, and the service whose socket the script asks."""

    def __init__(self, slurm: SlurmHere, script: str) -> None:
        self.slurm, self._script = slurm, script

    def use(self, socket_path: Path, *, dry_run: bool = True) -> None:
        text = self._script.replace("/run/pred-aware/socket", str(socket_path))
        if not dry_run:
            text = text.replace("local DRY_RUN = true", "local DRY_RUN = false")
        self.slurm.write_job_submit(text)

    def submit(self, *options: str) -> dict[str, str]:
        """Submit a held job, and return the fields that Slurm shows of it."""
        job = self.slurm.run("sbatch", "--parsable", "--hold", *options, "--wrap", "true")
        shown = self.slurm.run("scontrol", "show", "job", job).split()
        return dict(one.split("=", 1) for one in shown if "=" in one)


@pytest.fixture
def controller(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Controller]:
    (conf := tmp_path / "slurm.conf").write_text("SlurmUser=root\n")
    monkeypatch.setenv("SLURM_CONF", str(conf))
    assert command("service", "files", tmp_path / "files", "--system", "slurm").code == 0
    script = (tmp_path / "files/job_submit.lua").read_text()
    with SlurmHere(job_submit=script) as slurm:
        yield Controller(slurm, script)


def test_a_job_gets_its_estimate_and_any_failure_leaves_it_unchanged(
    controller: Controller, tmp_path: Path
) -> None:
    with Serving(tmp_path) as service:
        assert service.ask({"ask": "ended", "jobs": ENDED}) == {"new": 2}
        controller.use(service.socket)
        job = controller.submit("-t", "60", "--comment", "mine")
        assert (job["AdminComment"], job["TimeLimit"], job["TimeMin"]) == (
            "pred=20", "01:00:00", "N/A",
        )  # fmt: skip
        assert "AdminComment" not in controller.submit("-t", "20")
        assert controller.submit("-t", "60", "-J", 'a "b"\\c')["AdminComment"] == "pred=20"
        controller.use(service.socket, dry_run=False)
        job = controller.submit("-t", "60", "-n", "4")
        assert (job["AdminComment"], job["TimeLimit"], job["TimeMin"]) == (
            "pred=20", "01:00:00", "00:20:00",
        )  # fmt: skip
        controller.slurm.run(
            "scontrol", "create", "reservation", "starttime=now+1hour", "duration=60",
            "nodes=ALL", "users=root",
        )  # fmt: skip
        assert controller.submit("-t", "60")["TimeMin"] == "N/A"
    assert controller.submit("-t", "60")["TimeLimit"] == "01:00:00"
    assert "connection refused" in controller.slurm.log()
    with socket.socket(socket.AF_UNIX) as hanging:
        hanging.bind(str(tmp_path / "hanging"))
        hanging.listen()
        controller.use(tmp_path / "hanging")
        for _ in range(5):
            assert "AdminComment" not in controller.submit("-t", "60")
    assert controller.slurm.log().count(": timeout") == 3
