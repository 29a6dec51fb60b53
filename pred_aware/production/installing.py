"""The files that install the service, with PBS and its hook, or with Slurm."""

import grp
import pwd
import shlex
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import ClassVar

from pred_aware.errors import PredAwareError
from pred_aware.production import pbs_hook
from workload_tools.files import WholeFiles
from workload_tools.slurm.conf import read_conf_file

_TEMPLATES = Path(__file__).parent / "service_files"

INSTALLED_PATHS: Mapping[str, str] = MappingProxyType(
    {
        "pred-aware.sysusers.conf": "/etc/sysusers.d/pred-aware.conf",
        "pred-aware.tmpfiles.conf": "/etc/tmpfiles.d/pred-aware.conf",
        "pred-aware.env": "/etc/pred-aware/pred-aware.env",
        "pred-aware.service": "/etc/systemd/system/pred-aware.service",
    }
)
"""Installed paths of the service's files."""

HIDDEN = ("/home", "/root", "/run/user")
"""Folders that the unit's ``ProtectHome`` hides from the service."""


_SLURM_CONF = ("/etc/slurm/slurm.conf", "/etc/slurm-llnl/slurm.conf", "/run/slurm/conf/slurm.conf")


@dataclass(frozen=True, slots=True)
class PbsHost:
    """A PBS server, and the values of its paths in the installed files."""

    home: Path
    """The server's ``PBS_HOME``."""

    @property
    def paths(self) -> dict[str, Path]:
        """Paths by placeholder."""
        return {"@PBS_HOME@": self.home}

    words: ClassVar[dict[str, str]] = {}
    folder: ClassVar[str] = "pbs"
    steps: ClassVar[tuple[str, ...]] = (
        "systemd-tmpfiles --create /etc/tmpfiles.d/pred-aware.conf",
        "systemctl daemon-reload && systemctl enable --now pred-aware",
        "qmgr < pred_aware_hook.qmgr",
        "@PROGRAM@ service pbs-check",
    )


@dataclass(frozen=True, slots=True)
class SlurmHost:
    """A machine with Slurm's commands, and the values of its paths in the installed files."""

    conf: Path
    """Path of slurm.conf."""
    sacct: Path

    @property
    def paths(self) -> dict[str, Path]:
        """Paths by placeholder."""
        return {"@SLURM_CONF@": self.conf, "@SACCT@": self.sacct}

    @property
    def words(self) -> dict[str, str]:
        """Other values by placeholder: the group of SlurmUser."""
        settings = read_conf_file(self.conf).settings
        names = [one.settings["slurmuser"] for one in settings if "slurmuser" in one.settings]
        name = names[-1] if names else "root"
        try:
            return {"@GROUP@": grp.getgrgid(pwd.getpwnam(name).pw_gid).gr_name}
        except KeyError:
            raise PredAwareError(
                f"{self.conf}: SlurmUser={name} is unknown here; run this on the controller"
            ) from None

    folder: ClassVar[str] = "slurm"
    steps: ClassVar[tuple[str, ...]] = (
        "systemctl daemon-reload && systemctl enable --now pred-aware",
        "@PROGRAM@ service health /run/pred-aware/socket --no-failure",
        "# job_submit.lua: see docs/how-to/production-slurm.md",
        "# only if PrivateData of slurmdbd.conf hides jobs: let the service see all users' jobs",
        "sacctmgr add user pred-aware account=root",
        "sacctmgr modify user pred-aware set adminlevel=Operator",
    )


def slurm_host(environment: Mapping[str, str]) -> SlurmHost | None:
    """Return Slurm's paths on this machine; ``None`` without a slurm.conf."""
    places = (environment.get("SLURM_CONF") or "", *_SLURM_CONF)
    conf = next((Path(one).absolute() for one in places if one and Path(one).is_file()), None)
    if conf is None:
        return None
    return SlurmHost(conf, Path(shutil.which("sacct") or "/usr/bin/sacct"))


def write_service_files(folder: Path, host: PbsHost | SlurmHost, *, program: Path) -> list[str]:
    """Write the files, all or none, and return their names.

    Parameters
    ----------
    folder
        The folder; it is created if missing.
    host
        The batch system.
    program
        The command `pred-aware` for the service.

    Raises
    ------
    PredAwareError
        A file exists already, the folder cannot be created, or a path contains characters that
        these files cannot have.
    InputError
        A file cannot be written.
    """
    paths = {"@PROGRAM@": program, **host.paths}
    for path in paths.values():
        if not path.is_absolute() or any(sign in " \t\n\"'\\%$" for sign in str(path)):
            raise PredAwareError(f"{path}: must be an absolute path without spaces and quotes")
    texts = {path.name: path.read_text(encoding="utf-8") for path in _templates(host)}
    if isinstance(host, PbsHost):
        texts["pred_aware_hook.py"] = Path(pbs_hook.__file__).read_text(encoding="utf-8")
    for name in texts:
        if (folder / name).exists():
            raise PredAwareError(f"{folder / name}: exists already; give another folder")
    words = {**{name: str(path) for name, path in paths.items()}, **host.words}
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise PredAwareError(f"{folder}: cannot be created: {error.strerror}") from error
    with WholeFiles() as files:
        for name, text in texts.items():
            filled = text
            for placeholder, word in words.items():
                filled = filled.replace(placeholder, word)
            files.text(folder / name).write(filled)
    return sorted(texts)


def _templates(host: PbsHost | SlurmHost) -> list[Path]:
    """Return the template files of a batch system, and those common to all."""
    found = [*_TEMPLATES.iterdir(), *(_TEMPLATES / host.folder).iterdir()]
    return [path for path in found if path.is_file()]


def next_steps(folder: Path, host: PbsHost | SlurmHost, program: Path) -> list[str]:
    """Return the commands to enter after writing the files, as root on the server."""
    written = {path.name: path for path in _templates(host)}
    installed = (written[name] for name in INSTALLED_PATHS if name in written)
    return [
        f"cd {shlex.quote(str(folder))}",
        *(f"install -D -m 644 {one.name} {INSTALLED_PATHS[one.name]}" for one in installed),
        "systemd-sysusers",
        *(step.replace("@PROGRAM@", str(program)) for step in host.steps),
    ]
