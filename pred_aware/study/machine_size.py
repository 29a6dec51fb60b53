"""The size of the machine and its source."""

from dataclasses import dataclass
from typing import Literal

from pred_aware.inspection.inspection import Inspection
from pred_aware.recorded_queue.trust import MOST_BEYOND
from pred_aware.study.request import Reading

SELDOM = 0.001
"""Rounded dates and single wrong records can make more processors busy than exist, but only for up
to this share of the time."""
APART = 1.02
"""A peak of busy processors up to this multiple of the machine's size is normal."""

OPTIONS = "--processors, --platform, --slurm-conf, or --site with a snapshot of the batch system"
"""The options that give the size."""

Source = Literal["--processors", "--platform", "--slurm-conf", "--site", "the log", "a guess"]


@dataclass(frozen=True, slots=True)
class Size:
    """The machine's size."""

    processors: int
    """Number of the machine's processors."""
    source: Source
    """The option or file from which the size comes."""
    overfull: float = 0.0
    """Share of the time in which more processors were busy than exist, by the log's dates."""
    contradicted: bool = False
    """Whether the log contradicts the size, because `overfull` is too large."""

    @property
    def guessed(self) -> bool:
        """Whether the size is unknown, so the study uses the smallest size that fits the jobs."""
        return self.source == "a guess"

    @property
    def sentence(self) -> str:
        """A sentence with the size and its source."""
        if self.guessed:
            return (
                "The log does not state the machine's size. The study uses "
                f"{self.processors:,} processors, the smallest size that fits the jobs."
            )
        return f"The machine has {self.processors:,} processors (source: {self.source})."


def size_of(request: Reading, inspection: Inspection) -> Size:
    """Return the machine's size and its source.

    Parameters
    ----------
    request
        The requested options.
    inspection
        The inspection of the log.
    """
    load = inspection.load
    stated = None if request.site is None else request.site.size
    if stated is not None:
        # the site lists its nodes, so the log's dates cannot contradict this size
        return Size(stated, "--site", load.overfull)
    # if much work exceeds the size, the recorded dates are wrong rather than the size
    wrong_waits = load.beyond > MOST_BEYOND and not load.looks_like_starts
    beyond = load.peak > APART * load.processors
    contradicted = load.starts_known and load.overfull > SELDOM and beyond and not wrong_waits
    if request.platform is not None:
        return Size(load.processors, "--platform", load.overfull, contradicted)
    if request.processors is not None:
        return Size(request.processors, "--processors", load.overfull, contradicted)
    if load.guessed:
        # the largest job must fit the guessed size
        largest = int(inspection.columns.processors.max())
        return Size(max(load.processors, largest), "a guess")
    source: Source = "the log" if request.slurm_conf is None else "--slurm-conf"
    return Size(load.processors, source, load.overfull, contradicted)
