"""Report on an inspection: remarks, tables, pictures, JSON and page."""

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from pred_aware.inspection.findings import findings
from pred_aware.inspection.odd_jobs import Oddity
from pred_aware.inspection.odd_log import about_size
from pred_aware.inspection.pictures import pictures
from pred_aware.inspection.tables import tables
from pred_aware.recorded_queue.pictures import pictures as baseline_pictures
from pred_aware.recorded_queue.sentences import remarks as baseline_remarks
from pred_aware.report.page.content import Content, report
from pred_aware.report.picture import Picture
from pred_aware.report.result import Result
from pred_aware.report.sentence import Block, Remark
from pred_aware.report.table import Table
from pred_aware.report.terminal import console, show
from pred_aware.site_inference.report import blocks as inferred_blocks

if TYPE_CHECKING:
    from pred_aware.inspection.inspection import Inspection
    from pred_aware.log.site_on_log import SiteOnLog
    from pred_aware.recorded_queue.baseline_check import BaselineCheck
    from pred_aware.site_inference.inferred_site import InferredSite


def first_remarks(
    inspection: "Inspection", check: "BaselineCheck | None" = None, *, apart: str = ""
) -> tuple[Remark, ...]:
    """Return remarks that affect all results: on a guessed size, and on a baseline's similarity.

    Parameters
    ----------
    inspection
        The inspection of a log.
    check
        Comparison of the recorded queue with the queue of a simulated baseline.
    apart
        Evidence that the log's files are from different machines; empty if there is none.
    """
    texts = [*about_size(inspection)]
    if apart:
        two = Oddity(
            "odd", f"The files look like two machines: {apart}.", "Inspect each file separately."
        )
        texts.insert(0, two)
    size = map(_remark, texts)
    # the baseline's remarks already mention the guessed size
    of_baseline = () if check is None else baseline_remarks(check)
    return of_baseline if check is not None and check.guessed else (*size, *of_baseline)


def remarks(inspection: "Inspection") -> tuple[Remark, ...]:
    """Return the findings as remarks; the first remark is the number of odd findings."""
    found = findings(inspection)
    odd = sum(finding.kind == "odd" for finding in found)
    verdict = "Nothing looks odd."
    if odd:
        verdict = f"{odd} {'thing looks' if odd == 1 else 'things look'} odd (marked with !)."
    return (
        Remark(verdict, strong=True),
        *map(_remark, found),
    )


def _remark(finding: "Oddity") -> Remark:
    return Remark(finding.text, finding.advice, odd=finding.kind == "odd")


class InspectionReport(Result):
    """The report on an inspection.

    Parameters
    ----------
    inspection
        The inspection of a log.
    check
        Comparison of the recorded queue with the queue of a simulated baseline, shown first.
    apart
        Evidence that the log's files are from different machines; empty if there is none.
    on_site
        The jobs compared with a site's nodes and rules, if a site is given.
    base
        The site with the rules inferred from the log, if the user requested it.
    """

    def __init__(
        self,
        inspection: "Inspection",
        check: "BaselineCheck | None" = None,
        *,
        apart: str = "",
        on_site: "SiteOnLog | None" = None,
        base: "InferredSite | None" = None,
    ) -> None:
        self.inspection = inspection
        self.check = check
        self.apart = apart
        self.on_site = on_site
        self.base = base

    def to_dict(self) -> dict[str, Any]:
        """Return all results and findings."""
        return {
            **self.inspection.to_dict(),
            **({} if self.check is None else {"recorded_queue": self.check.to_dict()}),
            **({} if self.on_site is None else {"on_site": self.on_site.to_dict()}),
            **({} if self.base is None else {"base": self.base.to_dict()}),
            "findings": [asdict(finding) for finding in findings(self.inspection)],
        }

    def show(self) -> None:
        """Print the tables and findings."""
        overview, *others = tables(self.inspection)
        overview = replace(overview, title=self.inspection.path.name)
        first = first_remarks(self.inspection, self.check, apart=self.apart)
        blocks: list[Block] = [
            first, *self._of_baseline(), *self._inferred_blocks(), *self._of_site(),
            overview, *others,
        ]  # fmt: skip
        show([*blocks, remarks(self.inspection)], console())

    def tables(self) -> list[Table]:
        """Return all tables."""
        of_site = [] if self.on_site is None else self.on_site.tables()
        of_base = [one for one in self._inferred_blocks() if isinstance(one, Table)]
        return [*self._of_baseline(), *of_base, *of_site, *tables(self.inspection)]

    def pictures(self) -> tuple[str, list[Picture]]:
        """Return the title and all pictures."""
        of_baseline = [] if self.check is None else baseline_pictures(self.check)
        title = f"{self.inspection.path.name}, {_period(self.inspection)}"
        return title, [*of_baseline, *pictures(self.inspection)]

    def page(self, *, command: str, names: bool = False) -> Content:
        """Return the HTML page; `command` is shown as its origin."""
        found, check = self.inspection, self.check
        overview, *others = tables(found)
        blocks: list[Block] = [first_remarks(found, check)]
        if check is not None:
            blocks += [*baseline_pictures(check), *self._of_baseline()]
        blocks += [*self._inferred_blocks(), *self._of_site(), remarks(found), overview]
        blocks += [*pictures(found), *others]
        return report(found.path.name, under=_period(found), blocks=blocks, command=command)

    def _of_site(self) -> list[Block]:
        return [] if self.on_site is None else [self.on_site.remarks(), *self.on_site.tables()]

    def _inferred_blocks(self) -> list[Block]:
        return [] if self.base is None else [*inferred_blocks(self.base)]

    def _of_baseline(self) -> list[Table]:
        return [] if self.check is None else self.check.tables()


def _period(inspection: "Inspection") -> str:
    columns = inspection.columns
    return inspection.clock.period(columns.first, columns.last, jobs=len(columns))
