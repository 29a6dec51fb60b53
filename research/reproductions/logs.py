"""The logs that claims are tried on: which files they are, and how each is read."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from reproductions.published import published_in

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class PaperLog:
    """A log that claims are tried on."""

    stem: str
    """What its file's name begins with."""
    fetched: str
    """How to get it."""
    options: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)
    """What a campaign's file would say of it, but for the file."""


def _of(stem: str, fetched: str = "", **options: Any) -> PaperLog:  # noqa: ANN401 - as in a file
    return PaperLog(stem, fetched or f"pred-aware log fetch {stem}", MappingProxyType(options))


_SUFFIXES = tuple(f"{name}{gz}" for name in (".swf", ".json", ".txt") for gz in ("", ".gz"))
_SOFTWALL = "by hand from jsspp.org/workload (softwall)"

LOGS: Mapping[str, PaperLog] = MappingProxyType(
    {
        "KTH": _of("KTH-SP2-1996-2"),
        "HPC2N": _of("HPC2N-2002-2"),
        "SDSC-DS": _of("SDSC-DS-2004-2"),
        "Intrepid": _of("ANL-Intrepid-2009-1"),
        "Intrepid, July": _of(
            "ANL-Intrepid-2009-1", **{"from": "2009-07-01", "until": "2009-08-01"}
        ),
        "Intrepid, January to June": _of("ANL-Intrepid-2009-1", until="2009-07-01"),
        "Mira": _of("mira", "github.com/DIR-LAB/lumos, and `pred-aware convert table -o mira.swf`"),
        "Gaia": _of("UniLu-Gaia-2014"),
        "Curie": _of("CEA-Curie-2011-2"),
        "wagap": _of("wagap-2013", "JSSPP's workloads, CERIT-SC 2013"),
        "CERIT, before": _of("CERIT-user-wall", _SOFTWALL, processors=6656),
        "CERIT, since": _of("CERIT-soft-wall", _SOFTWALL, processors=6656),
        "COARE": _of(
            "ASTI-COARE-2018", "ASTI-COARE-2018-cln.swf of github.com/erangvee/slurm_sim_vanilla"
        ),
        "MetaCentrum2": _of("METACENTRUM-2013-3"),
        "Saliksik": _of("DOST-ASTI_COARE-Saliksik-2020", "from its authors, or the archive"),
        "Marconi100": _of(
            "out_jobs_easy_bf",
            "the folder `Experiments` of github.com/davide-leone/runtime-aware-scheduling; its "
            "workload is rebuilt from these outputs",
        ),
        "Marconi100, the table": _of(
            "m100_past_jobs",
            "CINECA's job table (M100 ExaData), and `pred-aware convert m100 TABLE "
            "--state COMPLETED --partition m100_usr_prod --complete -o m100_past_jobs.json`",
        ),
    }
)
"""All of them, by the names that claims use."""


def found_in(places: Iterable[Path]) -> dict[str, Path]:
    """Look for the logs in folders (not in those below) and among files.

    Parameters
    ----------
    places
        Folders and files. A log that is in several is taken from the first, and within a folder the
        last by name, which is the newest version. Of `Marconi100` all outputs have to be there.

    Examples
    --------
    >>> found_in([])
    {}
    """
    looked_at = list(places)
    files = [
        file
        for place in looked_at
        for file in (sorted(place.iterdir(), reverse=True) if place.is_dir() else [place])
        if file.is_file() and file.name.endswith(_SUFFIXES)
    ]
    there = {
        name: next((file for file in files if file.name.startswith(log.stem)), None)
        for name, log in LOGS.items()
    }
    there[REBUILT] = next(iter(published_in(looked_at).values()), None)
    return {name: file for name, file in there.items() if file is not None}


REBUILT = "Marconi100"
"""The log of which the published outputs of runs are there, and not what was simulated."""
