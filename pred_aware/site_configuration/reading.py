"""Sites read from whatever tells of them: a snapshot's folder, a site's file, its content."""

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
    """Make the site of a folder with a snapshot of a batch system.

    Parameters
    ----------
    path
        The folder, as ``pred-aware site snapshot`` writes it.
    system
        ``slurm`` or ``pbs``; by default as its files look.

    Raises
    ------
    SiteError
        It is no such folder, or a file of it cannot be what it is.
    """
    folder = Folder(path)
    system = system or folder.record.get("system")
    found = _system_of(folder.path, system)
    from pred_aware.site_configuration.pbs.site import pbs_site
    from pred_aware.site_configuration.slurm.site import slurm_site

    try:
        site, scheduler = slurm_site(folder) if found == "slurm" else pbs_site(folder)
        # as its file says it, so that runs of the one are runs of the other
        site = site_of(tomllib.loads(text_of(site)))
    except SiteError as error:
        raise SiteError(f"site {path}: {error}") from error
    return ConfiguredSite(site, scheduler, folder.findings.told, folder.findings.without_effect)


def _system_of(path: Path, told: str | None) -> str:
    """Return the batch system of which a folder has files, if it is the one that is told."""
    for system, files in _FILES.items():
        if told in (None, system) and any((path / name).exists() for name in files):
            return system
    files = _FILES.get(told or "", tuple(name for names in _FILES.values() for name in names))
    raise SiteError(
        f"site {path}: has no file of a snapshot, such as {', '.join(files)}; "
        "`pred-aware site snapshot` takes one"
    )


def read_site(path: str | Path) -> Site:
    """Read a site's file, or make the site of a folder with a snapshot.

    Parameters
    ----------
    path
        The file, or the folder.

    Raises
    ------
    SiteError
        It cannot be read, or what it says cannot be; the message names the file, table and key.

    Examples
    --------
    >>> read_site("nowhere.toml")
    Traceback (most recent call last):
    schedulers.site.site.SiteError: site nowhere.toml: No such file or directory
    """
    return configured_site(path).site if Path(path).is_dir() else read_file(path)


def site_in(given: Any) -> Site:  # noqa: ANN401 - of options
    """Return the site that an option has: as it is, by its file or folder, or by its content.

    Raises
    ------
    SiteError
        It is none of these, or what it says cannot be.
    """
    return read_site(given) if isinstance(given, str | Path) else site_as_given(given)
