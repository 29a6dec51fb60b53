"""Reading of sites from a snapshot folder, a site file, or its content."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from pred_aware.site_configuration.configured import ConfiguredSite, Findings
from schedulers.site.reader import read_site as read_file
from schedulers.site.reader import site_in as site_as_given
from schedulers.site.reader import site_of
from schedulers.site.site import Site, SiteError
from schedulers.site.writer import text_of
from workload_tools.batsim.workload import UNREADABLE
from workload_tools.expected import in_words

SNAPSHOT = "snapshot.json"
"""The record of a snapshot's commands, with dates and errors."""

MOST_CHARACTERS = 1 << 26
"""Largest file of a snapshot, in characters."""

MARKS: Mapping[str, str] = MappingProxyType(
    {
        "config.txt": "=", "nodes.txt": "=", "partitions.txt": "PartitionName=", "qos.txt": "|",
        "associations.txt": "|", "sacctmgr.txt": "|", "sshare.txt": "|",
        "reservations.txt": "eservation", "licenses.txt": "icense", "server.txt": "Server: ",
        "queues.txt": "Queue: ", "qmgr.txt": "set ",
    }
)  # fmt: skip
"""Text that each output contains; an output without it is an error message."""


class Folder:
    """A folder with the output of a batch system's commands.

    Parameters
    ----------
    path
        The folder.

    Raises
    ------
    SiteError
        The path is not a folder.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_dir():
            raise SiteError(f"site {path}: is not a folder with a snapshot of a batch system")
        self.findings = Findings()
        self.record = self._record()
        """The content of `SNAPSHOT`."""

    def text(self, *names: str, lacking: str | None = None) -> tuple[str, str]:
        """Return name and content of the first of some files that exists.

        Parameters
        ----------
        names
            Names of files.
        lacking
            What is unknown without the file; reported if no file exists, with the error of the
            command that should have written it.
        """
        odd: str | None = None
        for name in names:
            self._check(name)
            try:
                with (self.path / name).open(encoding="utf-8", errors="replace") as file:
                    text = file.read(MOST_CHARACTERS + 1)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise SiteError(f"site {self.path / name}: {error.strerror or error}") from error
            if len(text) > MOST_CHARACTERS:
                raise SiteError(
                    f"site {self.path / name}: is larger than {MOST_CHARACTERS >> 20} MiB: "
                    "it is not the output of a command of the batch system"
                )
            if MARKS.get(name, "") in text and text.strip():
                return name, text
            if text.strip():
                odd = name
        if odd is not None:
            effect = lacking or "taken as not there"
            self.findings.add("not read", odd, "is not the output of its command", effect)
        elif lacking is not None:
            why = next((why for name in names if (why := self._failed(name))), "is not there")
            self.findings.add("not read", names[0], why, lacking)
        return names[0], ""

    def _check(self, name: str) -> None:
        """Refuse pipes and devices, whose reading might never end."""
        path = self.path / name
        if path.exists() and not path.is_file():
            raise SiteError(f"site {path}: is not a file")

    def _failed(self, name: str) -> str | None:
        """Return why a file of the snapshot is empty."""
        commands = self.record.get("commands")
        for one in commands if isinstance(commands, list) else ():
            if isinstance(one, dict) and one.get("file") == name and one.get("error"):
                return str(one["error"])
        return None

    def _record(self) -> dict[str, Any]:
        file = self.path / SNAPSHOT
        self._check(SNAPSHOT)
        if not file.exists():
            return {}
        try:
            told = msgspec.json.decode(file.read_bytes())
        except (OSError, *UNREADABLE) as error:
            raise SiteError(f"site {file}: {in_words(error)}") from error
        return told if isinstance(told, dict) else {}

    @property
    def time_zone(self) -> str | None:
        """The machine's time zone, if the snapshot has it."""
        told = self.record.get("time_zone")
        return told if isinstance(told, str) else None


_FILES: dict[str, tuple[str, ...]] = {
    "slurm": ("slurm.conf", "config.txt", "partitions.txt"),
    "pbs": ("server.txt", "queues.txt", "qmgr.txt"),
}


def configured_site(path: str | Path, system: str | None = None) -> ConfiguredSite:
    """Return the site from a folder with a snapshot of a batch system.

    Parameters
    ----------
    path
        The folder that ``pred-aware site snapshot`` has written.
    system
        ``slurm`` or ``pbs``; by default according to the files.

    Raises
    ------
    SiteError
        The folder has no snapshot, or a file has invalid content.
    """
    folder = Folder(path)
    system = system or folder.record.get("system")
    found = _system_of(folder.path, system)
    from pred_aware.site_configuration.pbs.site import pbs_site
    from pred_aware.site_configuration.slurm.site import slurm_site

    try:
        site, scheduler = slurm_site(folder) if found == "slurm" else pbs_site(folder)
        # the same as after writing and reading its file, so that both give the same runs
        site = site_of(tomllib.loads(text_of(site)))
    except SiteError as error:
        raise SiteError(f"site {path}: {error}") from error
    return ConfiguredSite(site, scheduler, folder.findings.told, folder.findings.without_effect)


def _system_of(path: Path, told: str | None) -> str:
    """Return the batch system whose files a folder has, which must be the given one, if any."""
    for system, files in _FILES.items():
        if told in (None, system) and any((path / name).exists() for name in files):
            return system
    files = _FILES.get(told or "", tuple(name for names in _FILES.values() for name in names))
    raise SiteError(
        f"site {path}: has no snapshot files, such as {', '.join(files)}; "
        "`pred-aware site snapshot` creates them"
    )


def read_site(path: str | Path) -> Site:
    """Read a site file, or create the site from a folder with a snapshot.

    Parameters
    ----------
    path
        The file, or the folder.

    Raises
    ------
    SiteError
        The file cannot be read or has invalid content; the message has the file, table and key.

    Examples
    --------
    >>> read_site("nowhere.toml")
    Traceback (most recent call last):
    schedulers.site.site.SiteError: site nowhere.toml: No such file or directory
    """
    return configured_site(path).site if Path(path).is_dir() else read_file(path)


def site_in(given: Any) -> Site:  # noqa: ANN401 - of options
    """Return the site of an option, given as a site, a file, a folder, or the content.

    Raises
    ------
    SiteError
        The option is none of these, or the content is invalid.
    """
    return read_site(given) if isinstance(given, str | Path) else site_as_given(given)


FIRST_SAFE = (25, 5, 4)
"""First version with safe soft limits.

Older versions cut jobs short, or plan running jobs with their hard limits.
"""


def slurm_version(site: "Site | None") -> str:
    """Return the version of a site's Slurm; empty if unknown."""
    slurm = None if site is None else site.slurm
    return "" if slurm is None else slurm.version or ""


def has_soft_limits(version: str) -> bool:
    """Return True if a version of Slurm has safe soft limits.

    Examples
    --------
    >>> has_soft_limits("25.05.4"), has_soft_limits("25.05"), has_soft_limits("")
    (True, False, False)
    """
    return tuple(map(int, re.findall(r"\d+", version)[:3])) >= FIRST_SAFE


def no_safe_way(version: str) -> str:
    """Return a message that a version has no safe soft limits."""
    return (
        f"Slurm {version or 'below 25.05.4'} cannot safely plan with predictions. Slurm from "
        "25.05.4 on can (soft time limits)."
    )
