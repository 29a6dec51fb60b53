import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.pred_aware.command import Command
from tests.pred_aware.production.jobs import ended
from tests.pred_aware.production.pbs_programs import PbsPrograms
from tests.pred_aware.production.serving import Answers, Serving
from tests.pred_aware.production.test_service import told_ended

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can look at hooks")


@pytest.fixture(scope="module")
def serving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with Serving(tmp_path_factory.mktemp("serving")) as made:
        made.ask(told_ended(ended("1")))
        yield made


@pytest.fixture
def pbs(serving: Serving, monkeypatch: pytest.MonkeyPatch) -> Iterator[PbsPrograms]:
    # not in the folder of the tests, into which nobody else may look
    with TemporaryDirectory(prefix="pbs-") as folder:
        made = PbsPrograms(Path(folder), serving.socket)
        Path(folder).chmod(0o755)
        monkeypatch.setenv("PBS_CONF_FILE", str(made.configuration))
        yield made


@pytest.mark.usefixtures("pbs")
def test_all_is_well(command: Command) -> None:
    told = command("pbs-check", "--user", "nobody")
    assert (told.code, told.err) == (0, "")
    states, subjects = zip(*(line.split()[:2] for line in told.out.splitlines()[:-2]), strict=True)
    assert set(states) == {"ok"}
    assert subjects == (
        *("hook:", "enabled:", "events:", "alarm:", "version:", "settings:", "service:"),
        *("accounting:", "strict_ordering:", "backfill_depth:", "resources:"),
    )
    assert "procs, mppwidth, ngpus, qos, which it lacks, are left out" in told.out


Plant = Callable[[PbsPrograms], object]
FAULTS: dict[str, tuple[Plant, str, str]] = {
    "no server": (
        lambda pbs: pbs.has(down=True), "PBS server: qmgr: failed with", "systemctl start pbs",
    ),
    "no hook": (
        lambda pbs: pbs.has(hook=None), "hook: there is none called pred_aware",
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
        lambda pbs: pbs.has(**{"application/x-python": "import pbs\n"}), "version: not that of",
        "pbs-hook -o x.py && qmgr -c 'import hook pred_aware application/x-python default x.py'",
    ),
    "settings": (lambda pbs: pbs.settings_are(except_users="annabel"),
        "settings: no job gets anything: the setting 'except_users' must be a list of names",
        "qmgr -c 'import hook pred_aware application/x-config default settings.json'"),
    "no such socket": (lambda pbs: pbs.settings_are(socket="/nobody/socket"),
        "service: /nobody/socket: No such file or directory",
        "systemctl restart pred-aware && journalctl -u pred-aware -n 20"),
    "hung up on": (
        lambda pbs: pbs.settings_are(socket=str(Answers(pbs.home, b"").place)),
        "says: the service has hung up", "systemctl restart pred-aware",
    ),
    "server_priv": (
        lambda pbs: pbs.accounting.parent.chmod(0o750), "accounting: nobody can't read",
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


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found_with_the_command_that_mends_it(
    pbs: PbsPrograms, command: Command, fault: str
) -> None:
    plant, words, mends = FAULTS[fault]
    plant(pbs)
    told = command("pbs-check", "--user", "nobody")
    assert (told.code, told.err) == (1, "")
    lines = told.out.splitlines()
    (place,) = (place for place, line in enumerate(lines) if words in line)
    assert lines[place].split()[0] in {"wrong", "absent", "unknown"}
    assert mends in lines[place + 1]
    assert lines[-1].startswith("To be mended: ")


@pytest.mark.parametrize(
    ("plant", "words"),
    [
        (lambda pbs: pbs.settings_are(dry_run=True), "settings: a dry run, which sets nothing"),
        (lambda pbs: pbs.has(**{"application/x-config": ""}), "settings: none, so that the usual"),
        (lambda pbs: pbs.has(server={}), "backfill_depth: not set, so that one"),
    ],
    ids=["dry run", "no settings", "depth not set"],
)
def test_what_is_worth_a_note_is_told(
    pbs: PbsPrograms, command: Command, plant: Plant, words: str
) -> None:
    plant(pbs)
    assert any(
        line.startswith("note ") and words in line
        for line in command("pbs-check", "--user", "nobody").out.splitlines()
    )


@pytest.mark.usefixtures("pbs")
def test_a_user_who_is_not_there_is_told_in_json(command: Command) -> None:
    told = command("pbs-check", "--user", "no-such-user", "--json")
    found = {one["subject"]: one for one in json.loads(told.out)["findings"]}
    assert told.code == 1
    assert found["accounting"]["state"] == "absent"
    assert found["accounting"]["advice"].startswith("systemd-sysusers ")


def test_where_there_is_no_pbs_it_says_so(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBS_CONF_FILE", str(tmp_path / "none"))
    command("pbs-check").assert_refused()
    (tmp_path / "none").write_text("PBS_HOME=/nowhere\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "there is no qmgr here" in command("pbs-check").err
