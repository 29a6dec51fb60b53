"""The commands of docs/start/tutorial.md, run as they are written."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pred_aware.demo.synthetic_log import make_log

TUTORIAL = Path(__file__).resolve().parents[3] / "docs" / "start" / "tutorial.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^(?:pred-aware|for) .*$", re.MULTILINE)
MEASURED = "scheduling time"


def sections() -> dict[str, str]:
    """Return the tutorial's sections that have commands, by their titles."""
    parts = TUTORIAL.read_text().split("\n## ")
    return {part.split("\n", 1)[0]: part for part in parts if "```sh" in part}


def run(commands: str, folder: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "COLUMNS": "120", "PYTHONIOENCODING": "utf-8"}
    ended = subprocess.run(
        ["/bin/sh", "-e"], input=commands, capture_output=True, text=True, encoding="utf-8",
        cwd=folder, env=environment, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_there_is_a_section_for_each_kind_of_log() -> None:
    kinds = [re.search(r"convert (\w+)", text).group(1) for text in sections().values()]  # type: ignore[union-attr] # found
    assert kinds == ["swf", "slurm", "pbs"]


@pytest.mark.slow
@pytest.mark.parametrize("title", sections())
def test_three_commands_lead_from_the_log_to_the_comparison_shown(
    title: str, tmp_path: Path
) -> None:
    blocks = BLOCK.findall(sections()[title])
    commands = "".join(text for language, text in blocks if language == "sh")
    found = [line.split()[1] for line in COMMAND.findall(commands)]
    assert found == ["convert", "scheduler", "compare"]
    printed = run(commands, tmp_path).splitlines()
    first = BLOCK.findall(next(iter(sections().values())))
    figures = [text for language, text in first if language == "text" and "│" in text]
    for text in [*figures, *(text for language, text in blocks if language == "text")]:
        for line in text.splitlines():
            assert MEASURED not in line
            assert line in printed


COURSE = Path(__file__).resolve().parents[3] / "docs" / "start" / "course.md"
DEMO = "pred-aware demo -q --seed 1\n"


def test_there_are_six_exercises_each_with_a_question_commands_and_a_solution() -> None:
    _, *exercises = COURSE.read_text(encoding="utf-8").split("\n## ")
    assert [text[:2] for text in exercises] == [f"{number}." for number in range(1, 7)]
    for text in exercises:
        asked, solution = text.split("<details>\n<summary>Solution</summary>\n")
        assert "?" in asked
        assert "```sh\n" in asked
        assert "```text\n" in solution.split("\n</details>")[0]


@pytest.mark.slow
def test_the_commands_of_each_exercise_print_the_figures_of_its_solution(tmp_path: Path) -> None:
    first, *exercises = COURSE.read_text(encoding="utf-8").split("\n## ")
    # of what the demo does its log alone is needed, and the rest takes a minute
    assert DEMO in first
    (tmp_path / "demo").mkdir()
    make_log(tmp_path / "demo" / "log.swf", processors=None, seed=1)
    for text in (first.replace(DEMO, ""), *exercises):
        blocks = BLOCK.findall(text)
        printed = run("".join(lines for kind, lines in blocks if kind == "sh"), tmp_path)
        for line in "".join(lines for kind, lines in blocks if kind == "text").splitlines():
            assert line in printed.splitlines()
