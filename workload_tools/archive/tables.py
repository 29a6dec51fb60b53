"""Public logs that are tables, from the catalogue `tables.toml`."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from workload_tools.strict import read_toml


class PublishedTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A public log that is a table."""

    name: str
    """Name of the log in commands."""
    file: str
    """Name of the downloaded file."""
    map: str
    """Name of the shipped column map that reads the table."""
    page: str
    """URL of the publisher's description."""
    licence: str
    """Name of the table's licence."""
    at: str | None = None
    """The file's URL; None if the download needs a browser."""
    size: int | None = None
    """Size in bytes; None if unknown."""
    sha256: str | None = None
    """SHA-256 of the file as downloaded; None if unknown."""
    by_hand: str = ""
    """Instructions to download the file by hand, if the download needs a browser."""
    unpack: bool = False
    """True if the file is a ZIP of several tables."""

    @property
    def sha256_of(self) -> str:
        """Return the word for the content that `sha256` covers, for messages."""
        return "file"

    def address(self, archive: str = "") -> str:
        """Return the URL of the file; empty if the download needs a browser."""
        return self.at or ""


class _Catalogue(msgspec.Struct, forbid_unknown_fields=True):
    table: tuple[PublishedTable, ...]
    fugaku: dict[str, dict[str, Any]]
    alcf: dict[str, dict[str, Any]]


_ALCF = "https://reports.alcf.anl.gov/data"
_FUGAKU = "https://zenodo.org/records/11467483"


def _fugaku(month: str, known: Mapping[str, Any]) -> PublishedTable:
    """Return one month of F-DATA, the public log of Fugaku."""
    return PublishedTable(
        name=f"fugaku-{month}",
        file=f"{month}.parquet",
        map="fugaku",
        page=_FUGAKU,
        licence="CC-BY-4.0",
        at=f"{_FUGAKU}/files/{month}.parquet",
        **known,
    )


def _alcf(name: str, known: Mapping[str, Any]) -> PublishedTable:
    """Return a file of ALCF, whose web site asks for a name and an email address."""
    machine = name.partition("_")[0].lower()
    return PublishedTable(
        name=f"ANL-ALCF-DJC-{name}",
        file=f"ANL-ALCF-DJC-{name}.csv.gz",
        map="alcf",
        page=_ALCF,
        licence="none is stated; cite ALCF",
        by_hand="ALCF asks for a name and an email address, once: open "
        f"{_ALCF}/{machine}.html in a browser and click the file under "
        "DIM_JOB_COMPOSITE",
        **known,
    )


def _tables() -> list[PublishedTable]:
    catalogue = read_toml(Path(__file__).with_suffix(".toml"), _Catalogue)
    fugaku = [_fugaku(month, known) for month, known in catalogue.fugaku.items()]
    return [*catalogue.table, *fugaku, *(_alcf(*one) for one in catalogue.alcf.items())]


TABLES: Mapping[str, PublishedTable] = MappingProxyType({one.name: one for one in _tables()})
"""The public tables by name."""
