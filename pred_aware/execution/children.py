"""Child processes that never outlive this process, even if it dies."""

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
"""Longest wait for a child to end by itself, in seconds."""

LONGEST_SOCKET = 107
"""Longest path of a Unix socket, in bytes."""

_GUARD = Path(guard.__file__)
_TAIL = 1 << 16
_CRITICAL = "CRITICAL"
# batsched's log contains colour codes
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")


class Child:
    """A child process that writes its output to a file, and ends with its ``with`` block.

    Parameters
    ----------
    name
        Name in messages, such as ``Batsim``.
    command
        The program and its arguments.
    log
        The file for its output.
    guarded
        True to start the program under a guard process, because it could outlive this process.
        This package's programs end when their standard input closes, so they need no guard.
    kept
        Final path of the log, which messages show instead of `log`.

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
                self._process = subprocess.Popen(  # noqa: S603 - the program that the user names
                    command,
                    stdin=subprocess.PIPE,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    # Ctrl-C reaches only this process, which then ends its children
                    start_new_session=guarded,
                )
        except OSError as error:
            raise PredAwareError(f"{name} cannot be started: {error}") from error

    @property
    def pid(self) -> int:
        """The id of the process, or of its guard."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """The exit code, 128 + n after signal n; ``None`` while the child runs."""
        code = self._process.poll()
        return code if code is None or code >= 0 else 128 - code

    def why_dead(self) -> str | None:
        """Return how the child ended, with the reason in its log; ``None`` while it runs."""
        code = self.exit_code
        return None if code is None else f"{_ending(code)}, {self.last_words()}"

    def last_words(self) -> str:
        """Return the log's last line marked as critical; if no line is marked, its last line.

        The real Batsim marks why it failed as critical, and then prints a long stack trace.
        """
        try:
            lines = self._last_lines()
        except OSError as error:
            return f"its log cannot be read: {error.strerror}"
        critical = [line for line in lines if _CRITICAL in line]
        if critical:
            return f"{self._log_name} says: {critical[-1]}"
        return f"its last output was: {lines[-1] if lines else '(none)'}"

    def _last_lines(self) -> list[str]:
        with self.log.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - _TAIL))
            text = file.read().decode("utf-8", "replace")
        return [line for line in _COLOURS.sub("", text).splitlines() if line.strip()]

    def wait(self, seconds: float) -> int | None:
        """Wait for the child's end, and return the exit code; ``None`` if it still runs."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        return self.exit_code

    def reap(self, *, patience: float = PATIENCE) -> None:
        """Close the child's standard input to end it; after `patience` seconds, kill it."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        if self.wait(patience) is None:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        """Return the child, which is ended when the block ends."""
        return self

    def __exit__(self, *_error: object) -> None:
        """End the child."""
        self.reap()


def socket_in(folder: Path, name: str) -> str:
    """Return the address of a Unix socket in a folder for temporary files.

    Raises
    ------
    PredAwareError
        The socket's path would be too long.
    """
    length = len(os.fsencode(folder / name))
    if length > LONGEST_SOCKET:
        raise PredAwareError(
            f"{folder.parent} is too long: sockets in it have {length} characters, but may "
            f"have {LONGEST_SOCKET}; set TMPDIR to a shorter path, such as /tmp"
        )
    return f"ipc://{folder / name}"


def _ending(code: int) -> str:
    """Return an exit code in words, with its signal."""
    if code > 128:  # noqa: PLR2004 - as in shells
        try:
            return f"exit code {code}, {signal.Signals(code - 128).name}"
        except ValueError:
            pass
    return f"exit code {code}"
