"""Two schedules as HTML: what the script draws them from and into, and what is told without it."""

from collections.abc import Iterator
from pathlib import Path

import msgspec

from pred_aware.gantt.changed import changed_table, most_changed
from pred_aware.gantt.numbering import Numbering
from pred_aware.gantt.packed_schedules import drawn
from pred_aware.gantt.pair import SchedulePair
from pred_aware.gantt.whys import whys_html
from pred_aware.report.html import escaped
from pred_aware.report.page.blocks import BlockWriter

SCRIPT = Path(__file__).with_name("schedules.js")
TOO_OLD = (
    "The schedules are drawn by a script of this page, in a browser of 2023 or later "
    "(Chrome or Edge 103, Firefox 113, Safari 16.4); yours does not run it."
)
HOW = (
    "Each bar is a job, from its start to its end, on the processors that it had, number 0 at "
    "the top. Where bars are "
    "too many to be told apart, a picture shows how much of the time and of the processors jobs of "
    "each colour take."
)
KEYS = (
    ("click on a bar", "what is known of the job"),
    ("drag, arrow keys", "move"),
    ("wheel (once a chart is clicked on), + and -, two fingers", "zoom in and out"),
    ("Shift and wheel, Page Up, Page Down", "the same for the processors"),
    ("0", "all"),
    ("n, p", "the next and the previous of the listed jobs"),
    (". and ,", "the next and the previous job by start"),
    ("Escape", "no job"),
)
BUTTONS = (
    ("in", "+", "Zoom in"),
    ("out", "\N{MINUS SIGN}", "Zoom out"),
    ("left", "\N{LEFTWARDS ARROW}", "Earlier"),
    ("right", "\N{RIGHTWARDS ARROW}", "Later"),
    ("all", "All", "Show all"),
    ("taller", "\N{UP DOWN ARROW} +", "Fewer processors, higher bars"),
    ("lower", "\N{UP DOWN ARROW} \N{MINUS SIGN}", "More processors, lower bars"),
)


class Schedules(SchedulePair):
    """Two schedules of the same jobs, one above the other, as a block of a page."""

    @property
    def script(self) -> Path:
        """What draws the charts."""
        return SCRIPT

    def html(self, blocks: BlockWriter, *, level: int) -> Iterator[str]:
        """Yield the charts of two schedules and the jobs that changed most."""
        baseline, other = (escaped(run.name) for run in (self.baseline, self.other))
        numbering = Numbering(self)
        changed = most_changed(self, numbering)
        found = drawn(self, numbering, at_any_rate=list(changed.index))
        yield f'<section class="schedules">\n<h{level}>Schedules: {baseline} above, {other} below'
        yield f"</h{level}>"
        yield f'<p class="note">{escaped(" ".join((HOW, *found.remarks)))}</p>'
        yield f'<p class="needs odd">{escaped(TOO_OLD)}</p>\n<div class="charts" hidden>'
        yield from _tools()
        yield from _legend(baseline, other)
        for name in (baseline, other):
            yield f'<p class="whose">{name}</p>\n<div class="plot">'
            label = f"Schedule of {name}; the table below lists the jobs whose waits changed most"
            yield f'<canvas tabindex="0" role="application" aria-label="{label}"></canvas>'
            yield '<div class="marks"></div><div class="cursor" hidden></div></div>'
        yield '<div class="axis" aria-hidden="true"></div>\n<p class="at" aria-hidden="true">'
        yield "Point at a chart: here stands what the machines do at that date.</p>"
        yield '<div class="told" role="status"><p>No job is chosen.</p></div>\n</div>'
        if changed.empty:
            yield "<p>No job waits longer or shorter under one than under the other.</p>"
        else:
            table = changed_table(self, changed, numbering)
            rows = [f'data-job="{number}"' for number in changed["number"]]
            yield f"<h{level + 1}>{escaped(table.title)}</h{level + 1}>"
            yield from blocks.figures(table, rows=rows)
            if self.explain:
                yield from whys_html((self.baseline, self.other), changed, numbering)
        # signs that would end the element, or begin another
        data = msgspec.json.encode(found.data).decode().replace("<", "\\u003c")
        yield f'<script type="application/json">{data}</script>\n</section>'


def _tools() -> Iterator[str]:
    yield '<div class="tools" role="group" aria-label="What the charts show">'
    for does, sign, title in BUTTONS:
        told = f'aria-label="{title}" title="{title}"'
        yield f'<button type="button" data-do="{does}" {told}>{sign}</button>'
    yield '<form><label>Job <input name="job" size="8" autocomplete="off"></label>'
    yield "<button>Find</button></form>\n<details><summary>Keys</summary><dl>"
    for keys, does in KEYS:
        yield f"<div><dt>{keys}</dt><dd>{does}</dd></div>"
    yield "</dl></details></div>"


def _legend(baseline: str, other: str) -> Iterator[str]:
    yield '<p class="legend">'
    for kind, words in (
        ("shorter", f"waits shorter under {other} than under {baseline}, by more than a minute"),
        ("same", "about the same"),
        ("longer", "longer"),
    ):
        yield f'<span class="{kind}"><i></i>{words}<output></output></span>'
    yield "</p>"
