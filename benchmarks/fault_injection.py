"""Fault injection: how many of 60 faults, drawn by seed, the test suite finds.

Usage:
    python benchmarks/fault_injection.py draw [--seed 49] [--count 60] > faults.json
    python benchmarks/fault_injection.py trace faults.json > traced.json
    python benchmarks/fault_injection.py run faults.json traced.json RESULTS.json
    python benchmarks/fault_injection.py compare BEFORE.json AFTER.json

`draw` changes one operator, comparison, constant or condition in a code line of schedulers,
readers, predictors, the simulator and the statistics. A fault is found again in another commit by
its function and line, so the files may move. The other commands need a clean checkout with its
`.venv`. `trace` runs the suite once and notes which tests execute which line, in processes that
they start, too. `run` applies one fault after another, runs the tests that execute its line until
one fails, and restores the file. Tests that take over 5 minutes count as failed, because some
faults loop for ever. Results are written after each fault; a repeated `run` continues.
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
import tempfile
import time
from collections.abc import Iterator
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
SUITE_SECONDS = 300
FEW_TESTS = 200
"""Fewer tests run faster in one process than in several, which import everything first."""
TRACER = '''
import os

seen = set()


def reached(number, value):
    """Note that the current test executes a line, and return the value of its expression."""
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
    if (number, test) not in seen:
        seen.add((number, test))
        with open(os.path.join(os.environ["FAULT_TRACE"], str(os.getpid())), "a") as file:
            file.write(f"{number} {test}\\n")
    return value
'''
"""A module that `trace` puts beside the packages for as long as it runs."""
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


def read_faults(path: Path) -> list[Fault]:
    """Read what `draw` printed."""
    return [Fault(**fault) for fault in json.loads(path.read_text())]


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


def replaced(fault: Fault, path: Path, index: int, new: str) -> str:
    """Return the text of a file with another expression in place of the fault's."""
    lines = path.read_text().splitlines(keepends=True)
    line = lines[index]
    start = len(line) - len(line.lstrip()) + fault.column
    assert line[start : start + len(fault.before)] == fault.before
    lines[index] = line[:start] + new + line[start + len(fault.before) :]
    return "".join(lines)


def trace(faults: list[Fault]) -> dict[int, list[str]]:
    """Return the tests that execute each fault's line; "" stands for the collection of tests."""
    originals: dict[Path, str] = {}
    tracer = ROOT / "fault_trace.py"
    try:
        tracer.write_text(TRACER)
        for number, fault in enumerate(faults):
            at = place(fault)
            if at is None:
                continue
            path, index = at
            originals.setdefault(path, path.read_text())
            new = f"__import__('fault_trace').reached({number}, {fault.before})"
            path.write_text(replaced(fault, path, index, new))
        with tempfile.TemporaryDirectory() as folder:
            os.environ["FAULT_TRACE"] = folder
            command = [str(ROOT / ".venv/bin/python"), "-m", "pytest", "-q"]
            subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=False)  # noqa: S603
            lines = {
                line for file in Path(folder).iterdir() for line in file.read_text().splitlines()
            }
    finally:
        tracer.unlink()
        for path, text in originals.items():
            path.write_text(text)
    found: dict[int, list[str]] = {number: [] for number in range(len(faults))}
    for line in sorted(lines):
        number, _, test = line.partition(" ")
        found[int(number)].append(test)
    return found


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


def tests_for(path: Path, traced: list[str]) -> Iterator[list[str]]:
    """Yield arguments of pytest: the tests that execute a line, all tests where that is unknown."""
    near = nearest_tests(str(path.relative_to(ROOT)))
    # without parameters, whose names may have line breaks
    functions = {test.partition("[")[0] for test in traced if test.startswith("tests/")}
    tests = sorted(functions, key=lambda test: (not test.startswith(near), test))
    if not tests or "" in traced:
        yield [near]
    if tests:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("\n".join(tests))
            file.flush()
            yield [*(["-n", "0"] if len(tests) < FEW_TESTS else []), f"@{file.name}"]
    if not tests or "" in traced:
        yield []


def run(faults: list[Fault], traced: dict[str, list[str]], results: Path) -> None:
    """Apply each fault, run the tests, and write which test found it."""
    known: dict[str, Any] = json.loads(results.read_text()) if results.exists() else {}
    for number, fault in enumerate(faults):
        if str(number) in known:
            continue
        at = place(fault)
        started = time.monotonic()
        found = ""
        if at is None:
            found = "the line is gone"
        else:
            path, index = at
            original = path.read_text()
            path.write_text(replaced(fault, path, index, fault.after))
            try:
                for tests in tests_for(path, traced[str(number)]):
                    found = found or failing_test(tests)
            finally:
                path.write_text(original)
        known[str(number)] = {**asdict(fault), "found_by": found}
        results.write_text(json.dumps(known, indent=1) + "\n")
        seconds = time.monotonic() - started
        what = f"{fault.path} {fault.before} -> {fault.after}"
        print(f"{number} {what}: {found or 'NOT FOUND'} ({seconds:.0f} s)", flush=True)


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
    tracing = commands.add_parser("trace")
    tracing.add_argument("faults", type=Path)
    running = commands.add_parser("run")
    running.add_argument("faults", type=Path)
    running.add_argument("traced", type=Path)
    running.add_argument("results", type=Path)
    comparing = commands.add_parser("compare")
    comparing.add_argument("before", type=Path)
    comparing.add_argument("after", type=Path)
    arguments = parser.parse_args()
    match arguments.command:
        case "draw":
            drawn = draw(arguments.seed, arguments.count)
            print(json.dumps([asdict(fault) for fault in drawn], indent=1))
        case "trace":
            print(json.dumps(trace(read_faults(arguments.faults)), indent=1))
        case "run":
            traced = json.loads(arguments.traced.read_text())
            run(read_faults(arguments.faults), traced, arguments.results)
        case _:
            sys.exit(compare(arguments.before, arguments.after) > MOST_LOST)


if __name__ == "__main__":
    main()
