"""The file of an inferred site: its rules with their evidence."""

from textwrap import wrap
from typing import TYPE_CHECKING

from schedulers.site.writer import WIDTH, text_of

if TYPE_CHECKING:
    from pred_aware.site_inference.inferred_site import InferredSite

KINDS = ("limits", "windows")


def file_of(found: "InferredSite") -> str:
    """Return the site's file, in which comments say what speaks for each rule."""
    lines = [*_comment(f"Inferred from {found.log} by EASY. {found.sentence}"), ""]
    steps = [step for step in found.taken if step.adds]
    stated = {kind: sum(not one.inferred for one in getattr(found.site, kind)) for kind in KINDS}
    for line in text_of(found.site).splitlines():
        kind = line.strip("[]") if line.startswith("[[") else line.partition(" = ")[0]
        if stated.get(kind, 0):
            stated[kind] -= 1
        elif step := next((one for one in steps if one.adds == kind), None):
            lines += _comment(f"{step.rule}: {step.evidence}.")
            steps.remove(step)
        lines.append(line)
    return "".join(f"{line}\n" for line in lines)


def _comment(text: str) -> list[str]:
    return wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ")
