"""The lines of a Python file: code, docstrings, comments; and what its syntax tree tells."""

import ast
import re
from dataclasses import dataclass
from pathlib import Path

RESULTS = ("comparison", "campaign", "effects", "study", "shadow", "rehearsal", "papers")
INTERVALS = (
    *("Difference", "Interval", "OtherYears", "ByWeeks", "InYears", "InWeeks", "GroupChange"),
    *("Effect", "Change", "OverWeeks", "LowerBound"),
)
RIDDLES = ("What ", "How ", "Which ", "Who ")


@dataclass(frozen=True, slots=True)
class Source:
    """A Python file of a checkout."""

    path: Path
    """Relative to the checkout."""
    tree: ast.Module
    code: int
    """Lines with anything but docstrings and comments; so with `docstrings` and `comments`."""
    docstrings: int
    comments: int
    lines: int
    """All of them."""


def read_source(root: Path, path: Path) -> Source:
    """Read a file, and count its lines."""
    text = (root / path).read_text()
    tree = ast.parse(text)
    documented, quoted = set[int](), set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr):
            quoted.update(_lines(node)[1:])
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            # a text that stands alone: a docstring, also of what stands above it
            documented.update(_lines(node) if isinstance(node.value.value, str) else ())
    lines = text.splitlines()
    told = {number for number, line in enumerate(lines, 1) if line.strip()}
    noted = {number for number in told if lines[number - 1].lstrip().startswith("#")} - quoted
    code = told - documented - noted
    return Source(path, tree, len(code), len(documented & told), len(noted), len(lines))


def _lines(node: ast.expr | ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def is_riddle(source: Source) -> bool:
    """Return whether the module's docstring begins with What, How, Which or Who."""
    return (ast.get_docstring(source.tree) or "").startswith(RIDDLES)


def classes(source: Source) -> list[ast.ClassDef]:
    """Return the classes at the top of a module."""
    return [node for node in source.tree.body if isinstance(node, ast.ClassDef)]


def is_result(source: Source, node: ast.ClassDef) -> bool:
    """Return whether a class holds what a comparison found.

    That is one in the packages `RESULTS` (or in `reproductions`), which is a dataclass, a struct or
    a named tuple, and has a field whose type names one of `INTERVALS` (a value with its interval or
    one that has such) or fields of a value and what it is held against (``base``, ``exact``), or of
    a value's interval (``low`` and ``high``).
    """
    parts = source.path.parts
    if not (parts[0] == "reproductions" or (len(parts) > 1 and parts[1] in RESULTS)):
        return False
    about = [*map(ast.unparse, node.decorator_list), *map(ast.unparse, node.bases)]
    if not any("dataclass" in text or "Struct" in text or "NamedTuple" in text for text in about):
        return False
    fields = {
        one.target.id: ast.unparse(one.annotation)
        for one in node.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    }
    words = set(re.findall(r"\w+", " ".join(fields.values())))
    names = set(fields)
    pairs = ({"value", "base"}, {"value", "exact"}, {"low", "high"})
    return bool(words & set(INTERVALS)) or any(pair <= names for pair in pairs)


def declared_options(source: Source) -> int:
    """Return how many options are declared: calls of typer's two, and of what stands for them."""
    ours = ("argument", "flag", "option") if "commands" in source.path.parts[:2] else ()
    return sum(
        isinstance(node, ast.Call)
        and ast.unparse(node.func) in ("typer.Option", "typer.Argument", *ours)
        for node in ast.walk(source.tree)
    )


def option_fields(source: Source) -> int:
    """Return how many fields dataclasses of `commands` have whose annotation declares no option."""
    if "commands" not in source.path.parts[:2]:
        return 0
    return sum(
        isinstance(field, ast.AnnAssign) and "typer." not in ast.unparse(field)
        for node in classes(source)
        if any("dataclass" in ast.unparse(one) for one in node.decorator_list)
        for field in node.body
    )
