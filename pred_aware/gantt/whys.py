"""Why the jobs that changed most waited."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pred_aware.errors import PredAwareError
from pred_aware.explanation.explainer import Explainer
from pred_aware.report.html import escaped
from pred_aware.report.sentence import Name

if TYPE_CHECKING:
    import pandas as pd

    from pred_aware.explanation.explanation import Explanation
    from pred_aware.gantt.numbering import Numbering
    from pred_aware.runs.run import Run

TITLE = "Why they waited, job by job"
MOST = 6
"""How many sentences are told of a job under each schedule."""
SCHEDULE_ONLY = "What it was promised, and by which rule jobs overtook, is not known of {}."
_LEFT_OUT = frozenset({"job", "not_known"})
"""Topics that a page tells elsewhere, and in which paths of files may be named."""


class _Explained:
    """Explains jobs of a run: from its schedule alone where it can't be simulated again."""

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
    """Yield why each job waited under both schedules, folded away.

    Parameters
    ----------
    runs
        The baseline and the other.
    changed
        What `pred_aware.gantt.changed.most_changed` found.
    numbering
        What jobs and users are called.
    """
    both = [(escaped(run.name), _Explained(run)) for run in runs]
    yield f'<details class="whys">\n<summary>{TITLE}</summary>'
    for job, number in changed["number"].items():
        named = escaped(numbering.called(Name("job", str(job))))
        yield f'<section data-why="{number}"><p class="who">Job {named}</p>'
        for name, explained in both:
            sentences = [
                one for one in explained.explain(str(job)).sentences if one.topic not in _LEFT_OUT
            ]
            told = (escaped(one.text(numbering.called)) for one in sentences[:MOST])
            yield f"<p><strong>{name}:</strong> {' '.join(told)}</p>"
        yield "</section>"
    yield "</details>"
    for name, explained in both:
        if not explained.whole:
            yield f'<p class="note">{SCHEDULE_ONLY.format(name)}</p>'
