"""The benchmark `same_bytes.py`: what is compared of outputs, and new names for old ones."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

TABLE = """
[commands]
shadow = "rehearse"
"campaign gc" = "campaign clear"
[options]
"--trust" = "--min-concordance"
[keys]
reach = "max_shift"
[values]
draining = "running"
[files]
weeks_of = "by_week_of"
[text]
"told apart" = "significant"
"""


@pytest.fixture
def names(tmp_path: Path) -> Any:  # noqa: ANN401 - a script's class
    from same_bytes_names import read_names  # type: ignore[import-not-found]

    (tmp_path / "names.toml").write_text(TABLE)
    return read_names(tmp_path / "names.toml")


def test_a_command_line_is_said_in_the_new_words(names: Any) -> None:  # noqa: ANN401
    for old, new in (
        ("shadow log.swf --trust 0.5", "rehearse log.swf --min-concordance 0.5"),
        ("campaign gc shadow --trusty", "campaign clear shadow --trusty"),
        ("& pred-aware shadow weeks_of.csv", "& pred-aware rehearse by_week_of.csv"),
        ('run -o {"draining":"draining"}', 'run -o {"draining":"running"}'),
    ):
        assert " ".join(names.of_command(old.split())) == new


def test_a_text_is_changed_as_is_right_for_its_form(names: Any) -> None:  # noqa: ANN401
    for ending, old, new in (
        (".json", '{"reach": 1, "a": "reach"}', '{"max_shift": 1, "a": "reach"}'),
        (".json", '{"draining": "draining"}', '{"draining": "running"}'),
        (".toml", "reach = 1\nfar_reach = 2", "max_shift = 1\nfar_reach = 2"),
        (".csv", "reach,b\nreach,draining\n", "max_shift,b\nreach,running\n"),
        (".txt", "are told apart by --trust", "are significant by --min-concordance"),
        (".html", "`pred-aware shadow x`", "`pred-aware rehearse x`"),
    ):
        assert names.of_text(old, ending) == new, ending


def side(folder: Path, packed: str) -> Any:  # noqa: ANN401 - a script's class
    """Make a side that ran one command, which wrote one file."""
    from same_bytes_names import read_names
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
    return Side(folder / "checkout", folder, read_names(None), loose=False)


def test_what_is_measured_and_where_it_ran_is_not_compared(tmp_path: Path) -> None:
    one, other = side(tmp_path / "one", "a\n1\n"), side(tmp_path / "another", "a\n1\n")
    lines = {"runs": ["run --json"]}
    assert one.outputs(lines) == other.outputs(lines)


def test_a_difference_is_told_with_its_command_and_place(
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
