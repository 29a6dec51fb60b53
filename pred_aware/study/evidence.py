"""Parts of a study's page that do not depend on shakes, and so can be written before them."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pred_aware.comparison.gains_pictures import gains_pictures
from pred_aware.gantt.charts import Schedules
from pred_aware.inspection.pictures import pictures as log_pictures
from pred_aware.inspection.report import remarks as log_remarks
from pred_aware.inspection.tables import tables as log_tables
from pred_aware.log.workload import read_workload
from pred_aware.metrics import MEASURES as ALL_MEASURES
from pred_aware.prediction.tables import tables as prediction_tables
from pred_aware.recorded_queue.check import BaselineCheck
from pred_aware.recorded_queue.pictures import pictures as baseline_pictures
from pred_aware.recorded_queue.report import remarks as baseline_remarks
from pred_aware.recorded_queue.tables import WEEKS
from pred_aware.report.page import Definitions, Prepared, prepare
from pred_aware.report.page.content import PageBlock
from pred_aware.report.sentence import Remark
from pred_aware.runs.picture import pictures as run_pictures
from pred_aware.runs.run import Run
from pred_aware.site_inference.queue_pictures import pictures as queue_pictures
from pred_aware.site_inference.report import blocks
from pred_aware.study.base import Base
from pred_aware.study.campaign import OF_JOBS, OF_PROCESSORS
from pred_aware.study.reading import ReadLog
from pred_aware.study.studied import Predicted, Studied
from pred_aware.study.unperturbed_runs import simulated_or_read

Blocks = Mapping[str, tuple[PageBlock, ...]]
"""By the title of their section."""

GAINS, SCHEDULES, BASELINE_QUEUE, PREDICTORS, THE_LOG = (
    "Gains and losses by group", "The two schedules", "The recorded queue and the simulated one",
    "How well run times can be predicted", "The log",
)  # fmt: skip

WAIT, SLOWDOWN, TAIL, LONGEST = OF_JOBS
AREA_WEIGHTED, UTILISATION, UTILISATION_DEVIATION = OF_PROCESSORS
LABELS = {
    WAIT: "mean wait",
    SLOWDOWN: "mean bounded slowdown",
    TAIL: "wait that 1 % of the jobs exceed",
    LONGEST: "longest wait",
    AREA_WEIGHTED: "area-weighted wait",
    UTILISATION: "utilisation",
    UTILISATION_DEVIATION: "its deviation over time",
}
_WORDS = {
    WAIT: "From the submission of a job to its start, the mean over all jobs.",
    SLOWDOWN: "How many times its own length a job spends in the system, lengths below 10 s "
    "counted as 10 s; the mean over all jobs.",
    TAIL: "One job in a hundred waits longer than this.",
    LONGEST: "Of all jobs.",
    AREA_WEIGHTED: "The mean wait where each job counts by its work, processors times run time.",
    UTILISATION: "The share of the machine's time in which its processors are in use.",
    UTILISATION_DEVIATION: "The standard deviation of the processors in use over time, as a share "
    "of the machine.",
}
_OTHER_WORDS = {
    "walltime": "The run time that a user asked for; a job that reaches it is killed.",
    "shake": "The log again, with each session of a user moved by up to ten minutes: what differs "
    "between shakes is chance.",
    "baseline": "The policy that the others are compared with; it plans with users' walltimes.",
    "equations": "They are in docs/reference/metrics.md.",
}

_OF_THE_LOG = frozenset({"Overview", "Load and submissions by week"})
"""The tables and pictures of `inspect` that the page has."""
_OF_PREDICTORS = ("Predictions of", "By run time")
"""How the titles of the tables of `predict` begin that the page has."""
LISTED = 10
"""Of how many jobs whose waits changed most the page tells why they waited."""


def definitions() -> Definitions:
    """Return what the words of the page mean."""
    of_measures = {
        LABELS[name]: f"{means} It hides {ALL_MEASURES[name].hides}."
        for name, means in _WORDS.items()
    }
    return Definitions(tuple({**of_measures, **_OTHER_WORDS}.items()))


def evidence(study: Studied) -> Blocks:
    """Return all of it, as it was written before or made now."""
    if study.prepared:
        return {title: (prepared,) for title, prepared in study.prepared.items()}
    return {
        **of_the_log(study.log, study.check, study.predicted, study.base),
        **of_the_runs(study.runs, explained=True),
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
    of_baseline: list[PageBlock] = [baseline_remarks(check)]
    if check.recorded is not None:
        # the weeks are in the picture
        tables = (table for table in check.tables() if table.title != WEEKS)
        of_baseline += [*baseline_pictures(check), *tables]
    if base is not None and base.inferred is not None:
        of_baseline += queue_pictures(base.inferred.queues, base.inferred.holds.record.until)
        of_baseline += blocks(base.inferred)
    inspection = log.inspection
    return {
        BASELINE_QUEUE: tuple(of_baseline),
        PREDICTORS: tuple(_predictors(predicted)),
        THE_LOG: (
            log_remarks(inspection),
            *(table for table in log_tables(inspection) if table.title in _OF_THE_LOG),
            *(one for one in log_pictures(inspection) if one.title in _OF_THE_LOG),
            (Remark("pred-aware inspect shows more: distributions, users, flurries and holes."),),
        ),
    }


def of_the_runs(runs: Sequence[Run], *, explained: bool) -> Blocks:
    """Return what is told of the two schedules of the log as it is; nothing where there is one.

    Parameters
    ----------
    runs
        The baseline's and the recommended one's.
    explained
        Whether it is told why the jobs waited whose waits changed most, which simulates both runs
        once more.
    """
    if len(runs) == 1:
        return {}
    baseline, other = runs
    # names of the study's log: the numbers of names.json, unless real ones were asked for
    schedules = Schedules(baseline, other, changed=LISTED, names=True, explain=explained)
    why = Remark(
        "Why these jobs waited was not worked out, for want of time: pred-aware explain "
        f"FOLDER/{other.name} --job N tells it of any job."
    )
    return {
        GAINS: tuple(gains_pictures(baseline, [other])),
        SCHEDULES: (
            schedules,
            *(() if explained else ((why,),)),
            *run_pictures([baseline, other]),
        ),
    }


def written_of_the_runs(
    workload: Path, prefixes: Sequence[Path], *, explained: bool
) -> dict[str, Prepared]:
    """Return what `of_the_runs` gives, written, of runs made here or read."""
    jobs = read_workload(workload)
    runs = [simulated_or_read(prefix, jobs) for prefix in prefixes]
    return written(of_the_runs(runs, explained=explained))


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
        yield (Remark("pred-aware predict LOG --html shows more: users, errors and curves."),)
