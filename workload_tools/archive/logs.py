"""The logs of the Parallel Workloads Archive: names, addresses, checksums.

D. G. Feitelson, D. Tsafrir, D. Krakov: "Experience with using the Parallel Workloads Archive",
Journal of Parallel and Distributed Computing 74(10), 2014.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TypeAlias

import msgspec

from workload_tools.archive.tables import TABLES, PublishedTable
from workload_tools.errors import InputError
from workload_tools.strict import read_toml

ARCHIVE = "https://www.cs.huji.ac.il/labs/parallel/workload"
"""The archive's address."""

CITATION = (
    'D. G. Feitelson, D. Tsafrir, D. Krakov: "Experience with using the Parallel Workloads '
    'Archive", Journal of Parallel and Distributed Computing 74(10), 2014'
)
"""The citation that the archive requests for each of its logs."""


class ArchiveError(InputError):
    """A log is unknown or cannot be downloaded."""


@dataclass(frozen=True, slots=True)
class ArchivedLog:
    """A log of the Parallel Workloads Archive."""

    name: str
    """The file name without ``.swf.gz``."""
    folder: str
    """Folder of the log's system in the archive."""
    sha256: str | None = None
    """SHA-256 of the unpacked log, or None if unknown."""

    sha256_of = "unpacked log"
    by_hand = ""

    @property
    def file(self) -> str:
        """Return the file name."""
        return f"{self.name}.swf.gz"

    def address(self, archive: str = ARCHIVE) -> str:
        """Return the URL of the file.

        Examples
        --------
        >>> find("kth").address()
        'https://www.cs.huji.ac.il/labs/parallel/workload/l_kth_sp2/KTH-SP2-1996-2.1-cln.swf.gz'
        """
        return f"{archive.rstrip('/')}/{self.folder}/{self.file}"


class _Catalogue(msgspec.Struct, forbid_unknown_fields=True):
    folders: dict[str, tuple[str, ...]]
    sha256: dict[str, str]


_catalogue = read_toml(Path(__file__).with_suffix(".toml"), _Catalogue)

LOGS: Mapping[str, ArchivedLog] = MappingProxyType(
    {
        name: ArchivedLog(name, folder, _catalogue.sha256.get(name))
        for folder, names in sorted(_catalogue.folders.items())
        for name in names
    }
)
"""The archive's logs by name. Of several versions of a log, only the recommended one is here."""


KnownLog: TypeAlias = ArchivedLog | PublishedTable

KNOWN: Mapping[str, KnownLog] = MappingProxyType({**LOGS, **TABLES})
"""All logs that can be downloaded by name: the archive's logs and the public tables."""


def find(name: str) -> KnownLog:
    """Return a known log by its name, or by a unique part of its name.

    Parameters
    ----------
    name
        For example ``KTH-SP2-1996-2.1-cln`` (with or without ``.swf.gz``), ``kth`` or ``eagle``.

    Raises
    ------
    ArchiveError
        No log has this name, or the names of several logs contain this part.
    """
    wanted = name.casefold().removesuffix(".gz").removesuffix(".swf")
    found = [log for log in KNOWN.values() if wanted and wanted in log.name.casefold()]
    exact = [log for log in found if log.name.casefold() == wanted]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if found:
        raise ArchiveError(name, f"several logs match: {_names(found)}")
    by_key = {log.name.casefold(): log for log in KNOWN.values()}
    close = [by_key[key] for key in difflib.get_close_matches(wanted, by_key, n=3, cutoff=0.4)]
    hint = f"did you mean {_names(close)}? " if close else ""
    raise ArchiveError(name, f"is not a known public log: {hint}--list shows all names")


def _names(logs: list[KnownLog]) -> str:
    return ", ".join(log.name for log in logs)
