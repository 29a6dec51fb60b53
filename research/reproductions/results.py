"""Results of papers' claims, as files for other programs."""

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import astuple
from pathlib import Path

import msgspec

from pred_aware.report import BarChart
from reproductions.checks.claim import Found
from reproductions.reproducing import Reproduced
from workload_tools import written_whole


def write_csv(results: Iterable[Reproduced], path: Path) -> None:
    """Write a row for each claim and log of all papers.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    rows = (
        (claim.name, claim.place, claim.text, claim.figure, claim.kind, *astuple(found))
        for one in results
        for judged in one.judged
        for claim in (judged.claim,)
        for found in judged.found
    )
    _write_csv(
        [("claim", "place", "text", "figure", "kind", *Found.__dataclass_fields__), *rows], path
    )


def write_json(results: Iterable[Reproduced], path: Path) -> None:
    """Write all papers with their claims, and what was found of each.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    content = msgspec.json.encode([one.to_dict() for one in results])
    with written_whole(path) as file:
        file.write(msgspec.json.format(content, indent=2) + b"\n")


COLUMNS = (
    "paper", "place", "title", "axis", "unit", "part", "category", "series", "value", "low", "high",
)  # fmt: skip
"""Of the file of figures."""


def rows_of(papers: Iterable[tuple[str, Iterable[BarChart]]]) -> Iterator[tuple[object, ...]]:
    """Yield `COLUMNS`, and then a row for each bar of all figures."""
    yield COLUMNS
    for number, figures in papers:
        for drawn in figures:
            for part in drawn.parts:
                for bar in part.bars:
                    unit = "s" if drawn.unit == "h" else "share"
                    where = (number, drawn.place, drawn.title, drawn.axis, unit, part.title)
                    yield (*where, bar.category, bar.series, bar.value, bar.low, bar.high)


def write_figures(papers: Iterable[tuple[str, Iterable[BarChart]]], path: Path) -> None:
    """Write the bars of all figures, a row each.

    Raises
    ------
    InputError
        The file cannot be written.
    """
    _write_csv(rows_of(papers), path)


def _write_csv(rows: Iterable[Iterable[object]], path: Path) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    with written_whole(path) as file:
        file.write(text.getvalue().encode())
