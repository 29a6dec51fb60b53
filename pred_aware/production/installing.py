"""The files with which the service and the hook are installed beside a PBS server."""

import shlex
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from pred_aware.errors import PredAwareError
from pred_aware.production import pbs_hook
from workload_tools.files import WholeFiles

_TEMPLATES = Path(__file__).parent / "service_files"

INSTALLED_PATHS: Mapping[str, str] = MappingProxyType(
    {
        "pred-aware.sysusers.conf": "/etc/sysusers.d/pred-aware.conf",
        "pred-aware.tmpfiles.conf": "/etc/tmpfiles.d/pred-aware.conf",
        "pred-aware.env": "/etc/pred-aware/pred-aware.env",
        "pred-aware.service": "/etc/systemd/system/pred-aware.service",
    }
)
"""Where the service's files belong."""

HIDDEN = ("/home", "/root", "/run/user")
"""What the unit's ``ProtectHome`` keeps from the service."""


def write_service_files(folder: Path, *, program: Path, pbs_home: Path) -> list[str]:
    """Write the files, all or none, and return their names.

    Parameters
    ----------
    folder
        Where; it is made if need be.
    program
        The command `pred-aware` that the service is to run.
    pbs_home
        The ``PBS_HOME`` of the server.

    Raises
    ------
    PredAwareError
        One is there already, the folder can't be made, or a path can't stand in these files.
    InputError
        One can't be written.
    """
    for path in (program, pbs_home):
        if not path.is_absolute() or any(sign in " \t\n\"'\\%$" for sign in str(path)):
            raise PredAwareError(f"{path}: must be a whole path without spaces and quotes")
    texts = {path.name: path.read_text(encoding="utf-8") for path in _TEMPLATES.iterdir()}
    texts["pred_aware_hook.py"] = Path(pbs_hook.__file__).read_text(encoding="utf-8")
    for name in texts:
        if (folder / name).exists():
            raise PredAwareError(f"{folder / name}: is there already; name another folder")
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise PredAwareError(f"{folder}: can't be made: {error.strerror}") from error
    with WholeFiles() as files:
        for name, text in texts.items():
            filled = text.replace("@PROGRAM@", str(program)).replace("@PBS_HOME@", str(pbs_home))
            files.text(folder / name).write(filled)
    return sorted(texts)


def next_steps(folder: Path, program: Path) -> list[str]:
    """Return what is to be typed when the files are written, by root on the server."""
    return [
        f"cd {shlex.quote(str(folder))}",
        *(f"install -D -m 644 {name} {place}" for name, place in INSTALLED_PATHS.items()),
        "systemd-sysusers",
        "systemd-tmpfiles --create /etc/tmpfiles.d/pred-aware.conf",
        "systemctl daemon-reload && systemctl enable --now pred-aware",
        "qmgr < pred_aware_hook.qmgr",
        f"{program} pbs-check",
    ]
