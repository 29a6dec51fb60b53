"""Snapshots of a Slurm that answers, and of one that refuses half of it as the real one does."""

import json
import os
import time
from pathlib import Path

import pytest

from pred_aware.site_configuration import configured_site, snapshot
from tests.pred_aware.command import Command
from tests.pred_aware.site_configuration.stand_in import Refusal, install

RECORDED = Path(__file__).with_name("slurm")
NO_DATABASE = (
    1,
    # the last of its lines tells
    "sacctmgr: error: Sending PersistInit msg: Connection refused",
)
NO_CONTROLLER = (1, "Unable to contact slurm controller (connect failure)")
DENIED = (1, "slurm_load_reservations error: Access/permission denied")


@pytest.fixture
def at_slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLURM_CONF", str(RECORDED / "slurm.conf"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    return tmp_path


def slurm(folder: Path, **refusing: Refusal) -> None:
    told = {name.replace("_", "."): how for name, how in refusing.items()}
    environment = {"SLURM_CONF": str(RECORDED / "slurm.conf")}
    install("slurm", RECORDED, folder / "bin", refusing=told, environment=environment)


def test_a_snapshot_has_slurms_unchanged_output(command: Command, at_slurm: Path) -> None:
    slurm(at_slurm, queue_json=NO_CONTROLLER)
    code, out, _ = command("site", "snapshot", "slurm", "-o", at_slurm / "here")
    assert (code, out.count("ok ")) == (0, 9)
    for path in RECORDED.iterdir():
        assert (at_slurm / "here" / path.name).read_text() == path.read_text()
    record = json.loads((at_slurm / "here/snapshot.json").read_text())
    assert (record["system"], record["complete"], len(record["commands"])) == ("slurm", False, 10)


def test_a_slurm_that_refuses_some_commands_gives_the_rest(
    command: Command, at_slurm: Path
) -> None:
    slurm(
        at_slurm, qos_txt=NO_DATABASE, associations_txt=NO_DATABASE, sshare_txt=NO_DATABASE,
        reservations_txt=DENIED, queue_json=NO_CONTROLLER,
    )  # fmt: skip
    code, out, _ = command("site", "snapshot", "slurm", "-o", at_slurm / "here")
    assert (code, out.count("failed ")) == (0, 5)
    assert "unknown: shares, and limits of users and accounts" in out
    made = configured_site(at_slurm / "here")
    unread = {one.where: one.what for one in made.findings if one.kind == "not read"}
    assert "Connection refused" in unread["qos.txt"]
    assert "permission denied" in unread["reservations.txt"]
    assert (made.site.size, len(made.site.partitions), made.site.qos) == (12, 3, ())
    assert {one.of for one in made.site.limits} == {"licences"}


def test_without_any_answer_nothing_is_written(command: Command, at_slurm: Path) -> None:
    slurm(at_slurm, config_txt=NO_CONTROLLER, partitions_txt=NO_CONTROLLER, nodes_txt=NO_CONTROLLER)
    code, _, err = command("site", "snapshot", "slurm", "-o", at_slurm / "here")
    assert (code, err.count("\n")) == (2, 1)
    assert "Unable to contact slurm controller" in err
    assert [path.name for path in at_slurm.iterdir()] == ["bin"]


def ended(state: Path) -> bool:
    """Say whether a process that was killed has ended, as soon as it has."""
    until = time.monotonic() + 10.0
    while time.monotonic() < until:
        try:
            if state.read_text().split()[2] in "ZX":
                return True
        except OSError:
            return True
    return False


@pytest.mark.parametrize(
    ("script", "why"),
    [
        ("exec /bin/sleep 60", "no answer within 0.5 s"),
        ("/bin/sleep 60 & echo $! > CHILD", "no answer within 0.5 s"),
        ("/bin/sleep 60 >&- 2>&- & echo $! > CHILD; echo '{}'", None),
        ("while :; do echo waits; done", "no answer within 0.5 s"),
        ("exec /bin/cat /dev/zero", "the output is longer than 1 MiB"),
        ("exec /bin/cat /dev/zero >&2", "the output is longer than 1 MiB"),
    ],
)
def test_a_hanging_command_is_ended_with_its_child_processes(
    command: Command, at_slurm: Path, monkeypatch: pytest.MonkeyPatch, script: str, why: str | None
) -> None:
    monkeypatch.setattr(snapshot, "MOST_BYTES", 1 << (20 if "zero" in script else 29))
    slurm(at_slurm)
    child = at_slurm / "child"
    (at_slurm / "bin/squeue").write_text(f"#!/bin/sh\n{script.replace('CHILD', str(child))}\n")
    code, out, _ = command("site", "snapshot", "slurm", "-o", at_slurm / "here", "--timeout", "0.5")
    assert code == 0
    assert ("squeue --json: " in out) is (why is not None)
    assert (why or "ok      squeue") in out
    assert (at_slurm / "here/queue.json").exists() is (why is None)
    if child.exists():
        assert ended(Path("/proc", child.read_text().strip(), "stat"))


@pytest.mark.parametrize(
    ("conf", "why"),
    [("fifo", "no answer within 0.5 s"), ("/dev/zero", "the output is longer than 1 MiB"),
     ("missing", "missing: No such file"), ("bin", "bin: Is a directory")],
)  # fmt: skip
def test_reading_an_endless_file_is_ended(
    command: Command, at_slurm: Path, monkeypatch: pytest.MonkeyPatch, conf: str, why: str
) -> None:
    monkeypatch.setattr(snapshot, "MOST_BYTES", 1 << 20)
    slurm(at_slurm)
    os.mkfifo(at_slurm / "fifo")
    monkeypatch.setenv("SLURM_CONF", str(at_slurm / conf))
    code, out, _ = command("site", "snapshot", "slurm", "-o", at_slurm / "here", "--timeout", "0.5")
    assert (code, why in out) == (0, True), out
    assert not (at_slurm / "here/slurm.conf").exists()


def test_a_snapshot_never_replaces_another(command: Command, at_slurm: Path) -> None:
    slurm(at_slurm)
    (at_slurm / "here").mkdir()
    code, _, err = command("site", "snapshot", "slurm", "-o", at_slurm / "here")
    assert (code, "exists already" in err, [*(at_slurm / "here").iterdir()]) == (2, True, [])


def test_the_commands_can_be_printed_for_another_machine(command: Command) -> None:
    code, out, _ = command("site", "snapshot", "slurm", "--print")
    assert code == 0
    assert "sacctmgr -P show assoc tree > associations.txt" in out.splitlines()
    code, _, err = command("site", "snapshot", "slurm", "-q")
    assert (code, "--print" in err) == (2, True)
