"""Where a PBS server has its files and programs."""

import os
from dataclasses import dataclass
from pathlib import Path

from pred_aware.errors import PredAwareError

CONFIGURATION = "/etc/pbs.conf"
USUAL_HOME = Path("/var/spool/pbs")


@dataclass(frozen=True, slots=True)
class PbsPlaces:
    """Where a PBS server has its files and programs."""

    home: Path = USUAL_HOME
    """Its ``PBS_HOME``."""
    programs: Path | None = None
    """Where its programs are; None where that is not told."""

    @property
    def accounting(self) -> Path:
        """The folder in which it writes of ended jobs."""
        return self.home / "server_priv" / "accounting"


def pbs_places() -> PbsPlaces | None:
    """Read PBS's own configuration, which ``PBS_CONF_FILE`` names if not /etc/pbs.conf.

    Returns
    -------
    PbsPlaces or None
        None where there is no such file: no PBS.

    Raises
    ------
    PredAwareError
        It can't be read.
    """
    path = Path(os.environ.get("PBS_CONF_FILE") or CONFIGURATION)
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise PredAwareError(f"{path}: can't be read: {error.strerror}") from error
    told = dict(line.strip().split("=", 1) for line in lines if "=" in line)
    programs = told.get("PBS_EXEC")
    return PbsPlaces(
        home=Path(told.get("PBS_HOME", USUAL_HOME)),
        programs=Path(programs) / "bin" if programs else None,
    )
