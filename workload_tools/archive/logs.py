"""The logs of the Parallel Workloads Archive: names, addresses, checksums.

D. G. Feitelson, D. Tsafrir, D. Krakov: "Experience with using the Parallel Workloads Archive",
Journal of Parallel and Distributed Computing 74(10), 2014.
"""

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from workload_tools.archive.tables import TABLES, PublishedTable
from workload_tools.errors import InputError

ARCHIVE = "https://www.cs.huji.ac.il/labs/parallel/workload"
"""The archive's address."""

CITATION = (
    'D. G. Feitelson, D. Tsafrir, D. Krakov: "Experience with using the Parallel Workloads '
    'Archive", Journal of Parallel and Distributed Computing 74(10), 2014'
)
"""What the archive asks to be cited for any of its logs."""


class ArchiveError(InputError):
    """A log that the archive does not have, or that can't be had from it."""


@dataclass(frozen=True, slots=True)
class ArchivedLog:
    """A log of the archive."""

    name: str
    """The file's name without ``.swf.gz``."""
    folder: str
    """The folder of its system."""
    sha256: str | None = None
    """Of the unpacked log, as far as one was at hand."""

    sha256_of = "unpacked log"
    by_hand = ""

    @property
    def file(self) -> str:
        """The file's name."""
        return f"{self.name}.swf.gz"

    def address(self, archive: str = ARCHIVE) -> str:
        """Return where the file is.

        Examples
        --------
        >>> find("kth").address()
        'https://www.cs.huji.ac.il/labs/parallel/workload/l_kth_sp2/KTH-SP2-1996-2.1-cln.swf.gz'
        """
        return f"{archive.rstrip('/')}/{self.folder}/{self.file}"


_FOLDERS = {
    "l_nasa_ipsc": ("NASA-iPSC-1993-3.1-cln",),
    "l_lanl_cm5": ("LANL-CM5-1994-4.1-cln",),
    "l_sdsc_par": ("SDSC-Par-1995-3.1-cln", "SDSC-Par-1996-3.1-cln"),
    "l_ctc_sp2": ("CTC-SP2-1995-2", "CTC-SP2-1996-3.1-cln"),
    "l_llnl_t3d": ("LLNL-T3D-1996-2",),
    "l_kth_sp2": ("KTH-SP2-1996-2.1-cln",),
    "l_sdsc_sp2": ("SDSC-SP2-1998-4.2-cln",),
    "l_lanl_o2k": ("LANL-O2K-1999-2",),
    "l_osc": ("OSC-Clust-2000-3.1-cln",),
    "l_sdsc_blue": ("SDSC-BLUE-2000-4.2-cln",),
    "l_sandia_ross": ("Sandia-Ross-2001-1.1-cln",),
    "l_hpc2n": ("HPC2N-2002-2.2-cln",),
    "l_das2": tuple(f"DAS2-fs{number}-2003-1" for number in range(5)),
    "l_sdsc_ds": ("SDSC-DS-2004-2.1-cln",),
    "l_lpc": ("LPC-EGEE-2004-1.2-cln",),
    "l_lcg": ("LCG-2005-1",),
    "l_sharcnet": ("SHARCNET-2005-2", "SHARCNET-Whale-2006-2"),
    "l_llnl_ubgl": ("LLNL-uBGL-2006-2",),
    "l_llnl_atlas": ("LLNL-Atlas-2006-2.1-cln",),
    "l_llnl_thunder": ("LLNL-Thunder-2007-1.1-cln",),
    "l_anl_int": ("ANL-Intrepid-2009-1",),
    "l_metacentrum": ("METACENTRUM-2009-2",),
    "l_pik_iplex": ("PIK-IPLEX-2009-1",),
    "l_ricc": ("RICC-2010-2",),
    "l_cea_curie": ("CEA-Curie-2011-2.1-cln",),
    "l_intel_netbatch": tuple(f"Intel-Netbatch{letter}-2012-1" for letter in "ABCD"),
    "l_unilu_gaia": ("UniLu-Gaia-2014-1", "UniLu-Gaia-2014-2"),
    "l_metacentrum2": ("METACENTRUM-2013-3",),
    "l_ciemat_euler": ("CIEMAT-Euler-2008-1",),
    "l_kit_fh2": ("KIT-FH2-2016-1",),
}
_SHA256 = {
    "ANL-Intrepid-2009-1": "14e9be4f9ce1913f3240e2494ca83f3224a082e7cd44a9eef3071f583ac4e5a6",
    "CEA-Curie-2011-2.1-cln": "b732a04aea71e2f154c8feee580be549d0bba1462bc91ec581944cb3dd6d442d",
    "HPC2N-2002-2.2-cln": "77b8993c73ae438385f6c0015708251f52dc316267b03ac19a406fbea2802afa",
    "KTH-SP2-1996-2.1-cln": "fba36494c4e4257f72182e8b629ebb0bcb054b3b82851ef957445bd627adcc87",
    "SDSC-DS-2004-2.1-cln": "76814a412fa415e68ffb8cc0ae801c870988e5577e60275588050332f6b1e690",
    "UniLu-Gaia-2014-1": "e4587af1ae104f023b49b7f6adcd1c5c1d3be42551848f71962dd2c1d49a78c0",
}

LOGS: Mapping[str, ArchivedLog] = MappingProxyType(
    {
        name: ArchivedLog(name, folder, _SHA256.get(name))
        for folder, names in sorted(_FOLDERS.items())
        for name in names
    }
)
"""The archive's logs by name; of those with several versions the one that it recommends."""


KnownLog: TypeAlias = ArchivedLog | PublishedTable

KNOWN: Mapping[str, KnownLog] = MappingProxyType({**LOGS, **TABLES})
"""What can be fetched by name: the archive's logs, and the public tables."""


def find(name: str) -> KnownLog:
    """Return a log by its name, or by a part of it that no other has.

    Parameters
    ----------
    name
        Such as ``KTH-SP2-1996-2.1-cln``, also with ``.swf.gz``, or ``kth``; or ``eagle``.

    Raises
    ------
    ArchiveError
        No log has this name, or several have this part.
    """
    wanted = name.casefold().removesuffix(".gz").removesuffix(".swf")
    found = [log for log in KNOWN.values() if wanted and wanted in log.name.casefold()]
    exact = [log for log in found if log.name.casefold() == wanted]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if found:
        raise ArchiveError(name, f"several logs are called so: {_names(found)}")
    by_key = {log.name.casefold(): log for log in KNOWN.values()}
    close = [by_key[key] for key in difflib.get_close_matches(wanted, by_key, n=3, cutoff=0.4)]
    hint = f"did you mean {_names(close)}? " if close else ""
    raise ArchiveError(name, f"no public log that is known here: {hint}see --list")


def _names(logs: list[KnownLog]) -> str:
    return ", ".join(log.name for log in logs)
