"""The folded sections of a study's page: queue, log, schedules and predictors."""

from collections.abc import Iterator
from dataclasses import replace

from pred_aware.gantt.charts import Schedules
from pred_aware.inspection.pictures import pictures as log_pictures
from pred_aware.inspection.report import remarks as log_remarks
from pred_aware.inspection.tables import tables as log_tables
from pred_aware.metrics.table import SIZE_CLASSES
from pred_aware.prediction.tables import tables as prediction_tables
from pred_aware.recorded_queue.pictures import pictures as baseline_pictures
from pred_aware.report.page import Definitions
from pred_aware.report.page.content import PageBlock
from pred_aware.report.sentence import Remark
from pred_aware.site_inference.report import blocks, rule_blocks
from pred_aware.study.campaign import OF_JOBS, OF_PROCESSORS
from pred_aware.study.studied import Studied

WAIT, SLOWDOWN, TAIL, LONGEST = OF_JOBS
AREA_WEIGHTED = OF_PROCESSORS[0]
LABELS = {
    WAIT: "mean wait",
    SLOWDOWN: "mean bounded slowdown",
    TAIL: "wait that 1 % of the jobs exceed",
    LONGEST: "longest wait",
    AREA_WEIGHTED: "wait weighted by processor time",
    **{f"mean_{name}": share for name, (share, _) in SIZE_CLASSES.items()},
}
_WORDS = {
    WAIT: "The mean time from submission to start over all jobs.",
    SLOWDOWN: "(Wait + run time) / run time; run times under 10 s count as 10 s.",
    TAIL: "One job in a hundred waits longer than this value.",
    LONGEST: "The longest wait of any job.",
    AREA_WEIGHTED: "The mean wait with each job weighted by its processors times its run time.",
    "over 25 %": "The mean wait of jobs on more than a quarter of the machine.",
    "time limit": "The run time that a user requested. A job that reaches the limit is killed.",
    "perturbed copy": "The log with each user's sessions moved by up to ten minutes. The copies' "
    "results differ only by chance.",
    "baseline": "The policy with which the other policies are compared.",
    "MAE": "The mean absolute error of the predictions.",
    "median": "Half of the predictions have a smaller absolute error than this.",
    "R2": "1 if all predictions are exact, 0 if they are no better than the mean run time.",
    "deviation ratio": "The mean of the larger of prediction / run time and run time / prediction.",
    "EASY": "A scheduler that starts a job early if the first job in the queue is not delayed.",
}

_OF_THE_LOG = frozenset({"Overview", "Load and submissions by week"})
"""The page shows the tables and pictures of `inspect` with these titles."""
_OF_PREDICTORS = "Predictions of"
"""The page shows the table of `predict` whose title begins with these words."""
FINDINGS = 2
"""The maximum number of findings about the log on the page."""
LISTED = 6
"""The number of jobs in the list of jobs whose waits changed most."""


def definitions() -> Definitions:
    """Return the definitions of the page's terms."""
    return Definitions(tuple((LABELS.get(word, word), means) for word, means in _WORDS.items()))


def queue(study: Studied) -> Iterator[PageBlock]:
    """Yield the comparison of the recorded and the simulated queue, and the inferred rules."""
    check, base = study.check, study.base
    if base is None or check.answer == "little":
        yield (Remark(check.sentence, odd=check.warns),)
    if check.recorded is not None:
        yield from baseline_pictures(check)
    inferred = None if base is None else base.inferred
    if inferred is not None:
        # with "fitted", the sheet already says that the queue is like the recorded queue
        yield from (rule_blocks if inferred.verdict == "fitted" else blocks)(inferred)
        if inferred.taken and inferred.verdict == "none":
            yield (Remark("The study simulates none of these rules."),)
    yield (Remark(f"pred-aware inspect --baseline {study.baseline.name} shows more."),)


def log(study: Studied) -> Iterator[PageBlock]:
    """Yield an overview of the log, and findings that may make results wrong."""
    inspection = study.log.inspection
    odd = [one for one in log_remarks(inspection) if one.odd]
    yield tuple(odd[:FINDINGS])
    yield from (table for table in log_tables(inspection) if table.title in _OF_THE_LOG)
    # `inspect` also has the tables of the pictures
    pictures = (one for one in log_pictures(inspection) if one.title in _OF_THE_LOG)
    yield from (replace(one, tables=()) for one in pictures)
    more = f"{len(odd) - FINDINGS} more findings" if len(odd) > FINDINGS else "more"
    yield (Remark(f"pred-aware inspect shows {more}."),)


def schedules(study: Studied) -> Iterator[PageBlock]:
    """Yield the two schedules of the unperturbed log, nothing if the judged policy did not run."""
    if len(study.runs) == 1:
        return
    baseline, other = study.runs
    # user names are numbers of names.json unless the user requested real names
    yield Schedules(baseline, other, changed=LISTED, names=True, explain=False)
    yield (Remark(f"Why a job waited: pred-aware explain FOLDER/{other.name} --job N."),)


def predictors(study: Studied) -> Iterator[PageBlock]:
    """Yield the accuracy of the predictors on this log."""
    predicted = study.predicted
    if predicted.left_out:
        names = ", ".join(predicted.left_out)
        yield (Remark(f"There was no time to test {names}. Give more time with --minutes."),)
    if predicted.evaluations:
        yield from (
            table
            for table in prediction_tables(predicted.evaluations)
            if table.title.startswith(_OF_PREDICTORS)
        )
        yield (Remark("pred-aware predict LOG --html shows more."),)
