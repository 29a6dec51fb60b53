"""The command `convert` for readers: that of docs/how-to/own-reader.md, in another package."""

import json
import re
import sys
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from tests.pred_aware.command import Command
from workload_tools import formats

HOOKS = Path(__file__).resolve().parents[3] / "docs" / "how-to" / "own-reader.md"
LOG = "# our accounting\nann 0 10 70 4\nbob 5 5 25 2\neve 9 9 12 1\n"
OTHER_KINDS = '''
class Odd:
    """Options of all kinds.

    Parameters
    ----------
    quiet
        A name that every command has.
    deep
        A kind that no command line can have.
    needed
        Without a default; see :class:`~a.module.Thing`.
    checks
        Made by default.
    """

    def __init__(self, path, *, needed, quiet=3, deep: dict = {}, checks: bool = True):
        raise ValueError(f"{needed} {quiet} {deep} {checks}")

    @staticmethod
    def recognises(path, head):
        return False
'''


@pytest.fixture
def convert(here: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> Command:
    monkeypatch.syspath_prepend(here)
    (source,) = re.findall(r"`site_log\.py`.*?```python\n(.*?)```", HOOKS.read_text(), re.DOTALL)
    Path("site_log.py").write_text(source + OTHER_KINDS)
    Path("log").write_text(LOG)
    points = {
        name: EntryPoint(name, f"site_log:{value}", formats.GROUP)
        for name, value in (("site", "SiteLog"), ("odd", "Odd"))
    }
    known = {**formats.formats(), **points}
    monkeypatch.setattr(formats, "formats", lambda: known)
    monkeypatch.delitem(sys.modules, "site_log", raising=False)
    return partial(command, "convert")


def jobs(path: str) -> list[tuple[str, float]]:
    return [(job["user_id"], job["walltime"]) for job in json.loads(Path(path).read_text())["jobs"]]


def test_a_reader_of_another_package_has_a_command_with_its_options(convert: Command) -> None:
    ended = convert("site", "log", "-o", "w.json", "--user", "ann", "--user", "bob")
    assert (ended.code, ended.err) == (0, "")
    assert jobs("w.json") == [("ann", 86400.0), ("bob", 86400.0)]
    assert "1  dropped: of another user" in ended.out
    assert convert("site", "log", "-o", "v.json", "--walltime", "60").code == 0
    assert jobs("v.json") == [("ann", 60.0), ("bob", 60.0), ("eve", 60.0)]


def test_the_help_of_a_foreign_reader_is_its_docstring(
    convert: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    told = " ".join(convert("site", "--help").out.split())
    assert "The output of our accounting, one line per job." in told
    assert "--user USER Read only the jobs of this user; may be repeated." in told
    assert re.search(r"--walltime NUMBER The queue.s time limit.* \[default: 86400.0\]", told)
    assert "pred-aware convert site LOG -o jobs.json" in told


def test_options_too_complex_for_a_command_line_are_given_as_json(convert: Command) -> None:
    told = convert("odd", "--help").out
    assert "--no-checks" in told
    assert "--deep" not in told
    assert "Missing option '--needed'" in convert("odd", "log", "-o", "w.json").err
    ended = convert("odd", "log", "-o", "w.json", "--needed", "x", "--no-checks",
                    "--reader", '{"quiet": 7, "deep": {"a": 1}}')  # fmt: skip
    assert "ValueError: x 7 {'a': 1} False" in ended.err


def test_a_reader_that_cannot_be_imported_is_named_in_the_list(
    convert: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = EntryPoint("gone", "site_log:Gone", formats.GROUP)
    known = {**formats.formats(), "gone": gone}
    monkeypatch.setattr(formats, "formats", lambda: known)
    assert "the reader of the format 'gone' failed" in convert("--help").out.replace("\n", "")
    convert("gone", "log", "-o", "w.json").assert_refused("the reader of the format 'gone' failed")


def test_without_a_format_the_log_determines_it(convert: Command) -> None:
    for arguments in (("log", "-o", "w.json"), ("-o", "v.json", "log"), ("any", "log", "-o", "u")):
        assert convert(*arguments, "-q") == (0, "", "")
    assert Path("w.json").read_bytes() == Path("v.json").read_bytes() == Path("u").read_bytes()
    convert("log", "-o", "w.json", "--reader", "swf").assert_refused()


def test_a_format_that_is_mistyped_is_not_taken_for_a_log(convert: Command) -> None:
    convert("slrum", "log", "-o", "w.json").assert_refused(
        "'slrum' is neither a file nor a format. Did you mean 'slurm'?"
    )
    Path("slrum").write_text(LOG)
    assert convert("slrum", "-o", "w.json").code == 0
