"""Show an inferred site as a report, and write the site's file."""

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from pred_aware.report.sentence import Block, Remark
from pred_aware.report.table import Table, duration, number, percent
from schedulers.site.writer import WIDTH, text_of

if TYPE_CHECKING:
    from pred_aware.recorded_queue.waits import Similarity
    from pred_aware.site_inference.inferred_site import InferredSite


def blocks(found: "InferredSite") -> Iterator[Block]:
    """Yield the verdict, and then the blocks of `rule_blocks`."""
    yield (Remark(found.sentence, strong=True),)
    yield from rule_blocks(found)


def rule_blocks(found: "InferredSite") -> Iterator[Block]:
    """Yield the accepted and refused rules, and the waiting while processors were free."""
    yield _queues(found)
    remarks = [Remark(f"Accepted: {step.rule}: {step.evidence}.") for step in found.taken]
    remarks += [
        Remark(f"Refused: {step.rule}: {'; '.join(filter(None, (step.evidence, step.refused)))}.")
        for step in found.steps
        if step.refused is not None
    ]  # fmt: skip
    yield (*remarks, Remark(found.about_order))
    yield (Remark(f"{found.diagnosis}."),)


def _queues(found: "InferredSite") -> Table:
    """Return a table of the recorded waits, and the simulated waits without and with rules."""
    rows = [("simulated without rules", *_halves(found.counted))]
    if found.taken:
        rows.append(("simulated with the rules", *_halves(found.fitted)))
    first, second = found.counted
    rows.append(("recorded", duration(first.recorded), "", "", duration(second.recorded), "", ""))
    columns = (
        "", "mean wait, first half", "of recorded wait", "rank correlation",
        "mean wait, second half", "of recorded wait", "rank correlation",
    )  # fmt: skip
    note = "The rules come only from the first half of the jobs; the second half tests the rules."
    return Table("The simulated queue compared with the recorded one", columns, tuple(rows), note)


def _halves(halves: "tuple[Similarity, Similarity]") -> Iterator[str]:
    for one in halves:
        yield duration(one.simulated)
        yield percent(one.ratio, 0)
        yield number(one.correlation, 2)


def file_of(found: "InferredSite") -> str:
    """Return the text of the site's file, with the evidence for each rule as comments."""
    lines = [*_comment(f"Inferred from {found.log} with simulations of EASY. {found.sentence}"), ""]
    steps = [step for step in found.taken if step.adds]
    for line in text_of(found.site).splitlines():
        kind = line.strip("[]") if line.startswith("[[") else line.partition(" = ")[0]
        if step := next((one for one in steps if one.adds == kind), None):
            lines += _comment(f"{step.rule}: {step.evidence}.")
            steps.remove(step)
        lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def _comment(text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ")
