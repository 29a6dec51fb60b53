import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.pred_aware.command import Command
from tests.pred_aware.production.pbs_programs import PbsPrograms
from tests.pred_aware.production.serving import Answers, Serving

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can read hooks")


@pytest.fixture
def pbs(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> Iterator[PbsPrograms]:
    # not in the folder of the tests, which other users cannot read
    with TemporaryDirectory(prefix="pbs-") as folder:
        made = PbsPrograms(Path(folder), serving.socket)
        Path(folder).chmod(0o755)
        monkeypatch.setenv("PBS_CONF_FILE", str(made.configuration))
        yield made


@pytest.mark.usefixtures("pbs")
def test_a_correct_installation_passes_every_check(command: Command) -> None:
    told = command("service", "pbs-check", "--user", "nobody")
    assert (told.code, told.err) == (0, "")
    states, subjects = zip(*(line.split()[:2] for line in told.out.splitlines()[:-2]), strict=True)
    assert set(states) == {"ok"}
    assert subjects == (
        *("hook:", "enabled:", "events:", "alarm:", "version:", "settings:", "service:"),
        *("accounting:", "strict_ordering:", "backfill_depth:", "resources:"),
    )
    assert "omits resources that the server lacks: procs, mppwidth, ngpus, qos" in told.out


Plant = Callable[[PbsPrograms], object]
FAULTS: dict[str, tuple[Plant, str, str]] = {
    "no server": (
        lambda pbs: pbs.has(down=True), "PBS server: qmgr: failed with", "systemctl start pbs",
    ),
    "no hook": (
        lambda pbs: pbs.has(hook=None), "hook: no hook is called pred_aware",
        "qmgr < pred_aware_hook.qmgr",
    ),
    "disabled": (
        lambda pbs: pbs.hook_has(enabled="false"), "enabled: false",
        "qmgr -c 'set hook pred_aware enabled = True'",
    ),
    "one event": (
        lambda pbs: pbs.hook_has(event="queuejob"), "events: queuejob",
        "qmgr -c 'set hook pred_aware event = \"queuejob,modifyjob\"'",
    ),
    "alarm": (
        lambda pbs: pbs.hook_has(alarm="600"), "alarm: 600 s",
        "qmgr -c 'set hook pred_aware alarm = 5'",
    ),
    "old hook": (
        lambda pbs: pbs.has(**{"application/x-python": "import pbs\n"}), "version: differs from",
        "pbs-hook -o x.py && qmgr -c 'import hook pred_aware application/x-python default x.py'",
    ),
    "settings": (lambda pbs: pbs.settings_are(except_users="annabel"),
        "settings: no job gets a soft walltime: the setting 'except_users' must be a list",
        "qmgr -c 'import hook pred_aware application/x-config default settings.json'"),
    "no such socket": (lambda pbs: pbs.settings_are(socket="/nobody/socket"),
        "service: /nobody/socket: No such file or directory",
        "systemctl restart pred-aware && journalctl -u pred-aware -n 20"),
    "hung up on": (
        lambda pbs: pbs.settings_are(socket=str(Answers(pbs.home, b"").place)),
        "says: the service closed the connection", "systemctl restart pred-aware",
    ),
    "server_priv": (
        lambda pbs: pbs.accounting.parent.chmod(0o750), "accounting: nobody cannot read",
        "setfacl -m u:nobody:x ",
    ),
    "accounting file": (
        lambda pbs: (pbs.accounting / "20240301").chmod(0o600), "/20240301: Permission denied",
        "setfacl -R -m u:nobody:rX,d:u:nobody:rX ",
    ),
    "no plan": (lambda pbs: pbs.sched_config.write_text("strict_ordering: false\tALL\n"),
        "strict_ordering: not true at all times",
        "sed -i 's/^strict_ordering:.*/strict_ordering: true ALL/' "),
    "half a plan": (
        lambda pbs: pbs.sched_config.write_text("strict_ordering: true\tprime\n"),
        "strict_ordering: not true at all times", "pkill -HUP -x pbs_sched",
    ),
    "not a word of it": (
        lambda pbs: pbs.sched_config.write_text("by_queue: True\tprime\n"),
        "strict_ordering: not true at all times", "echo 'strict_ordering: true ALL' >> ",
    ),
    "no scheduler here": (
        lambda pbs: pbs.sched_config.unlink(), "unknown strict_ordering: ", "strict_ordering: true",
    ),
    "no depth": (
        lambda pbs: pbs.has(server={"backfill_depth": "0"}), "backfill_depth: 0",
        "qmgr -c 'set server backfill_depth = 5'",
    ),
    "no soft walltimes": (
        lambda pbs: pbs.has(resources=["walltime", "procs"]),
        "resources: the server has no soft_walltime", "need OpenPBS",
    ),
}  # fmt: skip


AT_ONCE = (
    ("disabled", "one event", "alarm", "old hook", "settings", "server_priv", "no plan", "no depth",
     "no soft walltimes"),
    ("no such socket", "accounting file", "half a plan"),
    ("hung up on", "not a word of it"),
    ("no hook", "no scheduler here"),
    ("no server",),
)  # fmt: skip
"""Faults that do not hide each other."""


@pytest.mark.parametrize("faults", AT_ONCE, ids=lambda faults: faults[0])
def test_each_injected_fault_is_found_with_the_command_that_fixes_it(
    pbs: PbsPrograms, command: Command, faults: tuple[str, ...]
) -> None:
    for fault in faults:
        FAULTS[fault][0](pbs)
    told = command("service", "pbs-check", "--user", "nobody")
    assert (told.code, told.err) == (1, "")
    lines = told.out.splitlines()
    for fault in faults:
        _, words, mends = FAULTS[fault]
        places = [place for place, line in enumerate(lines) if words in line]
        assert len(places) == 1, fault
        assert lines[places[0]].split()[0] in {"wrong", "absent", "unknown"}, fault
        assert mends in lines[places[0] + 1], fault
    assert lines[-1].startswith("Needs repair: ")


def test_every_kind_of_finding_has_an_injected_fault() -> None:
    assert sorted(fault for faults in AT_ONCE for fault in faults) == sorted(FAULTS)


def test_notes_are_reported(pbs: PbsPrograms, command: Command) -> None:
    pbs.settings_are(dry_run=True)
    pbs.has(server={})
    notes = command("service", "pbs-check", "--user", "nobody").out
    pbs.has(**{"application/x-config": ""})
    notes += command("service", "pbs-check", "--user", "nobody").out
    found = [line for line in notes.splitlines() if line.startswith("note ")]
    for words in (
        "settings: dry run: no job gets", "settings: none; the defaults",
        "backfill_depth: not set; only one",
    ):  # fmt: skip
        assert any(words in line for line in found), words


@pytest.mark.usefixtures("pbs")
def test_a_missing_user_is_reported_in_json(command: Command) -> None:
    told = command("service", "pbs-check", "--user", "no-such-user", "--json")
    found = {one["subject"]: one for one in json.loads(told.out)["findings"]}
    assert told.code == 1
    assert found["accounting"]["state"] == "absent"
    assert found["accounting"]["advice"].startswith("systemd-sysusers ")


def test_without_pbs_the_check_says_so(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBS_CONF_FILE", str(tmp_path / "none"))
    command("service", "pbs-check").assert_refused()
    (tmp_path / "none").write_text("PBS_HOME=/nowhere\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "qmgr is missing" in command("service", "pbs-check").err
