"""An inspection as a report: what it is called, and what stands in it."""

from typing import TYPE_CHECKING

from pred_aware.inspection.findings import findings
from pred_aware.inspection.pictures import pictures
from pred_aware.inspection.tables import tables
from pred_aware.report.page import Block, Remark, write_page

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
    name, columns = inspection.path.name, inspection.columns
    under = inspection.clock.period(columns.first, columns.last, jobs=len(columns))
    overview, *others = tables(inspection)
    blocks: list[Block] = [remarks(inspection), overview, *pictures(inspection), *others]
    made = f"pred-aware inspect {name} --html FILE"
    write_page(path, name, under=under, blocks=blocks, made=made)
