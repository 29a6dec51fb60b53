"""The benchmark `same_bytes.py`: what is compared of outputs."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest


def side(folder: Path, packed: str) -> Any:  # noqa: ANN401 - a script's class
    """Make a side that ran one command, which wrote one file."""
    from same_bytes_outputs import Side  # type: ignore[import-not-found]

    step = {"number": 0, "code": 0, "wrote": ["r.csv.gz"]}
    texts = {
        "made.json": '{"days": ["2026-11-22"]}',
        "report/helps.json": '{"run": "Run it."}',
        "report/section-runs.json": json.dumps([step]),
        "outputs/runs/0.stdout": f'{{"cpu_seconds":{len(str(folder))}, "at": "{folder}"}}',
        "outputs/runs/0.stderr": "on 2026-11-22",
    }
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "runs").mkdir()
    (folder / "runs" / "r.csv.gz").write_bytes(gzip.compress(packed.encode()))
    return Side(folder / "checkout", folder)


def test_times_and_the_machine_are_not_compared(tmp_path: Path) -> None:
    one, other = side(tmp_path / "one", "a\n1\n"), side(tmp_path / "another", "a\n1\n")
    lines = {"runs": ["run --json"]}
    assert one.outputs(lines) == other.outputs(lines)


def test_a_difference_is_reported_with_its_command_and_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from same_bytes import compare  # type: ignore[import-not-found]

    one, other = side(tmp_path / "one", "a\n1\n"), side(tmp_path / "another", "a\n2\n")
    lines = {"runs": ["run --json"]}
    assert compare(one.outputs(lines), other.outputs(lines), lines=lines) == 1
    told = capsys.readouterr().out
    assert (
        "runs: run --json | files r.csv.gz: line 2, character 2: 'a\\n1\\n' -> 'a\\n2\\n'" in told
    )
