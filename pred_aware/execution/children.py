"""Child processes: started, listened to, and reaped whatever happens, to us too."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from pred_aware.errors import PredAwareError
from pred_aware.execution import guard

PATIENCE = 5.0
"""How long a child may take to end by itself, in seconds."""

LONGEST_SOCKET = 107
"""How many bytes the name of a Unix socket may have."""

_GUARD = Path(guard.__file__)
_TAIL = 1 << 16
_CRITICAL = "CRITICAL"
# batsched writes its log in colours
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Child:
    """A child process whose output goes to a file; a context, at the end of which it is gone.

    Parameters
    ----------
    name
        What it is called in messages, such as ``Batsim``.
    command
        The program and its arguments.
    log
        The file in which its output is collected.
    guarded
        Whether a guard stands between, for programs that would outlive us. One of ours that ends
        when its standard input closes needs none.
    kept
        Where the log will be found when all is over, for messages; not told if left out.

    Raises
    ------
    PredAwareError
        The program cannot be started, or the log cannot be written.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        log: Path,
        *,
        guarded: bool = True,
        kept: Path | None = None,
    ) -> None:
        self.name = name
        self.log = log
        self._log_name = "its log" if kept is None else f"its log {kept}"
        if guarded:
            command = [sys.executable, "-I", str(_GUARD), *command]
        try:
            with log.open("wb") as output:
                self._process = subprocess.Popen(  # noqa: S603 - what the user gave, as arguments
                    command,
                    stdin=subprocess.PIPE,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    # Ctrl-C is for us, who then end our children in their turn
                    start_new_session=guarded,
                )
        except OSError as error:
            raise PredAwareError(f"{name} cannot be started: {error}") from error

    @property
    def pid(self) -> int:
        """The number of the process, of the guard if there is one."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, ``None`` while it lives; 128 + n after signal n."""
        code = self._process.poll()
        return code if code is None or code >= 0 else 128 - code

    def why_dead(self) -> str | None:
        """Say how it ended, and why as far as its log tells; ``None`` while it lives."""
        code = self.exit_code
        return None if code is None else f"{_ending(code)}, {self.last_words()}"

    def last_words(self) -> str:
        """Say why it is in trouble by the last line of its log that is marked as critical.

        The real Batsim marks the reason so, and then prints a page about where in its code it
        stood. Where no line is marked, it is the last that counts.
        """
        try:
            lines = self._last_lines()
        except OSError as error:
            return f"its log is gone: {error.strerror}"
        critical = [line for line in lines if _CRITICAL in line]
        if critical:
            return f"{self._log_name} says: {critical[-1]}"
        return f"its last words were: {lines[-1] if lines else '(none)'}"

    def _last_lines(self) -> list[str]:
        with self.log.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _TAIL))
            text = file.read().decode("utf-8", "replace")
        return [line for line in _COLOURS.sub("", text).splitlines() if line.strip()]

    def wait(self, seconds: float) -> int | None:
        """Wait for its end, and return the exit code; ``None`` if it still lives."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        return self.exit_code

    def reap(self, *, patience: float = PATIENCE) -> None:
        """End it: by closing its standard input, then by force."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        if self.wait(patience) is None:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        """Use the child as a context: it is reaped at the end."""
        return self

    def __exit__(self, *_error: object) -> None:
        """Reap it."""
        self.reap()


def socket_in(folder: Path, name: str) -> str:
    """Return the address of a Unix socket in a folder for temporary files.

    Raises
    ------
    PredAwareError
        Its name would be too long.
    """
    length = len(os.fsencode(folder / name))
    if length > LONGEST_SOCKET:
        raise PredAwareError(
            f"{folder.parent} is too long a name: sockets in it have {length} characters, and may "
            f"have {LONGEST_SOCKET}; set TMPDIR to a shorter one, such as /tmp"
        )
    return f"ipc://{folder / name}"


def _ending(code: int) -> str:
    """Name an exit code, and the signal that it stands for."""
    if code > 128:  # noqa: PLR2004 - as shells have it
        try:
            return f"exit code {code}, {signal.Signals(code - 128).name}"
        except ValueError:
            pass
    return f"exit code {code}"
