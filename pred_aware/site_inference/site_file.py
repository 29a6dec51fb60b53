"""The file of an inferred site: its rules with their evidence."""

from textwrap import wrap
from typing import TYPE_CHECKING

from pred_aware.report.table import number
from schedulers.site.writer import WIDTH, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pred_aware.site_inference.inferred_site import InferredSite, Step


def file_of(found: "InferredSite") -> str:
    """Return the site's file, in which comments say what speaks for each rule."""
    lines = [*_comment(f"Inferred from {found.log} by EASY. {found.sentence}"), ""]
    of_kind = {
        kind: iter([step for step in found.taken if step.adds == kind])
        for kind in ("limits", "windows", "order")
    }
    stated = {
        kind: sum(not one.inferred for one in getattr(found.site, kind))
        for kind in ("limits", "windows")
    }
    told: set[str] = set()
    for line in text_of(found.site).splitlines():
        kind = line.strip("[]") if line.startswith("[[") else line.partition(" = ")[0]
        if stated.get(kind, 0):
            stated[kind] -= 1
        elif kind == "limits" or (kind in of_kind and kind not in told):
            told.add(kind)
            lines += _evidence(of_kind[kind])
        lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def _evidence(steps: "Iterator[Step]") -> "Iterable[str]":
    step = next(steps, None)
    if step is None or step.first is None or step.second is None:
        return ()
    before, after = step.first, step.second
    return _comment(
        f"{step.rule}: {step.evidence}. With it the mean wait is {number(before.ratio, 2)} of the "
        f"recorded one and the rank correlation {before.correlation:.2f} in the first half; "
        f"{number(after.ratio, 2)} and {after.correlation:.2f} in the second."
    )


def _comment(text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ")
