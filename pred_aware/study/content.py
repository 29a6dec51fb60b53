"""A study as a page."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pred_aware.base_queue.pictures import pictures as base_pictures
from pred_aware.base_queue.report import remarks as base_remarks
from pred_aware.base_queue.tables import WEEKS
from pred_aware.campaign.groups import gains_table
from pred_aware.comparison.cells import mean_cell
from pred_aware.comparison.gains_pictures import gains_pictures
from pred_aware.inspection.pictures import pictures as log_pictures
from pred_aware.inspection.report import remarks as log_remarks
from pred_aware.inspection.tables import tables as log_tables
from pred_aware.measures import MEASURES as ALL_MEASURES
from pred_aware.page import Answer, Content, Definitions, Large, Schedules, Section
from pred_aware.page.content import BETTER, WORSE, PageBlock
from pred_aware.prediction.pictures import pictures as prediction_pictures
from pred_aware.prediction.tables import PAPER_001
from pred_aware.prediction.tables import tables as prediction_tables
from pred_aware.report.counted import counted
from pred_aware.report.page import Remark, remarks
from pred_aware.report.table import Cell, Table
from pred_aware.report.within import (
    DOUBTFUL,
    HOW_SURE,
    NO_INTERVAL,
    NOT_APART,
    change_cells,
    in_brackets,
    percent_change,
)
from pred_aware.runs.picture import pictures as run_pictures
from pred_aware.statistics import apart_alone, surely
from pred_aware.study.answer import SLOWDOWN, TAIL, WAIT
from pred_aware.study.found import Found
from pred_aware.study.policies import BASE, POLICIES, RECOMMENDED
from pred_aware.study.rounds import FIRST, MEASURES
from pred_aware.version import __version__, build

if TYPE_CHECKING:
    from pred_aware.study.study import Study

_OF_THE_LOG = frozenset(
    {"Overview", "Distributions over jobs", "Busiest users", "What became of the records"}
)
"""The tables of `inspect` that the page has."""

_EQUAL = "="
"""What can't be told apart."""

_LABELS = {
    WAIT: "mean wait",
    SLOWDOWN: "mean bounded slowdown",
    TAIL: "wait that 1 % of the jobs exceed",
    "max_waiting_time": "longest wait",
}


def content_of(study: "Study", *, made: str) -> Content:
    """Return the page of a study.

    Parameters
    ----------
    study
        What was found.
    made
        The command to repeat it.
    """
    log = study.log
    clock, columns = log.inspection.clock, log.inspection.columns
    dates = (
        f", {clock.date(columns.first)} to {clock.date(columns.last)}" if clock.knows_dates else ""
    )
    users = f" of {counted(log.users, 'user')}" if log.users else ""
    return Content(
        title=f"What prediction would change on {log.name}",
        under=f"{counted(len(log.log), 'job')}{users} on {log.size.processors:,} processors{dates}",
        answer=_answer(study),
        sections=tuple(section for section in _sections(study, made) if section.blocks),
        made=made,
    )


def _answer(study: "Study") -> Answer:
    verdict = study.verdict
    figures = tuple(_large(name, study.recommended[name]) for name in (WAIT, SLOWDOWN, TAIL))
    return Answer(
        sentence=verdict.sentence,
        more=tuple(map(_on_a_page, verdict.compared)),
        figures=figures,
        trust=tuple(trust(study)),
    )


def _on_a_page(text: str) -> str:
    """Leave out the marks by which a terminal tells commands from words."""
    return text.replace("`", "")


def _large(name: str, found: Found) -> Large:
    change, low, high = change_cells(found.difference)
    value: str = change
    new, old = mean_cell(name, found.value), mean_cell(name, found.base)
    if found.difference.value is None:
        return Large(_LABELS[name], new, f"under EASY {old}")
    interval, verdict = NO_INTERVAL, ""
    if found.difference.low is None:
        value = percent_change(found.difference.value)
    if found.difference.told_apart is not None:
        over = f"over {found.difference.shakes} shakes"
        interval = f"{low.removesuffix(' %')} to {high} {over}; {new} instead of {old}"
        verdict = {-1: BETTER, 1: WORSE, 0: NOT_APART}[surely(found.difference, found.holm)]
    return Large(_LABELS[name], value, interval, verdict)


def trust(study: "Study") -> Iterator[Remark]:
    """Say how far the answer is to be trusted: how many runs, which base, how large a machine.

    Parameters
    ----------
    study
        What was found.
    """
    shakes = study.rounds.shakes
    if shakes:
        few = "; so few make wide intervals" if shakes < FIRST else ""
        yield Remark(
            f"Chance: figures are means over {shakes} shakes of the log (sessions of users moved "
            f"by some minutes), with the 95 % interval of what more shakes would give{few}.",
            "They tell a difference from the chance of one log, not from what another year or "
            "machine would bring.",
            odd=bool(few),
        )
    else:
        yield Remark("Chance: one run each, so nobody knows what of it is chance.", odd=True)
    yield Remark(
        f"Base: {study.check.sentence}",
        odd=study.check.is_our_queue is not True and study.check.recorded is not None,
    )
    yield Remark(f"Size: {study.log.size.sentence}", odd=study.log.size.guessed)
    walltimes = study.log.walltimes
    if walltimes.missing:
        became = (
            "were left out"
            if walltimes.given is None
            else (f"were given one of {walltimes.given:,.0f} s, the same for all")
        )
        yield Remark(
            f"Walltimes: {walltimes.missing:,} of {walltimes.jobs:,} jobs have none; they "
            f"{became}.",
            odd=walltimes.most_missing,
        )
    if not study.log.users:
        yield Remark(
            "Users: the log names none, so predictors can't tell one's jobs from another's.",
            odd=True,
        )


def _sections(study: "Study", made: str) -> Iterator[Section]:
    verdict = study.verdict
    told = (remarks((*verdict.gains, *verdict.costs)),) if verdict.costs else ()
    yield Section("Who gains, who loses, what it costs", told)
    yield Section("What to do next", (remarks(map(_on_a_page, verdict.next)),))
    yield Section("The policies beside each other", tuple(_policies(study)))
    yield Section("Gains and losses by group", tuple(_gains(study)))
    base, recommended = study.runs
    # names of the study's log: the numbers of names.json, unless real ones were asked for
    yield Section(
        "The two schedules",
        (Schedules(base, recommended, names=True), *run_pictures([base, recommended])),
    )
    check = study.check
    of_base: list[PageBlock] = [base_remarks(check)]
    if check.recorded is not None:
        # the weeks are in the picture
        tables = (table for table in check.tables() if table.title != WEEKS)
        of_base += [*base_pictures(check), *tables]
    yield Section("Is the base your queue?", tuple(of_base))
    yield Section("How well run times can be predicted", tuple(_predictors(study)))
    inspection = study.log.inspection
    yield Section(
        "The log",
        (
            log_remarks(inspection),
            *(table for table in log_tables(inspection) if table.title in _OF_THE_LOG),
            *log_pictures(inspection),
            (Remark("More of it, such as its flurries and holes, shows pred-aware inspect."),),
        ),
    )
    yield Section("What the words mean", (_definitions(),))
    yield Section("How this was made", tuple(_made(study, made)))


def policies_table(study: "Study") -> Table:
    """Return all policies with their measures, each with its change against the base.

    Parameters
    ----------
    study
        What was found.
    """
    rows = tuple(
        (name, *(_cell(measure, measures[measure], name) for measure in MEASURES))
        for name, measures in study.policies.items()
    )
    shakes = study.rounds.shakes
    over = f"over {shakes} shakes" if shakes else "one run each"
    note = (
        f"In brackets: change against {BASE}"
        + (", with its 95 % interval" if shakes else f"; {NO_INTERVAL}")
        + f"; {_EQUAL} where it can't be told apart from none. {HOW_SURE if shakes else ''}"
    )
    return Table(
        f"Policies, {over}", ("policy", *(_LABELS[name] for name in MEASURES)), rows, note=note
    )


def _cell(measure: str, found: Found, policy: str) -> Cell:
    value = mean_cell(measure, found.value)
    if policy == BASE or found.difference.value is None:
        return value
    if found.same:
        return Cell(f"{value} (the same)", found.value.value)
    mark = f"{_EQUAL} " if found.difference.told_apart is False else ""
    if apart_alone(found.difference, found.holm):
        mark = f"{DOUBTFUL} "
    once = found.difference.low is None
    change = percent_change(found.difference.value) if once else in_brackets(found.difference)
    return Cell(f"{value} ({mark}{change})", found.value.value)


def _policies(study: "Study") -> Iterator[PageBlock]:
    yield policies_table(study)
    what = {policy.name: policy.what for policy in POLICIES}
    rows = tuple((name, what[name]) for name in study.policies)
    yield Table("What they are", ("policy", "what it does"), rows, words=True)
    failed = study.rounds.failed
    if failed:
        yield tuple(
            Remark(f"{name} could not be simulated: {why}.", odd=True)
            for name, why in failed.items()
        )


def _gains(study: "Study") -> Iterator[PageBlock]:
    base, *others = study.runs
    yield from gains_pictures(base, others)
    if not study.gains:
        yield (Remark("Groups of jobs are told when there are shakes: call it again."),)
    for by, groups in study.gains.items():
        yield gains_table(
            f"By {by}: mean wait under {RECOMMENDED} against {BASE}",
            groups,
            by=by,
            base=BASE,
            policy=RECOMMENDED,
        )


def _predictors(study: "Study") -> Iterator[PageBlock]:
    evaluations = study.predicted.evaluations
    if study.predicted.left_out:
        names = ", ".join(study.predicted.left_out)
        yield (Remark(f"Not measured, for want of time: {names}. More --minutes measure them."),)
    if evaluations:
        yield from (table for table in prediction_tables(evaluations) if table.title != PAPER_001)
        yield from prediction_pictures(evaluations)


_WORDS = {
    "wait": "From the submission of a job to its start.",
    SLOWDOWN: "How many times its own length a job spends in the system, lengths below 10 s "
    "counted as 10 s; the mean over all jobs. It is about short jobs.",
    "walltime": "The run time that a user asked for; a job that reaches it is killed.",
    "shake": "The log again, with each session of a user moved by up to ten minutes: what differs "
    "between shakes is chance.",
    "base": "The policy that the others are compared with: EASY backfilling on walltimes.",
}


def _definitions() -> Definitions:
    of_measures = {
        name: f"{ALL_MEASURES[name].definition}. Hides: {ALL_MEASURES[name].hides}."
        for name in MEASURES
    }
    return Definitions(
        tuple((_LABELS.get(word, word), means) for word, means in {**of_measures, **_WORDS}.items())
    )


def _made(study: "Study", made: str) -> Iterator[PageBlock]:
    log, rounds = study.log, study.rounds
    run = study.runs[1].made or {}
    rows = [
        ("repeat it with", made),
        ("pred-aware", f"{__version__} ({build()}), Python {run.get('python', '')}"),
        ("the jobs' digest", f"SHA-256 {log.log.workload.sha256}"),
        ("records", f"{log.log.report.read:,} read, {len(log.log):,} jobs simulated"),
        *((f"left out: {why}", f"{count:,}") for why, count in log.log.report.dropped.items()),
        *((f"repaired: {why}", f"{count:,}") for why, count in log.log.report.repaired.items()),
        ("cleaned by", ", ".join(log.clean) or "nothing"),
        ("shakes", f"{rounds.shakes}; ended because: {rounds.why}"),
        ("simulator", "messages take no time (--delays none)"),
    ]
    libraries = run.get("libraries") or {}
    rows += [(f"library {name}", str(version)) for name, version in libraries.items()]
    yield Table("How this was made", ("", ""), tuple(rows), words=True)
    if log.key is not None:
        yield (
            Remark(
                "Users, groups, projects and jobs are numbers here; names.json in the study's "
                "folder, which is for the site alone, says who is who.",
            ),
        )
