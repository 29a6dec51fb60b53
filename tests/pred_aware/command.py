"""Running a command as a user types it."""

import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from pred_aware.cli import main


class Ended(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str


Command = Callable[..., Ended]


def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Return what runs `pred-aware` with arguments."""

    def run(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["pred-aware", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        return Ended(int(end.value.code or 0), *capsys.readouterr())

    return run
