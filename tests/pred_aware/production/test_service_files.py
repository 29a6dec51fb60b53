import grp
import json
import os
import pwd
import re
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pred_aware.production import pbs_hook
from pred_aware.production.installing import INSTALLED_PATHS
from tests.pred_aware.command import Command


def needs(program: str) -> pytest.MarkDecorator:
    return pytest.mark.skipif(shutil.which(program) is None, reason=f"there is no {program} here")


@pytest.fixture
def folder(command: Command, tmp_path: Path) -> Path:
    told = command("service", "files", tmp_path / "files", "--pbs-home", tmp_path / "pbs", "-q")
    assert (told.code, told.out, told.err) == (0, "", "")
    return tmp_path / "files"


def ran(*command: str | Path) -> str:
    """Run a program that looks at a file; return what it complains of."""
    ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    return ended.stderr + ("" if ended.returncode == 0 else f"exit {ended.returncode}")


def test_the_command_prints_the_next_steps_and_overwrites_nothing(
    command: Command, tmp_path: Path
) -> None:
    told = command("service", "files", tmp_path / "a b")
    steps = told.out.splitlines()
    assert f"    cd '{tmp_path}/a b'" in steps
    for name in re.findall(r"install -D -m 644 (\S+)|qmgr < (\S+)", told.out):
        assert (tmp_path / "a b" / "".join(name)).is_file()
    command("service", "files", tmp_path / "a b").assert_refused(
        "exists already; give another folder"
    )
    (tmp_path / "a b" / "settings.json").unlink()
    assert command("service", "files", tmp_path / "a b").code == 2
    assert not (tmp_path / "a b" / "settings.json").exists()


def test_on_a_slurm_host_the_unit_is_for_slurm(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (conf := tmp_path / "slurm.conf").write_text("ClusterName=c\nSlurmUser = nobody\n")
    monkeypatch.setenv("SLURM_CONF", str(conf))
    monkeypatch.setenv("PBS_CONF_FILE", str(tmp_path / "none"))
    told = command("service", "files", tmp_path / "files")
    assert told.code == 0, told.err
    texts = {path.name: path.read_text() for path in (tmp_path / "files").iterdir()}
    assert texts.keys() == {
        "pred-aware.service", "pred-aware.env", "pred-aware.sysusers.conf", "job_submit.lua",
    }  # fmt: skip
    group = grp.getgrgid(pwd.getpwnam("nobody").pw_gid).gr_name
    unit = texts["pred-aware.service"]
    for what in ("--sacct ${SACCT}", "--group ${GROUP}", f"SupplementaryGroups={group}", "AF_INET"):
        assert what in unit, what
    for what in ("PrivateNetwork", "pbs", "ACCOUNTING"):
        assert what not in unit, what
    assert f"SLURM_CONF={conf}" in texts["pred-aware.env"].splitlines()
    assert not re.search(r"@[A-Z_]+@", "".join(texts.values()) + told.out)
    for name in re.findall(r"install -D -m 644 (\S+)", told.out):
        assert name in texts, name
    for word in ("qmgr", "tmpfiles", "time_min", "TimeLimit"):
        assert word not in told.out, word
    conf.write_text("SlurmUser=no_such_user\n")
    command("service", "files", tmp_path / "other").assert_refused("SlurmUser=no_such_user")
    assert command("service", "files", tmp_path / "pbs", "--system", "pbs").code == 0
    assert (tmp_path / "pbs" / "pred_aware_hook.qmgr").exists()


def test_a_path_that_the_files_cannot_hold_is_refused(command: Command, tmp_path: Path) -> None:
    for home in ("relative", "/with space", "/with%"):
        command("service", "files", tmp_path / "files", "--pbs-home", home).assert_refused()
        assert not (tmp_path / "files").exists(), home


def test_the_hook_accepts_its_settings_and_pbs_check_knows_it(folder: Path) -> None:
    settings = (folder / "settings.json").read_text()
    assert pbs_hook.read_settings(settings) == {**pbs_hook.SETTINGS, "dry_run": True}
    assert pbs_hook.SETTINGS.keys() <= json.loads(settings).keys()
    assert (folder / "pred_aware_hook.py").read_bytes() == Path(pbs_hook.__file__).read_bytes()
    imported = re.findall(
        r"^import .* (\S+)$", (folder / "pred_aware_hook.qmgr").read_text(), re.MULTILINE
    )
    assert all((folder / name).is_file() for name in imported)


def test_every_setting_of_the_unit_has_a_value(folder: Path) -> None:
    unit, told = ((folder / f"pred-aware.{kind}").read_text() for kind in ("service", "env"))
    wanted = set(re.findall(r"\$\{?([A-Z]+)", unit)) - {"MAINPID"}
    assert wanted == set(re.findall(r"^([A-Z]+)=", told, re.MULTILINE))
    texts = [path.read_text() for path in folder.iterdir() if path.suffix != ".py"]
    assert not re.search(r"@[A-Z_]+@", "".join(texts))


@needs("systemd-analyze")
def test_systemd_accepts_the_unit(folder: Path) -> None:
    assert ran("systemd-analyze", "verify", folder / "pred-aware.service") == ""


@needs("systemd-sysusers")
def test_systemd_creates_the_user(folder: Path, tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "etc").mkdir(parents=True)
    made = root / INSTALLED_PATHS["pred-aware.sysusers.conf"].lstrip("/")
    made.parent.mkdir()
    shutil.copy(folder / "pred-aware.sysusers.conf", made)
    assert "exit" not in ran("systemd-sysusers", f"--root={root}")
    assert re.search(r"^pred-aware:x:", (root / "etc" / "passwd").read_text(), re.MULTILINE)


@needs("systemd-tmpfiles")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can read files as somebody else")
def test_the_service_can_read_present_and_future_accounting_files(command: Command) -> None:
    nobody = pwd.getpwnam("nobody")
    with TemporaryDirectory(prefix="pbs-") as name:
        (private := Path(name) / "home" / "server_priv").mkdir(parents=True)
        (accounting := private / "accounting").mkdir()
        (accounting / "20240301").touch(0o640)
        Path(name).chmod(0o755)
        private.chmod(0o750)
        command("service", "files", Path(name) / "files", "--pbs-home", Path(name) / "home", "-q")
        rights = Path(name) / "files" / "pred-aware.tmpfiles.conf"
        # an existing user instead of the one that the installation creates
        rights.write_text(rights.read_text().replace("u:pred-aware:", "u:nobody:"))
        told = ran("systemd-tmpfiles", "--create", rights)
        if "not supported" in told:
            pytest.skip("the file system has no access control lists")
        (accounting / "20240302").touch(0o640)
        for day in ("20240301", "20240302"):
            reading = subprocess.run(  # noqa: S603 - our own file
                ["/bin/cat", accounting / day], user=nobody.pw_uid, group=nobody.pw_gid,
                extra_groups=[], check=False,
            )  # fmt: skip
            assert reading.returncode == 0
