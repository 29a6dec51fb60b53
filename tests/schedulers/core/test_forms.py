"""The two forms of the core, and what its source has to keep to so that both are the same."""

import ast
import os
import re
from pathlib import Path

import pytest

from predictors import compiled
from tests.pred_aware.api.synthetic_log import write_log
from tests.pred_aware.command import python

ROOT = Path(compiled.__file__).parents[1]
TYPES = [one for name in compiled.PACKAGES for one in (ROOT / name).rglob("*.pxd")]
# what is compiled from a text of its own is compared elsewhere
COMPILED = sorted(one for one in TYPES if not one.with_suffix(".pyx").is_file())
SIMULATES = """
import hashlib
import sys
from pred_aware import read_log, simulate
from predictors import compiled
log = read_log(sys.argv[1])
print(compiled.form())
for name in ("easy", "easy_plus_plus", "conservative", "recommended", "wfp", "filler"):
    run = simulate(log, name)
    texts = [run.content(kind) or b"" for kind in ("jobs", "machine_states", "estimates", "trust")]
    print(name, hashlib.sha256(b"".join(texts)).hexdigest())
"""


def calls_in_ranges(tree: ast.AST) -> list[str]:
    """Calls but ``len`` inside of ``range``: C evaluates its arguments in another order."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    ranges = [one for one in calls if ast.unparse(one.func) == "range"]
    return [
        ast.unparse(one)
        for one in ranges
        for argument in one.args
        for inside in ast.walk(argument)
        if isinstance(inside, ast.Call) and ast.unparse(inside.func) != "len"
    ]


def other_in_c(tree: ast.AST) -> list[str]:
    """Shifts that overflow beyond 63 bits without a word, and quotients that are rounded first.

    A quotient by 1.0 is exact.
    """
    found = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp)]
    return [
        ast.unparse(one)
        for one in found
        if isinstance(one.op, ast.LShift | ast.FloorDiv) and ast.unparse(one.right) != "1.0"
    ]


def names_in(pxd: str) -> set[str]:
    """The functions, methods and local variables that a file of types names."""
    names = set(re.findall(r"cpdef [\w?. ]*?(\w+)\(", pxd))
    for told in re.findall(r"@cython\.locals\((.*)\)", pxd):
        names |= set(re.findall(r"(\w+)=", told))
    return names


@pytest.mark.parametrize("pxd", COMPILED, ids=lambda one: one.stem)
def test_the_source_uses_only_constructs_that_are_equal_in_c(pxd: Path) -> None:
    tree = ast.parse(pxd.with_suffix(".py").read_text())
    assert calls_in_ranges(tree) == []
    assert other_in_c(tree) == []


@pytest.mark.parametrize("pxd", COMPILED, ids=lambda one: one.stem)
def test_every_declared_name_exists(pxd: Path) -> None:
    source = pxd.with_suffix(".py").read_text()
    known = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    known |= set(re.findall(r"def (\w+)", source))
    assert names_in(pxd.read_text()) <= known


def test_the_lints_find_their_mistakes() -> None:
    tree = ast.parse("for place in range(first(), len(steps)):\n    mask = 1 << place // 2 // 1.0")
    assert calls_in_ranges(tree) == ["range(first(), len(steps))"]
    assert other_in_c(tree) == ["1 << place // 2 // 1.0", "place // 2"]


@pytest.mark.skipif(compiled.form() != "compiled", reason="the core is not compiled here")
def test_the_compiled_and_the_python_form_give_the_same_bytes(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.swf", jobs=400)
    told = []
    for pure in ("0", "1"):
        ended = python("-c", SIMULATES, str(log), env={**os.environ, compiled.PURE: pure})
        assert ended.code == 0, ended.err
        told.append(ended.out.splitlines())
    assert [one[0] for one in told] == ["compiled", "python"]
    assert told[0][1:] == told[1][1:]
    assert len(set(told[0])) == len(told[0])
