"""What was inferred of a site, for people."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pred_aware.report.sentence import Block, Remark
from pred_aware.report.table import Table, duration, number, percent

if TYPE_CHECKING:
    from pred_aware.recorded_queue.likeness import Likeness
    from pred_aware.site_inference.inferred_site import InferredSite


def blocks(found: "InferredSite") -> Iterator[Block]:
    """Yield the verdict, what was taken and refused, and the waiting with free processors."""
    yield (Remark(found.sentence, strong=True),)
    yield _queues(found)
    told = [Remark(f"Found: {step.rule}: {step.evidence}.") for step in found.taken]
    told += [
        Remark(f"Not taken: {step.rule}: {'; '.join(filter(None, (step.evidence, step.refused)))}.")
        for step in found.steps
        if step.refused is not None
    ]  # fmt: skip
    yield (*told, Remark(found.about_order))
    yield (Remark(f"{found.diagnosis}."),)


def _queues(found: "InferredSite") -> Table:
    """Return the recorded and the simulated queue, before any rule and with all."""
    rows = [("without rules", *_halves(found.counted))]
    if found.taken:
        rows.append(("with the rules", *_halves(found.fitted)))
    first, second = found.counted
    rows.append(
        ("as recorded", duration(first.recorded), "", "", duration(second.recorded), "", "")
    )
    columns = (
        "rules", "wait, first half", "of recorded", "ranks",
        "wait, second half", "of recorded", "ranks",
    )  # fmt: skip
    note = "Rules are chosen on the first half of the jobs alone, and judged on the second."
    return Table("The simulated queue beside the recorded one", columns, tuple(rows), note)


def _halves(halves: "tuple[Likeness, Likeness]") -> Iterator[str]:
    for one in halves:
        yield duration(one.simulated)
        yield percent(one.ratio, 0)
        yield number(one.correlation, 2)
