"""What the tests of the application share."""

import sys

import pytest

from pred_aware.cli import main
from tests.pred_aware.command import Command, Ended


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Run `pred-aware` with arguments, as a user types them."""

    def run(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["pred-aware", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code is None or isinstance(end.value.code, int)
        return Ended(end.value.code or 0, *capfd.readouterr())

    return run
