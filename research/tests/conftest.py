"""What the tests share."""

import gc
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

# nothing of what is imported is garbage, and libraries that are imported later are large, too
gc.freeze()
gc.set_threshold(50_000, 20, 50)

SHARED = Path(__file__).resolve().parents[3] / "shared"


class Ended(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str


Command = Callable[..., Ended]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is slow, unless it is asked for."""
    if "slow" not in config.option.markexpr:
        items[:] = [item for item in items if item.get_closest_marker("slow") is None]


@pytest.fixture
def shared() -> Path:
    """Recordings beside the checkout, which are not published; skips where they are missing."""
    if not SHARED.is_dir():
        pytest.skip("needs the recordings in ../shared, which are not published")
    return SHARED


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Command:
    """Run `pred-aware` with arguments, as a user types them, in this process."""
    from pred_aware.cli import main

    # the command has one of its own
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)

    def run(*arguments: object) -> Ended:
        monkeypatch.setattr(sys, "argv", ["pred-aware", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code is None or isinstance(end.value.code, int)
        return Ended(end.value.code or 0, *capfd.readouterr())

    return run
