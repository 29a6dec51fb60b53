"""The size of the machine, and how sure it is."""

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from pred_aware.inspection.inspection import Inspection
from pred_aware.recorded_queue.answer import MOST_BEYOND
from pred_aware.study.request import Reading

SELDOM = 0.001
"""Of the time: jobs that end and start within a second, and single wrong records, fill a machine
beyond its size for less."""
APART = 1.02
"""A peak nearer to the size than this is the size."""

Source = Literal["--processors", "--platform", "--slurm-conf", "--site", "the log", "a guess"]


@dataclass(frozen=True, slots=True)
class Size:
    """The machine's size."""

    processors: int
    """Numbers of cores and GPUs."""
    source: Source
    """Who says so."""
    overfull: float = 0.0
    """Share of the time in which, by the dates of the log, more were busy."""
    contradicted: bool = False
    """Whether that is so much that the log contradicts the size."""
    options: str = ""
    """Of the command, that tell the size of a machine with such a log; see `options_of`."""

    @property
    def guessed(self) -> bool:
        """Whether nobody says it, so that it is the least that the jobs show."""
        return self.source == "a guess"

    @property
    def sentence(self) -> str:
        """Say who tells the size."""
        if self.guessed:
            return (
                f"The machine has {self.processors:,} processors at least: the log does not tell "
                "its size, and its jobs show so many."
            )
        return f"The machine has {self.processors:,} processors by {self.source}."


_OPTIONS = MappingProxyType(
    {
        "pbs": "--processors, --platform or --site with a snapshot of the PBS",
        "slurm": "--processors, --platform, --slurm-conf or --site with a snapshot of the Slurm",
    }
)


def options_of(log_format: str) -> str:
    """Return the options that tell the size of a machine with such a log.

    Examples
    --------
    >>> options_of("pbs")
    '--processors, --platform or --site with a snapshot of the PBS'
    """
    return _OPTIONS.get(log_format, "--processors, --platform or, of a Slurm, --slurm-conf")


def size_of(asked: Reading, inspection: Inspection, *, log_format: str = "") -> Size:
    """Return the machine's size, and who says so.

    Parameters
    ----------
    asked
        How the log was read.
    inspection
        What it holds.
    log_format
        What it was read as, such as ``pbs``.
    """
    return replace(_size_of(asked, inspection), options=options_of(log_format))


def _size_of(asked: Reading, inspection: Inspection) -> Size:
    load = inspection.load
    told = None if asked.site is None else asked.site.size
    if told is not None:
        # its nodes are what they are, whatever the log's dates say
        return Size(told, "--site", load.overfull)
    # more work than the size allows at all is of wrong waits, and not of another size
    wrong_waits = load.beyond > MOST_BEYOND and not load.looks_like_starts
    beyond = load.peak > APART * load.processors
    contradicted = load.starts_known and load.overfull > SELDOM and beyond and not wrong_waits
    if asked.platform is not None:
        return Size(load.processors, "--platform", load.overfull, contradicted)
    if asked.processors is not None:
        return Size(asked.processors, "--processors", load.overfull, contradicted)
    if load.guessed:
        # a guessed machine size must not reject a job
        largest = int(inspection.columns.processors.max())
        return Size(max(load.processors, largest), "a guess")
    source: Source = "the log" if asked.slurm_conf is None else "--slurm-conf"
    return Size(load.processors, source, load.overfull, contradicted)
