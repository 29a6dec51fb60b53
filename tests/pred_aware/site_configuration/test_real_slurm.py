"""A snapshot of a real Slurm of this machine alone, which has no accounting database."""

from pathlib import Path

import pytest

from pred_aware.site_configuration import configured_site
from tests.pred_aware.campaign.cluster.slurm_here import CPUS, NODES, SlurmHere, why_not
from tests.pred_aware.command import Command

pytestmark = [pytest.mark.cluster, pytest.mark.skipif(why_not() is not None, reason=str(why_not()))]


def test_a_snapshot_of_a_real_slurm_gives_its_site(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with SlurmHere() as here:
        for name, value in here.environment.items():
            monkeypatch.setenv(name, value)
        version = here.run("scontrol", "--version").split()[-1]
        here.run(
            "scontrol", "create", "reservation", "reservationname=later", "starttime=now+1hour",
            "duration=60", "nodes=n1", "users=root",
        )  # fmt: skip
        code, out, _ = command("site", "snapshot", "slurm", "-o", tmp_path / "here")
    assert code == 0
    # without a database there are neither QOS nor shares
    assert "failed  sacctmgr -P show qos" in out
    made = configured_site(tmp_path / "here")
    assert [one for one in made.findings if one.kind == "unknown"] == []
    site = made.site
    assert (site.name, site.size) == ("here", NODES * CPUS)
    assert [(one.name, one.max_walltime) for one in site.partitions] == [("batch", 3600.0)]
    assert [one.name for one in site.reservations] == ["later"]
    assert site.slurm is not None
    assert (site.slurm.version, site.slurm.sched_interval) == (version, 2)
