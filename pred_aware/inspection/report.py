"""An inspection as a report: what it is called, and what stands in it."""

from typing import TYPE_CHECKING

from pred_aware.inspection.findings import Finding, about_size, findings
from pred_aware.inspection.pictures import pictures
from pred_aware.inspection.tables import tables
from pred_aware.recorded_queue.pictures import pictures as base_pictures
from pred_aware.recorded_queue.report import remarks as base_remarks
from pred_aware.report.page.content import report
from pred_aware.report.page.writing import write
from pred_aware.report.picture import figure_of, save
from pred_aware.report.remark import Block, Remark

if TYPE_CHECKING:
    from pathlib import Path

    from pred_aware.inspection.inspection import Inspection
    from pred_aware.recorded_queue.check import BaseCheck


def first_remarks(
    inspection: "Inspection", check: "BaseCheck | None" = None, *, apart: str = ""
) -> tuple[Remark, ...]:
    """Say what all figures depend on: a guessed size, and the queue of a base if one was simulated.

    Parameters
    ----------
    inspection
        What was found out about a log.
    check
        The recorded queue beside a simulated base's.
    apart
        What tells that the log's files are hardly of one machine, if anything does.
    """
    told = [*about_size(inspection)]
    if apart:
        two = Finding("odd", f"The files look like two machines: {apart}.", "Look at each alone.")
        told.insert(0, two)
    size = map(_remark, told)
    # which says it, too
    of_base = () if check is None else base_remarks(check)
    return of_base if check is not None and check.guessed else (*size, *of_base)


def remarks(inspection: "Inspection") -> tuple[Remark, ...]:
    """Say what looks odd, first of all how much."""
    found = findings(inspection)
    odd = sum(finding.kind == "odd" for finding in found)
    verdict = "Nothing looks odd."
    if odd:
        verdict = f"{odd} {'thing looks' if odd == 1 else 'things look'} odd (marked with !)."
    return (
        Remark(verdict, strong=True),
        *map(_remark, found),
    )


def _remark(finding: "Finding") -> Remark:
    return Remark(finding.text, finding.advice, odd=finding.kind == "odd")


def write_inspection(
    inspection: "Inspection", path: "Path", *, made: str, check: "BaseCheck | None" = None
) -> None:
    """Write the page: whole, or not at all; the same log gives the same bytes.

    Parameters
    ----------
    inspection
        What was found out about a log.
    path
        The file.
    made
        The command.
    check
        The recorded queue beside a simulated base's, to be told first.

    Raises
    ------
    InputError
        The file can't be written.
    """
    name = inspection.path.name
    overview, *others = tables(inspection)
    blocks: list[Block] = [first_remarks(inspection, check)]
    if check is not None:
        blocks += [*base_pictures(check), *check.tables()]
    blocks += [remarks(inspection), overview, *pictures(inspection), *others]
    write(path, report(name, under=_period(inspection), blocks=blocks, made=made))


def draw_inspection(
    inspection: "Inspection", path: "Path", *, check: "BaseCheck | None" = None
) -> None:
    """Draw the page's pictures into one file: whole, or not at all; always the same bytes.

    Raises
    ------
    PredAwareError, InputError
        The file can't be written, or its name ends in something else than .png, .svg or .pdf.
    """
    title = f"{inspection.path.name}, {_period(inspection)}"
    drawn = [*([] if check is None else base_pictures(check)), *pictures(inspection)]
    save(figure_of(drawn, title), path)


def _period(inspection: "Inspection") -> str:
    columns = inspection.columns
    return inspection.clock.period(columns.first, columns.last, jobs=len(columns))
