"""Fault injection: how many of 60 faults, drawn by seed, the test suite finds.

Usage:
    python benchmarks/fault_injection.py draw [--seed 49] [--count 60] > faults.json
    python benchmarks/fault_injection.py run faults.json RESULTS.json [--only N ...]
    python benchmarks/fault_injection.py compare BEFORE.json AFTER.json

`draw` changes one operator, comparison, constant or condition in a code line of schedulers,
readers, predictors, the simulator and the statistics. A fault is found again in another commit by
its function and line, so the files may move. `run` needs a clean checkout with its `.venv`: it
applies one fault after another, runs the tests of the same folder first and then all tests, stops
at the first failure and restores the file. A suite that takes over 20 minutes counts as a failure,
because some faults loop for ever. Results are written after each fault; a repeated `run` continues.
"""

import argparse
import ast
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PARTS = {
    "schedulers": ("schedulers",),
    "readers": ("workload_tools",),
    "predictors": ("predictors",),
    "simulator": ("pred_aware/simulator", "pred_aware/execution"),
    "statistics": ("pred_aware/statistics", "pred_aware/metrics", "pred_aware/effects"),
}
"""Folders that faults are drawn from; each part gets the same number."""

COMPARISONS = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
}
SUITE_SECONDS = 1200
MOST_LOST = 2
"""So many faults may be lost before `compare` ends with exit code 1."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One changed expression."""

    part: str
    path: str
    """File, relative to the checkout it was drawn from."""
    function: str
    """Qualified name of the function around it."""
    line: str
    """The source line without indentation."""
    column: int
    """Where the expression begins in the line, without indentation."""
    before: str
    after: str


def changed(node: ast.expr) -> ast.expr | None:
    """Return a faulty copy of an expression, or None where no fault is known for it."""
    match node:
        case ast.Compare(left, [operator], comparators) if type(operator) in COMPARISONS:
            return ast.Compare(left, [COMPARISONS[type(operator)]()], comparators)
        case ast.BinOp(left, operator, right) if type(operator) in OPERATORS:
            return ast.BinOp(left, OPERATORS[type(operator)](), right)
        case ast.BoolOp(operator, values):
            other = ast.Or() if isinstance(operator, ast.And) else ast.And()
            return ast.BoolOp(other, values)
        case ast.UnaryOp(ast.Not(), operand):
            return operand
        case ast.Constant(bool() | int() | float() as value):
            return ast.Constant(not value if isinstance(value, bool) else value + 1)
    return None


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield each function with its qualified name."""

    def inside(node: ast.AST, names: tuple[str, ...]) -> Iterator[tuple[str, ast.FunctionDef]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef):
                yield ".".join((*names, child.name)), child
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                yield from inside(child, (*names, child.name))

    yield from inside(tree, ())


def faults_of(part: str, path: Path) -> Iterator[Fault]:
    """Yield every fault that is possible in the functions of a file."""
    text = (ROOT / path).read_text()
    lines = text.splitlines()
    for name, function in functions(ast.parse(text)):
        for statement in function.body:
            for node in ast.walk(statement):
                if not isinstance(node, ast.expr) or node.lineno != node.end_lineno:
                    continue
                faulty = changed(node)
                before = ast.get_source_segment(text, node)
                if faulty is None or before is None:
                    continue
                line = lines[node.lineno - 1]
                if not line.isascii():
                    continue
                indentation = len(line) - len(line.lstrip())
                yield Fault(
                    part=part,
                    path=path.as_posix(),
                    function=name,
                    line=line.strip(),
                    column=node.col_offset - indentation,
                    before=before,
                    after=f"({ast.unparse(faulty)})",
                )


def draw(seed: int, count: int) -> list[Fault]:
    """Draw faults, the same number from each part, at most one from a function."""
    rng = random.Random(seed)  # noqa: S311 - a draw, not a secret
    drawn: list[Fault] = []
    for part, folders in PARTS.items():
        tracked = subprocess.run(  # noqa: S603 - our own
            ["git", "ls-files", *folders],  # noqa: S607
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        candidates = [
            fault
            for path in sorted(tracked)
            if path.endswith(".py")
            for fault in faults_of(part, Path(path))
        ]
        rng.shuffle(candidates)
        seen = set[tuple[str, str]]()
        for fault in candidates:
            if len(seen) == count // len(PARTS):
                break
            if (fault.path, fault.function) not in seen:
                seen.add((fault.path, fault.function))
                drawn.append(fault)
    return drawn


def place(fault: Fault) -> tuple[Path, int] | None:
    """Return the file and the line's index where the fault belongs in this checkout."""
    here = ROOT / fault.path
    rest = [
        path for folders in PARTS.values() for one in folders for path in (ROOT / one).rglob("*.py")
    ]
    for path in [here, *sorted(rest)]:
        if not path.exists():
            continue
        text = path.read_text()
        if fault.line not in text:
            continue
        lines = text.splitlines()
        for name, function in functions(ast.parse(text)):
            if name.split(".")[-1] != fault.function.split(".")[-1]:
                continue
            for index in range(function.lineno - 1, function.end_lineno or function.lineno):
                if lines[index].strip() == fault.line:
                    return path, index
    return None


def applied(fault: Fault, path: Path, index: int) -> str:
    """Return the text of a file with the fault in it."""
    lines = path.read_text().splitlines(keepends=True)
    line = lines[index]
    start = len(line) - len(line.lstrip()) + fault.column
    assert line[start : start + len(fault.before)] == fault.before
    lines[index] = line[:start] + fault.after + line[start + len(fault.before) :]
    return "".join(lines)


def failing_test(tests: list[str]) -> str:
    """Run tests until one fails; return its name, "hangs", or "" if all pass."""
    command = [
        str(ROOT / ".venv/bin/python"),
        "-m",
        "pytest",
        "-x",
        "-q",
        "--no-header",
        *tests,
    ]
    with subprocess.Popen(  # noqa: S603 - our own
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=SUITE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return "hangs"
    if process.returncode in {0, 5}:
        return ""
    failed = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - |$)", output, re.MULTILINE)
    return failed.group(1) if failed else output.strip().splitlines()[-1]


def nearest_tests(path: str) -> str:
    """Return the folder of tests that mirrors a module's folder."""
    folder = Path("tests") / Path(path).parent
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    return folder.as_posix()


def run(faults: list[Fault], results: Path, only: list[int]) -> None:
    """Apply each fault, run the tests, and write which test found it."""
    known: dict[str, Any] = json.loads(results.read_text()) if results.exists() else {}
    for number, fault in enumerate(faults):
        if str(number) in known or (only and number not in only):
            continue
        at = place(fault)
        started = time.monotonic()
        if at is None:
            found = "the line is gone"
        else:
            path, index = at
            original = path.read_text()
            path.write_text(applied(fault, path, index))
            try:
                near = nearest_tests(str(path.relative_to(ROOT)))
                found = failing_test([near]) or failing_test([])
            finally:
                path.write_text(original)
        known[str(number)] = {**asdict(fault), "found_by": found}
        results.write_text(json.dumps(known, indent=1) + "\n")
        seconds = time.monotonic() - started
        print(
            f"{number} {fault.path} {fault.before} -> {fault.after}: {found} ({seconds:.0f} s)",
            flush=True,
        )


def compare(before: Path, after: Path) -> int:
    """Print the faults that only the first suite found; return how many."""
    old, new = json.loads(before.read_text()), json.loads(after.read_text())
    lost = [
        number
        for number in old
        if old[number]["found_by"] and not new.get(number, {}).get("found_by")
    ]
    for name, some in (("before", old), ("after", new)):
        print(f"{name}: {sum(bool(one['found_by']) for one in some.values())} of {len(some)} found")
    gone = sum(one["found_by"] == "the line is gone" for one in new.values())
    print(f"after: {gone} lines are gone")
    for number in lost:
        one = old[number]
        print(f"lost: {number} {one['path']} {one['function']}: {one['line']}")
        print(f"      {one['before']} -> {one['after']}")
    return len(lost)


def main() -> None:
    """Draw faults, run them, or compare two runs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    drawing = commands.add_parser("draw")
    drawing.add_argument("--seed", type=int, default=49)
    drawing.add_argument("--count", type=int, default=60)
    running = commands.add_parser("run")
    running.add_argument("faults", type=Path)
    running.add_argument("results", type=Path)
    running.add_argument("--only", type=int, nargs="*", default=[])
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    arguments = parser.parse_args()
    actions: dict[str, Callable[[], object]] = {
        "draw": lambda: print(
            json.dumps([asdict(one) for one in draw(arguments.seed, arguments.count)], indent=1)
        ),
        "run": lambda: run(
            [Fault(**one) for one in json.loads(arguments.faults.read_text())],
            arguments.results,
            arguments.only,
        ),
        "compare": lambda: sys.exit(compare(arguments.before, arguments.after) > MOST_LOST),
    }
    actions[arguments.command]()


if __name__ == "__main__":
    main()
