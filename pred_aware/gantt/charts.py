"""Two schedules as HTML: data and elements for the script, and a table that needs no script."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from pred_aware.errors import PredAwareError
from pred_aware.explanation.explainer import Explainer
from pred_aware.gantt.numbering import Numbering, SchedulePair
from pred_aware.gantt.packed_schedules import pack_schedules
from pred_aware.metrics.gains import gains
from pred_aware.report.durations import signed
from pred_aware.report.html import escaped
from pred_aware.report.page.blocks import BlockWriter
from pred_aware.report.sentence import Name
from pred_aware.report.table import Cell, Table, duration, number

if TYPE_CHECKING:
    import pandas as pd

    from pred_aware.explanation.explanation import Explanation
    from pred_aware.runs.run import Run


def most_changed(schedules: "SchedulePair", numbering: "Numbering") -> "pd.DataFrame":
    """Return the jobs whose waits changed most: first longer, then shorter, each largest first.

    Parameters
    ----------
    schedules
        The two runs, with the number of jobs to return: half with longer waits, half with shorter.
    numbering
        The displayed numbers of the jobs.

    Returns
    -------
    pandas.DataFrame
        As `pred_aware.metrics.gains.gains`, with the `number` of each job.
    """
    frame = gains(schedules.baseline, schedules.other)
    frame.insert(0, "number", numbering.numbers_of(frame.index))
    order = np.argsort(frame["difference"].to_numpy(), kind="stable")
    differences = frame["difference"].to_numpy()[order]
    half = max(1, schedules.changed // 2)
    longer = order[::-1][: min(half, int((differences > 0.0).sum()))]
    shorter = order[: min(half, int((differences < 0.0).sum()))]
    return frame.iloc[np.concatenate([longer, shorter])]


def changed_table(
    schedules: "SchedulePair", changed: "pd.DataFrame", numbering: "Numbering"
) -> Table:
    """Return a table of the jobs whose waits changed most."""
    rows = tuple(
        (
            f"job {numbering.called(Name('job', str(job)))}",
            number(int(row["processors"])), duration(row["run_time"]),
            duration(row["baseline_waiting_time"]), duration(row["waiting_time"]),
            Cell(signed(row["difference"]), row["difference"]),
        )
        for job, row in changed.iterrows()
    )  # fmt: skip
    baseline, other = schedules.baseline.name, schedules.other.name
    columns = ("job", "processors", "run time", f"wait, {baseline}", f"wait, {other}", "difference")
    note = "" if schedules.names else "Jobs are numbered in the order of their submissions."
    return Table("Jobs whose waits changed most", columns, rows, note=note)


WHYS_TITLE = "Why the jobs waited"
MOST_SENTENCES = 3
"""Most sentences that explain a job's wait in one schedule."""
SCHEDULE_ONLY = "Planned starts, and the rules by which jobs overtook, are unknown for {}."
_LEFT_OUT = frozenset({"job", "not_known"})
"""Topics of sentences that the page shows elsewhere, or that may contain paths of files."""


class _Explained:
    """Explains waits of jobs; uses only the schedule if the run cannot be simulated again."""

    def __init__(self, run: "Run") -> None:
        self._run = run
        self._explainer = Explainer(run)
        self.whole = True

    def explain(self, job: str) -> "Explanation":
        try:
            found = self._explainer.explain(job)
        except PredAwareError:
            if not self.whole:
                raise
            self.whole = False
            self._explainer = Explainer(self._run, schedule_only=True)
            found = self._explainer.explain(job)
        self.whole = self.whole and not found.not_known
        return found


def whys_html(
    runs: "tuple[Run, Run]", changed: "pd.DataFrame", numbering: "Numbering"
) -> Iterator[str]:
    """Yield why each job waited under both schedules, in a folded section.

    Parameters
    ----------
    runs
        The baseline and the other run.
    changed
        The result of `pred_aware.gantt.charts.most_changed`.
    numbering
        The names or numbers of jobs and users.
    """
    both = [(escaped(run.name), _Explained(run)) for run in runs]
    yield f'<details class="whys">\n<summary>{WHYS_TITLE}</summary>'
    for job, place in changed["number"].items():
        named = escaped(numbering.called(Name("job", str(job))))
        yield f'<section data-why="{place}"><p class="who">Job {named}</p>'
        for name, explained in both:
            sentences = [
                one for one in explained.explain(str(job)).sentences if one.topic not in _LEFT_OUT
            ]
            texts = (escaped(one.text(numbering.called)) for one in sentences[:MOST_SENTENCES])
            yield f"<p><strong>{name}:</strong> {' '.join(texts)}</p>"
        yield "</section>"
    yield "</details>"
    for name, explained in both:
        if not explained.whole:
            yield f'<p class="note">{SCHEDULE_ONLY.format(name)}</p>'


SCRIPT = Path(__file__).with_name("schedules.js")
TOO_OLD = (
    "A script in this page draws the schedules. The script needs a browser of 2023 or later "
    "(Chrome or Edge 103, Firefox 113, Safari 16.4)."
)
HOW = (
    "Each bar is a job, from its start to its end, on its processors. If there are too many bars, "
    "each point mixes the colours of its jobs, by their share of time and processors."
)
KEYS = (
    ("click on a bar", "details of the job"),
    ("drag, arrow keys", "move"),
    ("wheel (after a click on a chart), + and -, two fingers", "zoom in and out"),
    ("Shift and wheel, Page Up, Page Down", "show fewer or more processors"),
    ("0", "show the whole schedule"),
    ("n, p", "select the next or the previous of the listed jobs"),
    (". and ,", "select the job that started just after or just before"),
    ("Escape", "deselect the job"),
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
        """The script that draws the charts."""
        return SCRIPT

    def html(self, blocks: BlockWriter, *, level: int) -> Iterator[str]:
        """Yield the HTML of the charts and of the jobs that changed most."""
        baseline, other = (escaped(run.name) for run in (self.baseline, self.other))
        numbering = Numbering(self)
        changed = most_changed(self, numbering)
        found = pack_schedules(self, numbering, at_any_rate=list(changed.index))
        yield f'<section class="schedules">\n<h{level}>Schedules: {baseline} above, {other} below'
        yield f"</h{level}>"
        yield f'<p class="note">{escaped(" ".join((HOW, *found.remarks)))}</p>'
        yield f'<p class="needs odd">{escaped(TOO_OLD)}</p>\n<div class="charts" hidden>'
        yield from _tools()
        yield from _legend(baseline, other)
        for name in (baseline, other):
            yield f'<p class="whose">{name}<span></span></p>\n<div class="plot">'
            label = f"Schedule of {name}; the table below lists the jobs whose waits changed most"
            yield f'<canvas tabindex="0" role="application" aria-label="{label}"></canvas>'
            yield '<div class="marks"></div><div class="cursor" hidden></div></div>'
        yield '<div class="axis" aria-hidden="true"></div>\n<p class="at" aria-hidden="true">'
        yield "Point at a chart to see what the machine does at that time.</p>"
        yield '<div class="told" role="status"><p>No job is selected.</p></div>\n</div>'
        if changed.empty:
            yield "<p>Each job waits equally long in both schedules.</p>"
        else:
            table = changed_table(self, changed, numbering)
            rows = [f'data-job="{number}"' for number in changed["number"]]
            yield f"<h{level + 1}>{escaped(table.title)}</h{level + 1}>"
            yield from blocks.figures(table, rows=rows)
            if self.explain:
                yield from whys_html((self.baseline, self.other), changed, numbering)
        # escape "<", which could end the script element or begin another
        data = msgspec.json.encode(found.data).decode().replace("<", "\\u003c")
        yield f'<script type="application/json">{data}</script>\n</section>'


def _tools() -> Iterator[str]:
    yield '<div class="tools" role="group" aria-label="What the charts show">'
    for does, sign, title in BUTTONS:
        attributes = f'aria-label="{title}" title="{title}"'
        yield f'<button type="button" data-do="{does}" {attributes}>{sign}</button>'
    yield '<form><label>Job <input name="job" size="8" autocomplete="off"></label>'
    yield "<button>Find</button></form>\n<details><summary>Keys</summary><dl>"
    for keys, does in KEYS:
        yield f"<div><dt>{keys}</dt><dd>{does}</dd></div>"
    yield "</dl></details></div>"


def _legend(baseline: str, other: str) -> Iterator[str]:
    yield '<p class="legend">'
    for kind, words in (
        ("shorter", f"waits shorter under {other} than under {baseline}, by more than a minute"),
        ("same", "waits differ by at most a minute"),
        ("longer", f"waits longer under {other}, by more than a minute"),
    ):
        yield f'<span class="{kind}"><i></i>{words}<output></output></span>'
    yield "</p>"
