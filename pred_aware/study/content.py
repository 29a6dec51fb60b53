"""A study as a page."""

from collections.abc import Iterator

from pred_aware.effects.effect import Effect
from pred_aware.effects.groups import gains_table
from pred_aware.effects.page import large_figure, unmarked
from pred_aware.effects.tables import change_cell, how_to_read_cells, mean_cell
from pred_aware.report.interval_format import common_digits
from pred_aware.report.page import Answer, Content, Section
from pred_aware.report.page.content import PageBlock
from pred_aware.report.plural import counted
from pred_aware.report.sentence import Remark, remarks
from pred_aware.report.table import Cell, Table
from pred_aware.runs.waiting_by_rule import waiting_tables
from pred_aware.study.campaign import OF_JOBS, OF_PROCESSORS
from pred_aware.study.consequences import kinds
from pred_aware.study.evidence import (
    BASELINE_QUEUE,
    GAINS,
    LABELS,
    PREDICTORS,
    SCHEDULES,
    SLOWDOWN,
    TAIL,
    THE_LOG,
    WAIT,
    definitions,
    evidence,
)
from pred_aware.study.on_base import within_error
from pred_aware.study.study import Study
from pred_aware.study.summary.certainty import certainty, ended
from pred_aware.study.summary.hours import of_the_site
from pred_aware.study.summary.other_policies import why_not_others
from pred_aware.study.summary.questions import ASKED, questions
from pred_aware.study.summary.queue import left_out, our_queue, size_remark
from pred_aware.version import __version__

NOT_OF_THE_SITE = (
    "The tables below are of that simulation. Do not expect their changes of this site."
)
WITHIN_ERROR = (
    "The tables below are of the simulation; here the mean wait may as well stay as it is."
)
POLICIES_TITLE = "The policies beside each other"


def content_of(study: Study, *, made: str) -> Content:
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
        answer=answer_of(study),
        sections=tuple(_sections(study, made)),
        made=made,
    )


def answer_of(study: Study) -> Answer:
    """Return the summary of a study's page."""
    found = study.recommended
    warning = tuple(_warning(study)) if found else ()
    shown = [name for name in (WAIT, SLOWDOWN, TAIL) if name in found]
    digits = common_digits(found[name].change for name in shown)
    figures = tuple(
        large_figure(LABELS[name], found[name], baseline=study.baseline.spoken, digits=digits)
        # what does not transfer to the site is in no large figure
        for name in (() if warning else shown)
    )
    return Answer(
        sentence=study.verdict.sentence,
        more=(
            unmarked(study.log.contenders.compared),
            *warning,
        ),
        figures=figures,
        asked=ASKED,
        questions=questions(study),
    )


def _warning(study: Study) -> Iterator[str]:
    """Say where the figures must not be taken for those of the site."""
    if not of_the_site(study):
        yield NOT_OF_THE_SITE
    elif within_error(study.base, study.check.answer, study.recommended[WAIT]):
        yield WITHIN_ERROR


def trust(study: Study) -> Iterator[Remark]:
    """Say how far the answer is to be trusted: number of runs, baseline, size of the machine."""
    yield from certainty(study)
    yield ended(study)
    yield from our_queue(study)
    yield from size_remark(study)
    yield from left_out(study)


def _sections(study: Study, made: str) -> Iterator[Section]:
    before = evidence(study)
    for title, blocks in (
        (POLICIES_TITLE, tuple(_policies(study))),
        (GAINS, (*_in_words(study), *before.get(GAINS, ()), *_gains(study))),
        (SCHEDULES, before.get(SCHEDULES, ())),
        (BASELINE_QUEUE, (*before.get(BASELINE_QUEUE, ()), *_left_out(study))),
        *((title, before.get(title, ())) for title in (PREDICTORS, THE_LOG)),
        ("What the words mean", (definitions(),)),
        ("How this was made", tuple(_made(study, made))),
    ):
        if blocks:
            yield Section(title, blocks, folded=True)


def _left_out(study: Study) -> Iterator[PageBlock]:
    told = tuple(left_out(study))
    if told:
        yield told


def policies_tables(study: Study) -> tuple[Table, Table]:
    """Return all policies, by jobs and by processors, with their changes against the baseline."""
    shakes = study.rounds.shakes
    over = f"over {shakes} shakes" if shakes else "one run each"
    note = how_to_read_cells(study.baseline.name, shakes=shakes)
    return (
        _policies_table(study, OF_JOBS, title=f"Policies, {over}"),
        _policies_table(
            study,
            OF_PROCESSORS,
            title="The same, where each processor second counts as much",
            note=note,
        ),
    )


def _policies_table(study: Study, shown: tuple[str, ...], *, title: str, note: str = "") -> Table:
    every = list(study.policies.values())
    digits = {
        measure: common_digits(measures[measure].change for measures in every) for measure in shown
    }
    rows = tuple(
        (
            name,
            *(_cell(measures[measure], digits[measure], study.baseline.name) for measure in shown),
        )
        for name, measures in study.policies.items()
    )
    return Table(title, ("policy", *(LABELS[name] for name in shown)), rows, note=note)


def _cell(one: Effect, digits: int, baseline: str) -> Cell:
    return mean_cell(one.measure, one.value) if one.policy == baseline else change_cell(one, digits)


def sizes_table(study: Study) -> Table:
    """Return how the answer moves with the machine's size, where the log contradicts it."""
    size = study.log.size
    sizes = (size.processors, *size.others)
    names = (WAIT, SLOWDOWN)
    columns = (
        "processors",
        *(
            f"{LABELS[name]}, {who}"
            for name in names
            for who in (study.baseline.name, study.candidate.name)
        ),
    )
    rows = []
    for processors, found in zip(sizes, (study.recommended, *study.on_other_sizes), strict=False):
        cells: list[Cell] = [Cell(f"{processors:,}", processors)]
        for name in names:
            cells += [mean_cell(name, found[name].baseline), change_cell(found[name])]
        rows.append(tuple(cells))
    note = (
        f"The log shows more than {size.processors:,} processors at work for "
        f"{100 * size.overfull:.2g} % of the time."
    )
    return Table("The answer on other sizes of the machine", columns, tuple(rows), note=note)


def _policies(study: Study) -> Iterator[PageBlock]:
    yield remarks(map(unmarked, study.verdict.compared))
    yield from policies_tables(study)
    if told := tuple(why_not_others(study)):
        yield remarks(told)
    yield from waiting_tables(study.runs, names=True)
    if study.log.size.others and study.recommended:
        yield sizes_table(study)
    what = {policy.name: policy.what for policy in study.log.contenders.policies}
    rows = tuple((name, what[name]) for name in study.policies)
    yield Table("What they are", ("policy", "what it does"), rows, words=True)
    failed = study.rounds.failed
    if failed:
        yield tuple(
            Remark(f"{name} could not be simulated: {why}.", odd=True)
            for name, why in failed.items()
        )


def _in_words(study: Study) -> Iterator[PageBlock]:
    if study.gains:
        yield remarks(kinds(study))


def _gains(study: Study) -> Iterator[PageBlock]:
    if not study.gains:
        yield (Remark("Groups of jobs are compared over shakes, and there are none yet."),)
    for by, groups in study.gains.items():
        yield gains_table(
            f"By {by}: mean wait under {study.candidate.name} against {study.baseline.name}",
            groups,
            by=by,
            baseline=study.baseline.name,
            policy=study.candidate.name,
        )


def _made(study: Study, made: str) -> Iterator[PageBlock]:
    log, rounds = study.log, study.rounds
    run = study.runs[-1].provenance or {}
    rows = [
        ("repeat it with", made),
        ("pred-aware", f"{__version__}, Python {run.get('python', '')}"),
        ("the jobs' digest", f"SHA-256 {log.log.workload.sha256}"),
        ("records", f"{log.log.report.read:,} read, {len(log.log):,} jobs simulated"),
        *((f"left out: {why}", f"{count:,}") for why, count in log.log.report.dropped.items()),
        *((f"repaired: {why}", f"{count:,}") for why, count in log.log.report.repaired.items()),
        ("cleaned by", ", ".join(log.clean) or "nothing"),
        ("shakes", f"{rounds.shakes}; ended because: {rounds.why}"),
        *([("begun", rounds.unfinished)] if rounds.unfinished else []),
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
