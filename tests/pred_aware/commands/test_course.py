"""The course sheet: its commands, run as they are written, give the figures of its solutions."""

from pathlib import Path

import pytest

from pred_aware.demo.synthetic_log import make_log
from tests.pred_aware.commands.test_tutorial import BLOCK, run

COURSE = Path(__file__).resolve().parents[3] / "docs" / "start" / "course.md"
DEMO = "pred-aware demo -q\n"


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
