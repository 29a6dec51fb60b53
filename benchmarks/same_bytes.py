"""Check whether two versions write the same bytes with every command, on small inputs.

Usage: python benchmarks/same_bytes.py BEFORE AFTER [--without CATEGORY] [--only SECTION]
           [--skip SECTION] [--jobs N] [--keep FOLDER]

BEFORE and AFTER are checkouts with a `.venv` each. `same_bytes.toml` has the commands. For each
command, the script compares the exit code (category `exit`), standard output (`stdout`), standard
error (`stderr`) and the written files (`files`). It also compares the help of all commands
(`help`). Files are unpacked first, and SQLite is compared as statements. Measured times and dates
of today are ignored: `VOLATILE` and `MEASURED` in `same_bytes_outputs.py`.

The section `demo` takes as long as all others together; `--skip demo` omits it. With --keep the
outputs stay in a folder. A version whose outputs are already there is not run again if its checkout
has the same commit and no changes. Exit code 1: something differs.
"""

import argparse
import json
import shlex
import sys
import tempfile
import tomllib
from collections import Counter
from pathlib import Path

from same_bytes_outputs import Outputs, Side

HERE = Path(__file__).parent
CATEGORIES = ("help", "exit", "stdout", "stderr", "files")
SHOWN = 60
"""How many characters of each side are shown around the first difference."""


def first_difference(before: str | None, after: str | None) -> str:
    """Return the line and place of the first difference of two texts, with both excerpts."""
    if before is None or after is None:
        return "only " + ("after" if before is None else "before")
    pairs = enumerate(zip(before, after, strict=False))
    shorter = min(len(before), len(after))
    same = next((place for place, (one, other) in pairs if one != other), shorter)
    line = before.count("\n", 0, same) + 1
    start = max(0, same - 20)
    shown = [repr(text[start : same + SHOWN]) for text in (before, after)]
    return f"line {line}, character {same}: {shown[0]} -> {shown[1]}"


def command_lines() -> argparse.ArgumentParser:
    """Return the parser of the script's arguments."""
    assert __doc__ is not None
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--without", action="append", default=[], choices=CATEGORIES)
    parser.add_argument("--only", action="append", default=[], metavar="SECTION")
    parser.add_argument("--skip", action="append", default=[], metavar="SECTION")
    parser.add_argument("--jobs", type=int, default=1, metavar="N")
    parser.add_argument(
        "--keep",
        type=Path,
        metavar="FOLDER",
        help="keep the outputs in this folder, and reuse those of the same commit",
    )
    return parser


def compare(before: Outputs, after: Outputs, *, lines: dict[str, list[str]]) -> int:
    """Print a line for each difference and a summary; return the number of differences."""
    counts, differences = Counter[str](), Counter[str]()
    for place in sorted(before.keys() | after.keys()):
        counts[place.category] += 1
        if before.get(place) == after.get(place):
            continue
        differences[place.category] += 1
        line = lines[place.section][place.number] if place.section in lines else ""
        where = first_difference(before.get(place), after.get(place))
        print(f"{place.section}: {line} | {place.category} {place.file}: {where}")
    told = (f"{kind} {differences[kind]} of {counts[kind]}" for kind in CATEGORIES if counts[kind])
    print(f"differ: {', '.join(told)}")
    return differences.total()


def tell_not_run(commands: set[str], lines: dict[str, list[str]], *, side: str) -> None:
    """Print the commands of a version that no line of `same_bytes.toml` runs."""
    run = {tuple(shlex.split(line)) for some in lines.values() for line in some}
    leaves = {one for one in commands if not any(other.startswith(f"{one} ") for other in commands)}
    left = sorted(
        one
        for one in leaves - {""}
        if not any(line[: len(one.split())] == tuple(one.split()) for line in run)
    )
    print(f"{side}: only the help of these commands was compared: {', '.join(left) or 'none'}")


def main() -> None:
    """Run the commands of both versions and compare their outputs."""
    asked = command_lines().parse_args()
    given = tomllib.loads((HERE / "same_bytes.toml").read_text())
    sections: dict[str, list[str]] = {
        name: text.splitlines()
        for name, text in given["sections"].items()
        if name not in asked.skip and (not asked.only or name in asked.only)
    }
    with tempfile.TemporaryDirectory(prefix="same-", ignore_cleanup_errors=True) as scratch:
        folder = Path(asked.keep or scratch).resolve()
        one = Side(asked.before.resolve(), folder / "one")
        two = Side(asked.after.resolve(), folder / "two")
        for side in (one, two):
            side.run(sections, given["files"], copies=given["copies"], jobs=asked.jobs)
        before, after = (
            {place: text for place, text in found.items() if place.category not in asked.without}
            for found in (one.outputs(sections), two.outputs(sections))
        )
        for side, which in ((one, "before"), (two, "after")):
            helps = json.loads((side.folder / "report" / "helps.json").read_text())
            tell_not_run(set(helps), sections, side=which)
    sys.exit(1 if compare(before, after, lines=sections) else 0)


if __name__ == "__main__":
    main()
