"""The structure of checkouts side by side: rooms, floors, arrows, lines, results, options, walks.

Usage: python benchmarks/structure.py [--at COMMIT|FOLDER]... [--json]

A commit is one of this repository, unpacked into a temporary folder; of a folder, what git tracks
counts, as it stands there. The first is what the last is compared with. Every tracked Python file
counts: what is installed, and `benchmarks`, `docs` and `tests`.

- Rooms are modules, in the packages that are installed. Units are the subpackages and lone modules
  of `pred_aware`, and each other package at the top. Floors: how many units the longest chain of
  imports has, where a circle counts as one. Circles are of modules, knots of units.
- Arrows are imports, once for each pair: at the top of a module, lazy (in a function), or for types
  alone. Up is what goes to a layer above, or beside where these are kept apart: by the contract of
  the checkout, or by today's order with the names that packages had (`structure_imports.py`).
- Lines are without blank ones. Docstrings are all texts that stand alone, below fields as well.
- Results are classes by the rule of `is_result`; options are counted by `declared_options` and
  `option_fields` (`structure_lines.py`). Names for two are those of classes of several modules.
- Walks are lists in `walks.toml`, read off the code by hand: no machine knows which of a module's
  imports a value passes. Rooms are the modules, each once; all must be in the checkout.
"""

import argparse
import json
import subprocess
import tarfile
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, TypeAlias

from structure_imports import (
    KINDS,
    TOP,
    arrows,
    between_units,
    circles,
    floors,
    layers,
    module_name,
    unit,
)
from structure_lines import (
    Source,
    classes,
    declared_options,
    is_result,
    is_riddle,
    option_fields,
    read_source,
)

HERE = Path(__file__).parent
LONG = 300
"""More lines than this, and a file is long."""

Counts: TypeAlias = dict[str, int]
"""Figures by name; those of packages have the package behind a colon."""


@contextmanager
def checkout(at: str) -> Iterator[Path]:
    """Give a folder with a commit's files, or the folder that it is."""
    if Path(at).is_dir():
        yield Path(at).resolve()
        return
    archive = ["git", "-C", str(HERE.parent), "archive", "--format=tar", at]
    done = subprocess.run(archive, capture_output=True, check=False)  # noqa: S603 - our own
    if done.returncode:
        raise SystemExit(f"--at {at}: {done.stderr.decode().strip()}")
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=BytesIO(done.stdout)) as packed:
            packed.extractall(folder, filter="data")
        yield Path(folder)


def python_files(root: Path) -> list[Path]:
    """Return the Python files of a checkout: those tracked, or all of what was unpacked."""
    if not (root / ".git").exists():
        return sorted(path.relative_to(root) for path in root.rglob("*.py"))
    listed = subprocess.check_output(["git", "-C", root, "ls-files", "*.py"], text=True)  # noqa: S603, S607
    return sorted(Path(name) for name in listed.splitlines() if (root / name).exists())


def counted(root: Path) -> Counts:
    """Count everything of a checkout but its walks."""
    sources = [read_source(root, path) for path in python_files(root)]
    installed = {module_name(one.path): one for one in sources if one.path.parts[0] in TOP}
    return {
        **_structure(root, installed),
        **_lines(sources),
        **_words(list(installed.values())),
    }


def _structure(root: Path, installed: dict[str, Source]) -> Counts:
    packages = {name for name, one in installed.items() if one.path.name == "__init__.py"}
    imports = arrows({name: one.tree for name, one in installed.items()}, packages=packages)
    units = between_units(imports)
    order = layers(root / "pyproject.toml")
    up, up_units = order.upward(imports), order.upward(units)
    kinds, unit_kinds = Counter(imports.values()), Counter(units.values())
    around = [len(circle) for circle in circles(imports) if circle[1:]]
    knots = [len(knot) for knot in circles(units) if knot[1:]]
    return {
        "rooms": len(installed),
        "packages": len({one.path.parent for one in installed.values()}),
        "units": len({unit(name) for name in installed}),
        "floors": floors(units),
        "arrows between modules": len(imports),
        **{f"  {kind}": kinds[kind] for kind in KINDS},
        "arrows between units": len(units),
        **{f"  {kind} ": unit_kinds[kind] for kind in KINDS},
        "circles of modules": len(around),
        "  modules in them": sum(around),
        "knots of units": len(knots),
        "  units in them": sum(knots),
        "arrows up, between modules": sum(up.values()),
        "arrows up, between units": sum(up_units.values()),
        **{f"arrows up: {name}": count for name, count in up.items()},
    }


def _lines(sources: list[Source]) -> Counts:
    totals: Counts = defaultdict(int)
    for one in sources:
        top = one.path.parts[0] if one.path.parts[1:] else "others"
        of = unit(module_name(one.path)) if top in TOP else top
        totals["files"] += 1
        totals[f"files above {LONG} lines"] += one.lines > LONG
        for kind, count in (("code", one.code), ("docstrings", one.docstrings)):
            tests = top == "tests"
            totals[f"lines of {kind}, tests" if tests else f"lines of {kind}, without tests"] += (
                count
            )
            totals[f"lines of {kind}: {of}"] += count
        totals["lines of comments"] += one.comments
    return dict(sorted(totals.items(), key=lambda one: (":" in one[0], one[0])))


def _words(installed: list[Source]) -> Counts:
    named = Counter(name for one in installed for name in {node.name for node in classes(one)})
    return {
        "result classes": sum(is_result(one, node) for one in installed for node in classes(one)),
        "options declared": sum(map(declared_options, installed)),
        "options as fields": sum(map(option_fields, installed)),
        "class names for two or more": sum(count > 1 for count in named.values()),
        "module docstrings What, How, Which, Who": sum(map(is_riddle, installed)),
    }


def walks(root: Path) -> tuple[Counts, list[str]]:
    """Count the walks of a checkout, and say which can't be, for want of modules.

    That which was filled in last is taken, if all its modules are there, else that of before.
    """
    found: Counts = {}
    missing: list[str] = []
    for name, walk in tomllib.loads((HERE / "walks.toml").read_text()).items():
        lists = [walk[which] for which in ("after", "before") if walk[which]["places"]]
        lacking = [_lacking(root, one["places"]) for one in lists]
        if all(lacking):
            missing.append(f"not there, of walk {name}: {', '.join(lacking[0])}")
            continue
        one = lists[lacking.index([])]
        found[f"walk {name}, rooms"] = len({_module(place) for place in one["places"]})
        found[f"walk {name}, places"] = len(one["places"])
        found[f"walk {name}, changes of type"] = len(one["forms"])
    return found, missing


def _module(place: str) -> str:
    return place.partition(":")[0]


def _lacking(root: Path, places: list[str]) -> list[str]:
    found = []
    for module in dict.fromkeys(map(_module, places)):
        path = root / module.replace(".", "/")
        if not (path.with_suffix(".py").exists() or (path / "__init__.py").exists()):
            found.append(module)
    return found


def long_files(root: Path) -> set[str]:
    """Return the files that are long."""
    files = python_files(root)
    return {str(path) for path in files if len((root / path).read_text().splitlines()) > LONG}


def show(names: list[str], columns: list[Counts]) -> None:
    """Print a table of all figures, with the change from the first checkout to the last."""
    rows = list(dict.fromkeys(key for column in columns for key in column))
    groups = list(dict.fromkeys(row.partition(":")[0] for row in rows))
    rows.sort(key=lambda row: (groups.index(row.partition(":")[0]), row if ":" in row else ""))
    width = max(map(len, rows))
    cell = max(9, *(len(name) + 2 for name in names))
    heads = [*names, *(["change"] if columns[1:] else [])]
    print(" " * width + "".join(f"{head:>{cell}}" for head in heads))
    for row in rows:
        by_package = ":" in row
        values = [column.get(row, 0 if by_package else None) for column in columns]
        cells = ["-" if value is None else str(value) for value in values]
        first, last = values[0], values[-1]
        if columns[1:]:
            cells.append("" if first is None or last is None else f"{last - first:+}")
        print(f"{row:<{width}}" + "".join(f"{one:>{cell}}" for one in cells))


def main() -> None:
    """Count what is asked for, and print it."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--at", action="append", metavar="COMMIT|FOLDER", help="HEAD by default")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    asked = parser.parse_args()
    names: list[str] = asked.at or ["HEAD"]
    columns: list[Counts] = []
    notes: list[str] = []
    long: list[set[str]] = []
    for name in names:
        with checkout(name) as root:
            found, missing = walks(root)
            columns.append({**counted(root), **found})
            long.append(long_files(root))
            notes.append(f"{name}: up is measured by {layers(root / 'pyproject.toml').source}")
            notes += [f"{name}: {one}" for one in missing]
    known = {Path(file).name for file in long[0]}
    new = ", ".join(file for file in sorted(long[-1]) if Path(file).name not in known) or "none"
    notes.append(f"above {LONG} lines in {names[-1]}, and none of its name in {names[0]}: {new}")
    if asked.json:
        told: dict[str, Any] = {"at": names, "counts": columns, "notes": notes}
        print(json.dumps(told, indent=2))
    else:
        show(names, columns)
        print(*notes, sep="\n")


if __name__ == "__main__":
    main()
