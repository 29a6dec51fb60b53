"""Commands that other packages bring along, found by entry point."""

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from pred_aware import cli


@pytest.fixture
def site_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "site_commands", raising=False)
    points = {"site": EntryPoint("site", "site_commands", cli.ENTRY_POINTS)}
    monkeypatch.setattr(cli, "installed", lambda _: points)
    return tmp_path / "site_commands.py"


def test_a_modules_commands_are_in_its_group_of_the_help(site_module: Path) -> None:
    site_module.write_text("PANEL = 'Site'\ndef register(app): pass\n")
    ((panel, (module,)),) = cli.added_commands().items()
    assert (panel, module.__name__) == ("Site", "site_commands")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1 / 0\n", "ZeroDivisionError: division by zero ("),
        ("def register(app): pass\n", "has no attribute 'PANEL'"),
        ("PANEL = 'Site'\n", "has no attribute 'register'"),
    ],
)
def test_a_broken_module_gives_one_line_and_is_left_out(
    site_module: Path, capfd: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    site_module.write_text(text)
    assert cli.added_commands() == {}
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("pred-aware: warning: the commands of 'site' cannot be loaded: ")
    assert told in line
