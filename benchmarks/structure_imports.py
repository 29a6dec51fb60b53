"""The arrows of a checkout: which module imports which, the floors that makes, and its circles.

A module imports another where a statement names it: at its top, in a function (``lazy``) or for
types alone (``types``). What is imported in several ways counts once, as the first of these three.
A unit is a subpackage or a lone module of `pred_aware`, or another package at the top, whole.
"""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

KINDS = ("module", "lazy", "types")
Arrows: TypeAlias = dict[tuple[str, str], str]
"""The kind of each import, by who imports and what."""
TOP = ("pred_aware", "reproductions", "schedulers", "predictors", "workload_tools")
OLD_LAYERS = (
    *("__main__", "cli", "commands", "papers", "study | shadow | health | demo", "production"),
    *("campaign", "comparison", "page", "base_queue | explaining", "execution | prediction"),
    *("runs", "measures : at_best", "inputs : inspection", "report", "statistics"),
    *("errors | version", "simulator"),
)
"""The layers of checkouts without a contract: today's order, in the names that packages had.

As in a contract, ``|`` keeps those of a layer apart, and ``:`` does not.
"""

API = "pred_aware.<api>"
"""The unit of `pred_aware/__init__.py`, which imports what it publishes."""


def unit(module: str) -> str:
    """Return the unit that a module belongs to.

    >>> unit("pred_aware.runs.run"), unit("predictors.rules.knn"), unit("pred_aware")
    ('pred_aware.runs', 'predictors', 'pred_aware.<api>')
    """
    parts = module.split(".")
    if parts[0] != "pred_aware":
        return parts[0]
    return ".".join(parts[:2]) if parts[1:] else API


def module_name(path: Path) -> str:
    """Return the name that a file, relative to the checkout, is imported by."""
    parts = path.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def arrows(trees: Mapping[str, ast.Module], *, packages: AbstractSet[str]) -> Arrows:
    """Return all imports between modules.

    Parameters
    ----------
    trees
        The modules by name.
    packages
        Those that are a package's `__init__`.
    """
    found: Arrows = {}
    for name, tree in trees.items():
        package = name if name in packages else name.rpartition(".")[0]
        for imported, kind in _imports(tree, "module", package):
            target = imported
            while target and target not in trees:
                target = target.rpartition(".")[0]
            if target and target != name:
                known = found.get((name, target), KINDS[-1])
                found[name, target] = min(known, kind, key=KINDS.index)
    return found


def _imports(node: ast.AST, kind: str, package: str) -> Iterator[tuple[str, str]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((alias.name, kind) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            base = child.module or ""
            if child.level:
                above = package.split(".")[: len(package.split(".")) - child.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            yield from ((f"{base}.{alias.name}", kind) for alias in child.names)
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            yield from _imports(ast.Module(child.body, []), "types", package)
            yield from _imports(ast.Module(child.orelse, []), kind, package)
        elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) and kind == "module":
            yield from _imports(child, "lazy", package)
        else:
            yield from _imports(child, kind, package)


def between_units(imports: Arrows) -> Arrows:
    """Return the imports between units, each as the strongest of those between their modules."""
    found: Arrows = {}
    for (one, other), kind in imports.items():
        pair = unit(one), unit(other)
        if pair[0] != pair[1]:
            found[pair] = min(found.get(pair, KINDS[-1]), kind, key=KINDS.index)
    return found


def circles(pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Return all strongly connected components, those below first; lone ones too (Tarjan, 1972)."""
    below = defaultdict(list)
    for one, other in sorted(pairs):
        below[one].append(other)
        below[other] += ()
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in below[node]:
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            place = stack.index(node)
            found.append(sorted(stack[place:]))
            del stack[place:]

    for node in list(below):
        if node not in index:
            visit(node)
    return found


def floors(pairs: Iterable[tuple[str, str]]) -> int:
    """Return how many units the longest chain of imports has, where a circle counts as one."""
    pairs = list(pairs)
    components = circles(pairs)
    home = {node: number for number, nodes in enumerate(components) for node in nodes}
    height = [1] * len(components)
    for number, nodes in enumerate(components):
        lower = {home[other] for one, other in pairs if one in nodes} - {number}
        height[number] = 1 + max((height[one] for one in lower), default=0)
    return max(height, default=0)


@dataclass(frozen=True, slots=True)
class Layers:
    """Which units may import which."""

    order: Mapping[str, int]
    """The layer of each unit, from the top down; what has none may import and be imported."""
    apart: AbstractSet[str]
    """Those that must not import others of their layer."""
    source: str

    def upward(self, imports: Arrows) -> dict[str, int]:
        """Return how many imports each unit has of what is above, or beside and kept apart."""
        found: dict[str, int] = defaultdict(int)
        for one, other in imports:
            lower, upper = unit(one), unit(other)
            if lower == upper or not {lower, upper} <= self.order.keys():
                continue
            ahead = self.order[lower] - self.order[upper]
            if ahead > 0 or (not ahead and lower in self.apart):
                found[lower] += 1
        return dict(sorted(found.items()))


def layers(pyproject: Path) -> Layers:
    """Return the layers that a checkout's contract has, or those of old."""
    table: dict[str, Any] = tomllib.loads(pyproject.read_text())["tool"].get("importlinter", {})
    contracts = [one for one in table.get("contracts", ()) if one["type"] == "layers"]
    ours = [one for one in contracts if "pred_aware" in str(one.get("containers", one["layers"]))]
    rows = ours[0]["layers"] if ours else OLD_LAYERS
    before = "pred_aware." if not ours or "containers" in ours[0] else ""
    names = [[f"{before}{name.strip(' ()')}" for name in re.split("[|:]", row)] for row in rows]
    apart = {name for row, some in zip(rows, names, strict=True) if "|" in row for name in some}
    known = {name for some in names for name in some}
    above = [[name] for name in TOP[1:2] if name not in known]
    below = [[name] for name in TOP[2:] if name not in known]
    placed = enumerate([*above, *names, *below])
    order = {name: number for number, some in placed for name in some}
    return Layers(order, apart, "its own contract" if ours else "today's order, in old names")
