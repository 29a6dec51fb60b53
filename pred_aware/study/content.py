"""A study as a page."""

from collections.abc import Iterator

from pred_aware.effects.effect import Effect
from pred_aware.effects.groups import gains_table
from pred_aware.effects.page import large_figure, unmarked
from pred_aware.effects.tables import change_cell, how_to_read_cells, mean_cell
from pred_aware.effects.words import ITS_INTERVAL, ONE_LOG
from pred_aware.report.page import Answer, Content, Section
from pred_aware.report.page.content import PageBlock
from pred_aware.report.plural import counted
from pred_aware.report.sentence import Remark, remarks
from pred_aware.report.table import Cell, Table
from pred_aware.runs.waiting_by_rule import waiting_tables
from pred_aware.study.campaign import OF_JOBS, OF_PROCESSORS
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
from pred_aware.study.rounds import FIRST, Rounds
from pred_aware.study.study import Study
from pred_aware.version import __version__, build
from schedulers.site.in_words import rules_in_words


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
        answer=_answer(study),
        sections=tuple(section for section in _sections(study, made) if section.blocks),
        made=made,
    )


def _answer(study: Study) -> Answer:
    verdict = study.verdict
    found = study.recommended
    figures = tuple(
        large_figure(LABELS[name], found[name], baseline=study.baseline.spoken)
        for name in (WAIT, SLOWDOWN, TAIL)
        if name in found
    )
    return Answer(
        sentence=verdict.sentence,
        more=tuple(map(unmarked, verdict.compared)),
        figures=figures,
        trust=tuple(trust(study)),
    )


def trust(study: Study) -> Iterator[Remark]:
    """Say how far the answer is to be trusted: number of runs, baseline, size of the machine."""
    shakes = study.rounds.shakes
    if shakes:
        few = "; so few make wide intervals" if shakes < FIRST else ""
        yield Remark(
            f"Chance: figures are means over {shakes} shakes of the log (sessions of users moved "
            f"by some minutes), with the {ITS_INTERVAL}{few}.",
            f"It {ONE_LOG}",
            odd=bool(few),
        )
    else:
        yield Remark("Chance: one run each, so nobody knows what of it is chance.", odd=True)
    yield Remark(f"Ended: {_ended(study.rounds)}.", odd=bool(study.rounds.unfinished))
    yield Remark(f"Baseline: {study.check.sentence}", odd=study.check.warns)
    if study.base is not None:
        yield Remark(f"Base: {study.base.sentence}", odd=study.base.verdict != "fitted")
    size = study.log.size
    yield Remark(f"Size: {size.sentence}", odd=size.guessed or bool(size.others))
    if study.log.site is not None:
        rules = "; ".join(rules_in_words(study.log.site, names=True)) or "none"
        yield Remark(f"Site: every schedule keeps the rules of {study.log.site.name}: {rules}.")
        if study.log.configured is None:
            yield Remark(f"Base: {study.log.contenders.why}")
    yield from _configuration(study)
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


def _configuration(study: Study) -> Iterator[Remark]:
    """Say what of the site's configuration is in its rules, and what is not."""
    made = study.log.configured
    if made is None:
        return
    yield Remark(
        f"Base: the nodes and rules are read from a snapshot of {made.sentence}. "
        f"{study.log.contenders.why}",
        odd=any(one.kind in ODD for one in made.findings),
    )
    for one in made.findings:
        told = one if study.log.key is None else one.without_people()
        yield Remark(f"Not in the site: {told} ({one.kind}).", odd=one.kind in ODD)


ODD = ("unknown", "not read")
"""Of a configuration, what may change results in a way that nobody can tell."""


def _ended(rounds: Rounds) -> str:
    """Say why there are no more shakes, and what was begun."""
    return f"{rounds.why}{'; ' if rounds.unfinished else ''}{rounds.unfinished}"


def _sections(study: Study, made: str) -> Iterator[Section]:
    verdict = study.verdict
    before = evidence(study)
    told = (remarks((*verdict.gains, *verdict.costs)),) if verdict.costs else ()
    yield Section("Who gains, who loses, what it costs", told)
    yield Section("What to do next", (remarks(map(unmarked, verdict.next)),))
    yield Section("The policies beside each other", tuple(_policies(study)))
    yield Section(GAINS, (*before.get(GAINS, ()), *_gains(study)))
    for title in (SCHEDULES, BASELINE_QUEUE, PREDICTORS, THE_LOG):
        yield Section(title, before.get(title, ()))
    yield Section("What the words mean", (definitions(),))
    yield Section("How this was made", tuple(_made(study, made)))


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
    rows = tuple(
        (name, *(_cell(measures[measure], study.baseline.name) for measure in shown))
        for name, measures in study.policies.items()
    )
    return Table(title, ("policy", *(LABELS[name] for name in shown)), rows, note=note)


def _cell(one: Effect, baseline: str) -> Cell:
    return mean_cell(one.measure, one.value) if one.policy == baseline else change_cell(one)


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
    yield from policies_tables(study)
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


def _gains(study: Study) -> Iterator[PageBlock]:
    if not study.gains:
        yield (Remark("Groups of jobs are told when there are shakes: call it again."),)
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
    run = study.runs[-1].made or {}
    rows = [
        ("repeat it with", made),
        ("pred-aware", f"{__version__} ({build()}), Python {run.get('python', '')}"),
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
