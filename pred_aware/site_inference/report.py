"""What was inferred of a site, for people."""

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING

from pred_aware.report.sentence import Block, Remark
from pred_aware.report.table import Table, duration, number, percent
from pred_aware.site_inference.inferred_site import ASK, PARTS
from pred_aware.site_inference.queue_order import UNKNOWN

if TYPE_CHECKING:
    from pred_aware.recorded_queue.likeness import Likeness
    from pred_aware.site_inference.inferred_site import InferredSite

SHOWN = 5
"""Queues and users whose waiting is told of."""


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
    for kind in PARTS:
        waiting = found.parts(kind)
        rows = tuple(
            (part.name or "none", number(part.jobs), duration(part.mean_wait),
             percent(part.with_free_processors))
            for part in waiting[:SHOWN]
        )  # fmt: skip
        if len(waiting) > 1:
            title = f"Waiting with free processors, by {kind}"
            yield Table(title, (kind, "jobs", "mean wait", "with free processors"), rows)


def asked(found: "InferredSite") -> Remark:
    """Return what the site should be asked, with what of it the log shows."""
    taken = {step.adds for step in found.taken}
    known = [one for kind, one in CONFIRM.items() if kind in taken]
    taken |= {"order"} if found.order.name != UNKNOWN else set()
    others = [one for kind, one in zip(KINDS, ASK, strict=True) if kind not in taken]
    confirm = f"confirm {' and '.join(known)}; " if known else ""
    return Remark(
        f"Ask the site: {confirm}tell {'; '.join(others)}. What it states replaces what was "
        "inferred (--site FILE)."
    )


CONFIRM = MappingProxyType(
    {
        "limits": "the limits that were found, since when they hold and who is exempt",
        "windows": "the hours that were found to be closed, and to which jobs",
        "order": "the priority order",
    }
)
KINDS = ("nodes", "limits", "windows", "freezes", "order")
"""What each of `ASK` is about, as tables of a site's file."""


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
