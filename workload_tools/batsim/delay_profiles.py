"""The delay profiles of a Batsim workload: one for each pair of job size and run time."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Self

import msgspec

from workload_tools.batsim.workload import profile_name

_IN_MEMORY = 1 << 24
_BLOCK_SIZE = 1 << 18


class DelayProfiles:
    """The delay profiles of the added jobs, in the order of their first use.

    Up to 16 MB of JSON text stay in memory. A longer text moves to a temporary file.

    Parameters
    ----------
    path
        The workload's file. The temporary file is created in the same folder.
    kind
        The type name of the profiles, which depends on Batsim's version.

    Examples
    --------
    >>> with DelayProfiles("workload.json") as profiles:
    ...     for run_time in (90, 60, 90):
    ...         profiles.add(4, run_time)
    ...     print(b"".join(profiles.blocks()).decode())
    "D_4_90":{"type":"delay","delay":90},
    "D_4_60":{"type":"delay","delay":60}
    """

    def __init__(self, path: str | Path, kind: str = "delay") -> None:
        folder = Path(path).parent
        self._text = SpooledTemporaryFile(_IN_MEMORY, dir=str(folder))  # noqa: SIM115 - see __exit__
        self._names: set[str] = set()
        self._between = b""
        self._kind = kind.encode()
        self._encode = msgspec.json.Encoder().encode

    def __enter__(self) -> Self:
        """Return the profiles."""
        return self

    def __exit__(self, *_: object) -> None:
        """Remove the temporary file."""
        self._text.close()

    def add(self, processors: int, run_time: float) -> None:
        """Add a job's profile if it is new. A run time in whole seconds must be an ``int``."""
        name = profile_name(processors, run_time)
        if name in self._names:
            return
        self._names.add(name)
        self._text.write(
            b'%b"%b":{"type":"%b","delay":%b}'
            % (
                self._between,
                name.encode(),
                self._kind,
                self._encode(run_time),
            )
        )
        self._between = b",\n"

    def blocks(self) -> Iterator[bytes]:
        """Yield the text of all profiles, as in the workload file."""
        self._text.seek(0)
        while block := self._text.read(_BLOCK_SIZE):
            yield block
