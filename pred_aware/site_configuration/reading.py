"""Reading of sites from a snapshot folder, a site file, or the content of a site file."""

import re
import tomllib
from pathlib import Path
from typing import Any

from pred_aware.site_configuration.configured import ConfiguredSite
from pred_aware.site_configuration.folder import Folder
from schedulers.site.reader import read_site as read_file
from schedulers.site.reader import site_in as site_as_given
from schedulers.site.reader import site_of
from schedulers.site.site import Site, SiteError
from schedulers.site.writer import text_of

_FILES: dict[str, tuple[str, ...]] = {
    "slurm": ("slurm.conf", "config.txt", "partitions.txt"),
    "pbs": ("server.txt", "queues.txt", "qmgr.txt"),
}


def configured_site(path: str | Path, system: str | None = None) -> ConfiguredSite:
    """Return the site from a folder with a snapshot of a batch system.

    Parameters
    ----------
    path
        A folder as ``pred-aware site snapshot`` writes it.
    system
        ``slurm`` or ``pbs``; by default, the system whose files the folder has.

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
        # write and read the site's text, so that the site's file gives exactly the same runs
        site = site_of(tomllib.loads(text_of(site)))
    except SiteError as error:
        raise SiteError(f"site {path}: {error}") from error
    return ConfiguredSite(site, scheduler, folder.findings.reported, folder.findings.without_effect)


def _system_of(path: Path, given: str | None) -> str:
    """Return the batch system whose files a folder has; the given system must have files there."""
    for system, files in _FILES.items():
        if given in (None, system) and any((path / name).exists() for name in files):
            return system
    files = _FILES.get(given or "", tuple(name for names in _FILES.values() for name in names))
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
        The file cannot be read or has invalid content; the message names the file, table and key.

    Examples
    --------
    >>> read_site("nowhere.toml")
    Traceback (most recent call last):
    schedulers.site.site.SiteError: site nowhere.toml: No such file or directory
    """
    return configured_site(path).site if Path(path).is_dir() else read_file(path)


def site_in(given: Any) -> Site:  # noqa: ANN401 - an option of any type
    """Return the site that an option gives as a site, a file, a folder, or a file's content.

    Raises
    ------
    SiteError
        The option has another type, or the content is invalid.
    """
    return read_site(given) if isinstance(given, str | Path) else site_as_given(given)


FIRST_SAFE = (25, 5, 4)
"""First version of Slurm with safe soft time limits.

Older versions kill jobs too early, or plan running jobs with their hard limits.
"""


def slurm_version(site: "Site | None") -> str:
    """Return the version of a site's Slurm; empty if unknown."""
    slurm = None if site is None else site.slurm
    return "" if slurm is None else slurm.version or ""


def has_soft_limits(version: str) -> bool:
    """Return True if a version of Slurm has safe soft time limits.

    Examples
    --------
    >>> has_soft_limits("25.05.4"), has_soft_limits("25.05"), has_soft_limits("")
    (True, False, False)
    """
    return tuple(map(int, re.findall(r"\d+", version)[:3])) >= FIRST_SAFE


def no_safe_way(version: str) -> str:
    """Return a message that a version of Slurm has no safe soft time limits."""
    return (
        f"Slurm {version or 'below 25.05.4'} cannot safely plan with predictions. From 25.05.4 "
        "on, Slurm can, with soft time limits."
    )
