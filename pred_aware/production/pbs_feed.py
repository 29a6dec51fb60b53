"""Ended jobs from the growing accounting files of a PBS server."""

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
from workload_tools.pbs.lifecycle import RecordTypes
from workload_tools.pbs.quantities import Attributes
from workload_tools.pbs.record import attributes, read_record

MOST_BYTES = 1 << 20
"""Largest read in bytes; limits the service's memory."""

_DAY = re.compile(r"\d{8}")


class PbsFeed:
    """Reads a folder of daily accounting files, to which the server appends.

    Each file is read as far as it has grown, independently of the other files' dates. A file with a
    future date, from a wrong clock or a mistake, therefore does not stop the others.

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
        # name of the next file in this round, so that each round examines old files once
        self._next = ""

    def read(self, positions: Mapping[str, int]) -> Read | None:
        """Read the new part of the oldest file that has grown; return None if none has.

        An incomplete last line is read later.

        Parameters
        ----------
        positions
            Number of bytes read from each file. For `WHOLE`, the first day whose file is read, if
            an older version has read the files of earlier days.

        Raises
        ------
        OSError
            A file cannot be read, and no other file has grown.
        """
        first = max(f"{positions.get(WHOLE, 0):08}", self._next)
        failed = None
        with os.scandir(self._folder) as listed:
            files = sorted(
                (path for path in listed if _DAY.fullmatch(path.name) and path.name >= first),
                key=lambda path: path.name,
            )
        for file in files:
            offset = positions.get(file.name, 0)
            try:
                if not file.is_file() or file.stat().st_size <= offset:
                    continue
                with open(file, "rb") as opened:  # noqa: PTH123 - an entry, not a path
                    opened.seek(offset)
                    block = opened.read(MOST_BYTES)
            except OSError as error:
                failed = failed or error
                continue
            whole, newline, _ = block.rpartition(b"\n")
            if newline or len(block) == MOST_BYTES:
                self._next = file.name
                # a block without a newline is skipped, because no record is so long
                read = len(whole) + 1 if newline else len(block)
                return Read(self._jobs(whole), Position(self.name, file.name, offset + read))
        self._next = ""
        if failed is not None:
            raise failed
        return None

    def close(self) -> None:
        """Do nothing, because files need no closing."""

    def _jobs(self, lines: bytes) -> list[Job]:
        found = []
        for line in lines.decode("latin-1").split("\n"):
            record = read_record(line)
            # a job array is not a job: its tasks have their own records
            if record is None or record.type != "E" or "[]" in record.id:
                continue
            job_attributes = Attributes(attributes(record.message), Counter())
            job = self._ends.read(record.id, job_attributes, RecordTypes.NOTHING).job
            if job is not None and why_not(job) is None:
                found.append(job)
        return found
