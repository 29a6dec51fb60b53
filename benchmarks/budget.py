"""Print the size of the project and its budget. A larger size is not an error.

Usage: python benchmarks/budget.py [--tests PYTEST_LOG] [--record]

The budget is the last recorded size, in `budget.toml` in this folder. If your change increases a
figure, explain why in CHANGELOG or in the closing note, and record the new size with `--record`.
Docstrings, comments and blank lines are not counted as lines.
"""

import argparse
import ast
import re
import subprocess
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BUDGET = Path(__file__).with_name("budget.toml")

PRODUCT = ("pred_aware", "predictors", "schedulers", "workload_tools")
RESEARCH = "research"


def tracked() -> list[Path]:
    """Return the tracked files of the checkout, or all files if it is not a git repository."""
    if not (ROOT / ".git").exists():
        return [path.relative_to(ROOT) for path in ROOT.rglob("*") if ".venv" not in path.parts]
    listed = subprocess.run(
        ["git", "ls-files"],  # noqa: S607 - the user's git
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return [Path(name) for name in listed.stdout.splitlines()]


def code_lines(text: str) -> int:
    """Count the lines of a Python file that contain code, not only docstrings or comments."""
    documented, quoted = set[int](), set[int]()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant | ast.JoinedStr):
            quoted.update(_lines(node)[1:])
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            # a string that is a statement: a docstring, or a description of the attribute above
            documented.update(_lines(node) if isinstance(node.value.value, str) else ())
    lines = text.splitlines()
    told = {number for number, line in enumerate(lines, 1) if line.strip()}
    noted = {number for number in told if lines[number - 1].lstrip().startswith("#")} - quoted
    return len(told - documented - noted)


def _lines(node: ast.expr | ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def sizes(files: list[Path]) -> dict[str, int]:
    """Return the numbers of lines, words, modules, commands and options, as in `budget.toml`."""
    found = dict.fromkeys(
        ("lines outside tests", "lines of tests", "modules", "words", "lines in research"), 0
    )
    for path in files:
        research = path.parts[0] == RESEARCH
        if path.suffix == ".py":
            lines = code_lines((ROOT / path).read_text())
            if research:
                found["lines in research"] += lines
            else:
                found["lines of tests" if path.parts[0] == "tests" else "lines outside tests"] += (
                    lines
                )
                found["modules"] += path.parts[0] in PRODUCT
        elif path.suffix == ".md" and not research:
            found["words"] += len((ROOT / path).read_text().split())
    return found | commands()


def commands() -> dict[str, int]:
    """Return the numbers of top-level commands, of all commands, and of their options."""
    from pred_aware.cli import command_line

    def below(command: object) -> tuple[int, int]:
        inner = getattr(command, "commands", None)
        if inner is None:
            names = [one.opts for one in command.params if one.opts[0].startswith("-")]  # type: ignore[attr-defined]
            return 1, len(names)
        counts = [below(one) for one in inner.values()]
        return sum(one for one, _ in counts), sum(options for _, options in counts)

    line = command_line()
    every, options = below(line)
    return {"commands at the top": len(line.commands), "commands": every, "options": options}


def test_figures(log: Path) -> dict[str, int]:
    """Return the number of test cases and their seconds, from the last line of pytest's output."""
    summaries = re.findall(r"(\d+) passed.* in ([\d.]+)s", log.read_text())
    if not summaries:
        return {}
    cases, seconds = summaries[-1]
    return {"test cases": int(cases), "test seconds": round(float(seconds))}


def main() -> None:
    """Print the table, or record today's sizes as the budget."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tests", type=Path, help="the output of pytest")
    parser.add_argument("--record", action="store_true", help="write the sizes into budget.toml")
    options = parser.parse_args()
    budget = tomllib.loads(BUDGET.read_text()) if BUDGET.exists() else {}
    now = sizes(tracked()) | (test_figures(options.tests) if options.tests else {})
    if options.record:
        known = budget | now
        BUDGET.write_text("".join(f'"{name}" = {known[name]}\n' for name in known))
        return
    for name, size in now.items():
        allowed = budget.get(name)
        grown = (
            "" if allowed is None or size <= allowed else f"  GREW by {size - allowed:,}: say why"
        )
        print(f"{name:22} {size:9,}  budget {allowed if allowed is not None else 'none':>9}{grown}")


if __name__ == "__main__":
    main()
