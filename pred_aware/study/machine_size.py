"""How large the machine is, and how sure that is."""

from dataclasses import dataclass
from typing import Literal

from pred_aware.inspection.inspection import Inspection
from pred_aware.study.asked import Reading

Source = Literal["--processors", "--platform", "--slurm-conf", "the log", "a guess"]


@dataclass(frozen=True, slots=True)
class Size:
    """The machine's size.

    Parameters
    ----------
    processors
        How many it has.
    source
        Who says so.
    """

    processors: int
    source: Source

    @property
    def guessed(self) -> bool:
        """Whether nobody says it, so that it is the least that the jobs show."""
        return self.source == "a guess"

    @property
    def sentence(self) -> str:
        """Where it is from and how sure it is."""
        told = f"The machine has {self.processors:,} processors"
        if self.guessed:
            return (
                f"{told} at least: the log does not tell its size, and so many its jobs show. A "
                "larger machine has shorter queues; --processors, --slurm-conf or --platform give "
                "the size."
            )
        says = {
            "the log": "as the log says",
            "--slurm-conf": "as slurm.conf says",
            "--platform": "as the platform's file says",
            "--processors": "as --processors says",
        }
        return f"{told}, {says[self.source]}."


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
    if asked.platform is not None:
        return Size(load.processors, "--platform")
    if asked.processors is not None:
        return Size(asked.processors, "--processors")
    if load.guessed:
        # no job shall be rejected for a guess
        largest = int(inspection.columns.processors.max())
        return Size(max(load.processors, largest), "a guess")
    return Size(load.processors, "the log" if asked.slurm_conf is None else "--slurm-conf")
