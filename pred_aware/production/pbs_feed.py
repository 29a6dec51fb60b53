"""Ended jobs from the accounting files of a PBS server, as these grow."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from pred_aware.production.ended import why_not
from pred_aware.production.store import Position
from workload_tools.job import Job
from workload_tools.pbs.attributes import Attributes
from workload_tools.pbs.ended import EndReader
from workload_tools.pbs.lifecycle import Seen
from workload_tools.pbs.record import attributes, read_record

MOST_BYTES = 1 << 20
"""How much is read at once, so that the service never holds more of a log."""

_DAY = re.compile(r"\d{8}")


@dataclass(frozen=True, slots=True)
class Read:
    """What was read.

    Parameters
    ----------
    jobs
        Those of which the ends were there.
    position
        Where to go on.
    more
        Whether there may be more at once.
    """

    jobs: list[Job]
    position: Position
    more: bool


class Feed(Protocol):
    """Tells of ended jobs.

    Attributes
    ----------
    name
        By which its position is kept.
    pause
        After how many seconds it is asked again.
    """

    name: str
    pause: float

    def read(self, position: Position | None) -> Read | None:
        """Read on from a position; None where there is nothing yet.

        Raises
        ------
        OSError, FeedError
            It can't be read now.
        """
        ...

    def close(self) -> None:
        """Let go of what it waits for: the service ends."""
        ...


class PbsFeed:
    """Reads a folder of accounting files, one a day, which the server writes at their ends.

    Parameters
    ----------
    folder
        The server's ``server_priv/accounting``.
    """

    pause = 5.0

    def __init__(self, folder: Path) -> None:
        self.name = str(folder.resolve())
        self._folder = folder
        self._ends = EndReader(
            processors_from="requested", run_time_from="used", submit_time_from="ctime"
        )

    def read(self, position: Position | None) -> Read | None:
        """Read on from a position; None where no file is there yet.

        A line that has no end yet waits for it. A day's file is done when the next day has one.

        Raises
        ------
        OSError
            A file can't be read.
        """
        files = sorted(one.name for one in self._folder.iterdir() if _DAY.fullmatch(one.name))
        if position is not None:
            files = [name for name in files if name >= position.file]
        if not files:
            return None
        name = files[0]
        offset = position.offset if position is not None and position.file == name else 0
        with (self._folder / name).open("rb") as file:
            file.seek(offset)
            block = file.read(MOST_BYTES)
        whole, newline, _ = block.rpartition(b"\n")
        if newline:
            at = Position(self.name, name, offset + len(whole) + 1)
            return Read(self._jobs(whole), at, more=True)
        if len(block) == MOST_BYTES:
            # no record is that long
            return Read([], Position(self.name, name, offset + len(block)), more=True)
        if len(files) > 1:
            return Read(self._jobs(block), Position(self.name, files[1], 0), more=True)
        return Read([], Position(self.name, name, offset), more=False)

    def close(self) -> None:
        """Nothing to do: files keep nobody waiting."""

    def _jobs(self, lines: bytes) -> list[Job]:
        found = []
        for line in lines.decode("latin-1").split("\n"):
            record = read_record(line)
            # an array as a whole is no job: its tasks have records of their own
            if record is None or record.type != "E" or "[]" in record.id:
                continue
            told = Attributes(attributes(record.message), Counter())
            job = self._ends.read(record.id, told, Seen.NOTHING).job
            if job is not None and why_not(job) is None:
                found.append(job)
        return found
