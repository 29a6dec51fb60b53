"""README's lines of a notebook, run as they stand there, on a log's path alone."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from tests.pred_aware.api.synthetic_log import write_log

README = Path(__file__).parents[3] / "README.md"
LOG = "KTH-SP2-1996-2.1-cln.swf.gz"


def run_it(log: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run README's lines with a log; return what they print."""
    monkeypatch.chdir(folder)
    (lines,) = re.findall(
        r"```python\n(import pred_aware as pa\n.*?)```", README.read_text(), re.DOTALL
    )
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(lines.replace(LOG, str(log)), {"__name__": "__main__"})  # noqa: S102 - ours
    return printed.getvalue()


def test_notebooks_run_on_a_synthetic_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = run_it(write_log(tmp_path / "made.swf"), tmp_path, monkeypatch)
    assert "change in mine" in printed
    assert "mean_waiting_time" in printed
    assert (tmp_path / "waits.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_notebooks_run_on_the_log_that_they_name(
    shared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = run_it(shared / "traces" / LOG, tmp_path, monkeypatch)
    assert re.search(r"mean_waiting_time +6.837485e\+03", printed)
