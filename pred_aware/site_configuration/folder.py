"""The folder of a snapshot: the output of a batch system's commands."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from pred_aware.site_configuration.configured import Findings
from schedulers.site.site import SiteError
from workload_tools.expected import UNREADABLE, in_words

SNAPSHOT = "snapshot.json"
"""The file that lists the commands of a snapshot, with dates and errors."""

MOST_CHARACTERS = 1 << 26
"""Files with more characters are refused."""

MARKS: Mapping[str, str] = MappingProxyType(
    {
        "config.txt": "=", "nodes.txt": "=", "partitions.txt": "PartitionName=", "qos.txt": "|",
        "associations.txt": "|", "sacctmgr.txt": "|", "sshare.txt": "|",
        "reservations.txt": "eservation", "licenses.txt": "icense", "server.txt": "Server: ",
        "queues.txt": "Queue: ", "qmgr.txt": "set ",
    }
)  # fmt: skip
"""For each file, a text that its output contains; a file without the text has an error message
instead."""


class Folder:
    """A folder with the output of a batch system's commands.

    Parameters
    ----------
    path
        The folder.

    Raises
    ------
    SiteError
        The path is not a folder.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_dir():
            where = f"; give its folder, {self.path.parent}" if self.path.is_file() else ""
            raise SiteError(
                f"site {path}: is not a folder with a snapshot of a batch system{where}"
            )
        self.findings = Findings()
        self.record = self._record()
        """The content of `SNAPSHOT`."""

    def text(self, *names: str, lacking: str | None = None) -> tuple[str, str]:
        """Return the name and content of the first file that exists, or empty texts.

        Parameters
        ----------
        names
            Names of files.
        lacking
            What is unknown without the files. If none of them exists, a finding reports this, and
            the error of the command that should have written the file.
        """
        odd: str | None = None
        for name in names:
            self._check(name)
            try:
                with (self.path / name).open(encoding="utf-8", errors="replace") as file:
                    text = file.read(MOST_CHARACTERS + 1)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise SiteError(f"site {self.path / name}: {error.strerror or error}") from error
            if len(text) > MOST_CHARACTERS:
                raise SiteError(
                    f"site {self.path / name}: is larger than {MOST_CHARACTERS >> 20} MiB, "
                    "so it is not the output of a command of the batch system"
                )
            if MARKS.get(name, "") in text and text.strip():
                return name, text
            if text.strip():
                odd = name
        if odd is not None:
            effect = lacking or "treated as missing"
            self.findings.add("not read", odd, "is not the output of its command", effect)
        elif lacking is not None:
            why = next((why for name in names if (why := self._failed(name))), "is missing")
            self.findings.add("not read", names[0], why, lacking)
        return names[0], ""

    def _check(self, name: str) -> None:
        """Raise an error for a pipe or device, because reading could wait forever."""
        path = self.path / name
        if path.exists() and not path.is_file():
            raise SiteError(f"site {path}: is not a file")

    def _failed(self, name: str) -> str | None:
        """Return why the command for a file failed; ``None`` if it did not fail."""
        commands = self.record.get("commands")
        for one in commands if isinstance(commands, list) else ():
            if isinstance(one, dict) and one.get("file") == name and one.get("error"):
                return str(one["error"])
        return None

    def _record(self) -> dict[str, Any]:
        file = self.path / SNAPSHOT
        self._check(SNAPSHOT)
        if not file.exists():
            return {}
        try:
            content = msgspec.json.decode(file.read_bytes())
        except (OSError, *UNREADABLE) as error:
            raise SiteError(f"site {file}: {in_words(error)}") from error
        return content if isinstance(content, dict) else {}

    @property
    def time_zone(self) -> str | None:
        """The machine's time zone; ``None`` if the snapshot does not contain it."""
        name = self.record.get("time_zone")
        return name if isinstance(name, str) else None
