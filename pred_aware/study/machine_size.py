"""The size of the machine, and how sure it is."""

from dataclasses import dataclass
from typing import Literal

from pred_aware.inspection.inspection import Inspection
from pred_aware.recorded_queue.trust import MOST_BEYOND
from pred_aware.study.request import Reading

SELDOM = 0.001
"""Of the time: jobs that end and start within a second, and single wrong records, fill a machine
beyond its size for less."""
APART = 1.02
"""A peak nearer to the size than this is the size."""

OPTIONS = "--processors, --platform, --slurm-conf, or --site with a snapshot of the batch system"
"""What tells the size."""

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


def size_of(asked: Reading, inspection: Inspection) -> Size:
    """Return the machine's size, and who says so.

    Parameters
    ----------
    asked
        How the log was read.
    inspection
        What it holds.
    """
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
