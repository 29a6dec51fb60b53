"""An inspection as a report: what it is called, and what stands in it."""

from typing import TYPE_CHECKING

from pred_aware.inspection.findings import findings
from pred_aware.inspection.pictures import pictures
from pred_aware.inspection.tables import tables
from pred_aware.report.page import Block, Remark, write_page
from pred_aware.report.picture import figure_of, save

if TYPE_CHECKING:
    from pathlib import Path

    from pred_aware.inspection.inspection import Inspection


def remarks(inspection: "Inspection") -> tuple[Remark, ...]:
    """Say what looks odd, first of all how much."""
    found = findings(inspection)
    odd = sum(finding.kind == "odd" for finding in found)
    verdict = "Nothing looks odd."
    if odd:
        verdict = f"{odd} {'thing looks' if odd == 1 else 'things look'} odd (marked with !)."
    return (
        Remark(verdict, strong=True),
        *(Remark(one.text, one.advice, odd=one.kind == "odd") for one in found),
    )


def write_inspection(inspection: "Inspection", path: "Path") -> None:
    """Write the page: whole, or not at all; the same log gives the same bytes.

    Raises
    ------
    InputError
        The file can't be written.
    """
    name = inspection.path.name
    overview, *others = tables(inspection)
    blocks: list[Block] = [remarks(inspection), overview, *pictures(inspection), *others]
    made = f"pred-aware inspect {name} --html FILE"
    write_page(path, name, under=_period(inspection), blocks=blocks, made=made)


def draw_inspection(inspection: "Inspection", path: "Path") -> None:
    """Draw the page's pictures into one file: whole, or not at all; always the same bytes.

    Raises
    ------
    PredAwareError, InputError
        The file can't be written, or its name ends in something else than .png, .svg or .pdf.
    """
    title = f"{inspection.path.name}, {_period(inspection)}"
    save(figure_of(list(pictures(inspection)), title), path)


def _period(inspection: "Inspection") -> str:
    columns = inspection.columns
    return inspection.clock.period(columns.first, columns.last, jobs=len(columns))
