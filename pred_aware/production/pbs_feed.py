"""Ended jobs from the accounting files of a PBS server, as these grow."""

import os
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from pred_aware.production.feed import Read
from pred_aware.production.schema import why_not
from pred_aware.production.store import WHOLE, Position
from workload_tools.job import Job
from workload_tools.pbs.ended import EndReader
from workload_tools.pbs.lifecycle import Seen
from workload_tools.pbs.quantities import Attributes
from workload_tools.pbs.record import attributes, read_record

MOST_BYTES = 1 << 20
"""How much is read at once, so that the service never holds more of a log."""

_DAY = re.compile(r"\d{8}")


class PbsFeed:
    """Reads a folder of accounting files, one a day, which the server writes at their ends.

    Each file is read on as far as it has grown, whatever the dates of the others: a file of a day
    that has not come, which a wrong clock or a slip of the hand has made, ends none.

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
        # where this round goes on, so that the files of years are looked at once in it
        self._next = ""

    def read(self, positions: Mapping[str, int]) -> Read | None:
        """Read on where a file has grown, the oldest first; None where none has.

        A line that has no end yet waits for it.

        Parameters
        ----------
        positions
            How many bytes of each file were read. Of `WHOLE`, the day from which on files are read
            at all: those before it were read by an older version.

        Raises
        ------
        OSError
            A file can't be read; the others were read on before.
        """
        first = max(f"{positions.get(WHOLE, 0):08}", self._next)
        failed = None
        with os.scandir(self._folder) as listed:
            files = sorted(
                (one for one in listed if _DAY.fullmatch(one.name) and one.name >= first),
                key=lambda one: one.name,
            )
        for file in files:
            offset = positions.get(file.name, 0)
            try:
                if not file.is_file() or file.stat().st_size <= offset:
                    continue
                with open(file, "rb") as opened:  # noqa: PTH123 - no path, but what was listed
                    opened.seek(offset)
                    block = opened.read(MOST_BYTES)
            except OSError as error:
                failed = failed or error
                continue
            whole, newline, _ = block.rpartition(b"\n")
            if newline or len(block) == MOST_BYTES:
                self._next = file.name
                # no record is as long as a block without a newline
                read = len(whole) + 1 if newline else len(block)
                return Read(self._jobs(whole), Position(self.name, file.name, offset + read))
        self._next = ""
        if failed is not None:
            raise failed
        return None

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
