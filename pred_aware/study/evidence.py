"""Parts of a study's page that do not depend on shakes, and so can be written before them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pred_aware.gantt.charts import Schedules
from pred_aware.inspection.pictures import pictures as log_pictures
from pred_aware.inspection.report import remarks as log_remarks
from pred_aware.inspection.tables import tables as log_tables
from pred_aware.prediction.tables import tables as prediction_tables
from pred_aware.recorded_queue.check import BaselineCheck
from pred_aware.recorded_queue.pictures import pictures as baseline_pictures
from pred_aware.recorded_queue.report import remarks as baseline_remarks
from pred_aware.report.page import Definitions, Prepared, prepare
from pred_aware.report.page.content import PageBlock
from pred_aware.report.picture import Picture
from pred_aware.report.sentence import Remark
from pred_aware.report.table import Table
from pred_aware.runs.run import Run
from pred_aware.site_inference.queue_pictures import pictures as queue_pictures
from pred_aware.site_inference.report import blocks
from pred_aware.study.base import Base
from pred_aware.study.campaign import OF_JOBS, OF_PROCESSORS
from pred_aware.study.reading import ReadLog
from pred_aware.study.studied import Predicted, Studied

Blocks = Mapping[str, tuple[PageBlock, ...]]
"""By the title of their section."""

SCHEDULES, BASELINE_QUEUE, PREDICTORS, THE_LOG = (
    "The two schedules", "The recorded queue and the simulated one",
    "How well run times can be predicted", "The log",
)  # fmt: skip

WAIT, SLOWDOWN, TAIL, LONGEST = OF_JOBS
AREA_WEIGHTED, UTILISATION, UTILISATION_DEVIATION = OF_PROCESSORS
LABELS = {
    WAIT: "mean wait",
    SLOWDOWN: "mean bounded slowdown",
    TAIL: "wait that 1 % of the jobs exceed",
    LONGEST: "longest wait",
    AREA_WEIGHTED: "wait weighted by processor time",
    UTILISATION: "utilisation",
    UTILISATION_DEVIATION: "its deviation over time",
}
_WORDS = {
    WAIT: "From submission to start, the mean over all jobs.",
    SLOWDOWN: "How many times its run time a job spends in the system; short jobs count as 10 s.",
    TAIL: "One job in a hundred waits longer.",
    LONGEST: "Of all jobs.",
    AREA_WEIGHTED: "The mean wait where each job counts by its processors times its run time.",
    UTILISATION: "The share of the machine's time in which its processors are in use.",
    "time limit": "The run time that a user asked for. A job that reaches it is killed.",
    "perturbed copy": "The log with each user's sessions moved by up to ten minutes. Differences "
    "between copies are chance.",
    "baseline": "The policy that the others are compared with.",
    "EASY": "A scheduler that lets a job pass if it does not delay the first in the queue.",
}

_OF_THE_LOG = frozenset({"Overview", "Load and submissions by week"})
"""The tables and pictures of `inspect` that the page has."""
_OF_PREDICTORS = "Predictions of"
"""How the title of the table of `predict` begins that the page has."""
_WAITING = "Waiting with free processors, by"
"""How the titles of tables begin that `inspect` has alone."""
LISTED = 6
"""So many jobs whose waits changed most are listed."""


def definitions() -> Definitions:
    """Return what the words of the page mean."""
    return Definitions(tuple((LABELS.get(word, word), means) for word, means in _WORDS.items()))


def evidence(study: Studied) -> Blocks:
    """Return all of it, as it was written before or made now."""
    if study.prepared:
        return {title: (prepared,) for title, prepared in study.prepared.items()}
    return {
        **of_the_log(study.log, study.check, study.predicted, study.base),
        **of_the_runs(study.runs),
    }


def written(blocks: Blocks) -> dict[str, Prepared]:
    """Write blocks before the rest of their page is known."""
    return {title: prepare(some, definitions()) for title, some in blocks.items()}


def of_the_log(
    log: ReadLog, check: BaselineCheck, predicted: Predicted, base: Base | None = None
) -> Blocks:
    """Return what is told of the log, its queue and predictors on it.

    Parameters
    ----------
    log, check, predicted, base
        As `Study` has them.
    """
    of_baseline: list[PageBlock] = [baseline_remarks(check, briefly=True)]
    if check.recorded is not None:
        of_baseline += map(_alone, baseline_pictures(check))
    if base is not None and base.inferred is not None:
        until = base.inferred.holds.record.until
        of_baseline += map(_alone, queue_pictures(base.inferred.queues, until))
        of_baseline += (
            block
            for block in blocks(base.inferred)
            if not isinstance(block, Table) or not block.title.startswith(_WAITING)
        )
    of_baseline.append((Remark("pred-aware inspect --baseline easy shows more."),))
    inspection = log.inspection
    return {
        BASELINE_QUEUE: tuple(of_baseline),
        PREDICTORS: tuple(_predictors(predicted)),
        THE_LOG: (
            tuple(one for one in log_remarks(inspection) if one.odd),
            *(table for table in log_tables(inspection) if table.title in _OF_THE_LOG),
            *(_alone(one) for one in log_pictures(inspection) if one.title in _OF_THE_LOG),
            (Remark("pred-aware inspect shows more."),),
        ),
    }


def _alone(picture: Picture) -> Picture:
    """Return a picture without the tables behind it, which `inspect` has."""
    return replace(picture, tables=())


def of_the_runs(runs: Sequence[Run]) -> Blocks:
    """Return the two schedules of the log as it is; nothing where the judged policy did not run."""
    if len(runs) == 1:
        return {}
    baseline, other = runs
    # users have the numbers of names.json here, unless real names were asked for
    schedules = Schedules(baseline, other, changed=LISTED, names=True, explain=False)
    why = f"Why a job waited: pred-aware explain FOLDER/{other.name} --job N."
    return {SCHEDULES: (schedules, (Remark(why),))}


def _predictors(predicted: Predicted) -> Iterator[PageBlock]:
    if predicted.left_out:
        names = ", ".join(predicted.left_out)
        yield (Remark(f"Not measured, for want of time: {names}. More --minutes measure them."),)
    if predicted.evaluations:
        yield from (
            table
            for table in prediction_tables(predicted.evaluations)
            if table.title.startswith(_OF_PREDICTORS)
        )
        yield (Remark("pred-aware predict LOG --html shows more."),)
