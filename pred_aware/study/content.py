"""The page of a study."""

from collections.abc import Iterator
from textwrap import shorten

from pred_aware.effects.effect import Effect
from pred_aware.effects.groups import gains_table
from pred_aware.effects.tables import change_cell, how_to_read_cells, mean_cell
from pred_aware.report.interval_format import common_digits
from pred_aware.report.page import Content, Section
from pred_aware.report.page.content import PageBlock
from pred_aware.report.plural import counted
from pred_aware.report.sentence import Remark, remarks
from pred_aware.report.table import Cell, Table
from pred_aware.runs.waiting_by_rule import waiting_tables
from pred_aware.study import evidence
from pred_aware.study.batch_system import SETUP, recipe_table
from pred_aware.study.campaign import OF_JOBS, OF_PROCESSORS
from pred_aware.study.evidence import LABELS
from pred_aware.study.sheet import sheet
from pred_aware.study.study import Study
from pred_aware.version import __version__
from schedulers.site.in_words import rules_in_words

MOST_GROUPS = 2
"""The page shows this number of largest gains of groups, and this number of largest losses."""
MOST_SIGNS = 300
"""The maximum number of characters of a command on the page."""
MOST_REASONS = 4
"""The maximum number of reasons for left-out records on the page."""
MOST_RULES = 10
"""The maximum number of rules on the page, and the maximum number of settings not simulated."""
ODD = ("unknown", "not read")
"""The kinds of settings that change results in an unknown way."""


def content_of(study: Study, *, command: str) -> Content:
    """Return the page of a study.

    Parameters
    ----------
    study
        The finished study.
    command
        The command that repeats the study.
    """
    # study.json has the whole command
    command = shorten(command, MOST_SIGNS, placeholder=" ...")
    log = study.log
    clock, columns = log.inspection.clock, log.inspection.columns
    dates = (
        f", {clock.date(columns.first)[:10]} to {clock.date(columns.last)[:10]}"
        if clock.knows_dates
        else ""
    )
    users = f" of {counted(log.users, 'user')}" if log.users else ""
    return Content(
        title=f"Would run time prediction shorten waits on {log.name}?",
        under=f"{counted(len(log.log), 'job')}{users} on {log.size.processors:,} processors{dates}",
        answer=sheet(study),
        sections=tuple(_sections(study, command)),
        command=command,
    )


def _sections(study: Study, command: str) -> Iterator[Section]:
    recipe = (recipe_table(study.log),) if study.verdict.kind == "yes" else ()
    for title, blocks, anchor in (
        ("All policies", _policies(study), ""),
        ("Gains and losses by group", _gains(study), ""),
        ("The two schedules", evidence.schedules(study), ""),
        ("Recorded queue and simulated queue", evidence.queue(study), ""),
        ("The machine and the site's rules", _rules(study), "rules"),
        ("How well run times can be predicted", evidence.predictors(study), ""),
        ("The log", evidence.log(study), ""),
        ("Set up and go back", recipe, SETUP),
        ("Definitions", (evidence.definitions(),), ""),
        ("How this page was made", _provenance_blocks(study, command), ""),
    ):
        section_blocks = tuple(blocks)
        if section_blocks:
            yield Section(title, section_blocks, anchor=anchor, folded=True)


def policies_tables(study: Study) -> tuple[Table, Table]:
    """Return a table of measures of jobs and a table of measures of processor time, by policy."""
    shakes = study.rounds.shakes
    over = f"means over {shakes} perturbed copies" if shakes else "one simulation each"
    note = how_to_read_cells(study.baseline.name, shakes=shakes)
    return (
        _policies_table(study, OF_JOBS, title=f"Policies, {over}"),
        _policies_table(
            study,
            OF_PROCESSORS,
            title="Wait weighted by processor time, and mean waits by job size (share of machine)",
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


def _cell(effect: Effect, digits: int, baseline: str) -> Cell:
    return (
        mean_cell(effect.measure, effect.value)
        if effect.policy == baseline
        else change_cell(effect, digits)
    )


def _policies(study: Study) -> Iterator[PageBlock]:
    if not study.verdict.has_figures:
        like = study.base is not None and study.base.points is not None
        doubt = "are too uncertain for an answer" if like else "do not apply to this site"
        yield (Remark(f"These numbers come from the simulation and {doubt}.", odd=True),)
    yield remarks([study.log.contenders.compared, study.log.contenders.why])
    yield from policies_tables(study)
    yield from waiting_tables(study.runs, names=True)
    what = {policy.name: policy.what for policy in study.log.contenders.policies}
    rows = tuple((name, what[name]) for name in study.policies)
    yield Table("What the policies do", ("policy", "what it does"), rows, words=True)
    failed = study.rounds.failed
    if failed:
        yield tuple(
            Remark(f"{name} could not be simulated: {why}.", odd=True)
            for name, why in failed.items()
        )


def _gains(study: Study) -> Iterator[PageBlock]:
    judged, baseline = study.log.contenders.judged, study.baseline.name
    for by in study.gains if study.verdict.has_figures else ():
        groups = study.gains_of(judged, by)
        few = len(groups) <= 2 * MOST_GROUPS
        yield gains_table(
            f"Largest gains and losses by {by}",
            groups if few else [*groups[:MOST_GROUPS], *groups[-MOST_GROUPS:]],
            by=by,
            baseline=baseline,
            policy=judged,
        )


def _rules(study: Study) -> Iterator[PageBlock]:
    """Yield the machine's size, the simulated rules, and the settings that are not simulated."""
    log = study.log
    remarks = [Remark(log.size.sentence, odd=log.size.guessed)]
    rules = () if log.site is None else rules_in_words(log.site, names=True)
    shown = "; ".join(rules[:MOST_RULES])
    more = f"; site.toml has all {len(rules):,} rules" if len(rules) > MOST_RULES else ""
    remarks += [Remark(f"All simulations apply these rules: {shown}{more}.")] if rules else []
    missing = log.walltimes.missing
    if missing:
        given = log.walltimes.given
        became = "were left out" if given is None else f"got the same limit, {given:,.0f} s"
        remarks.append(Remark(f"{counted(missing, 'job')} without a time limit {became}."))
    configured = log.configured
    if configured is not None:
        remarks.append(Remark(f"The site was read from a snapshot of {configured.sentence}."))
    findings = () if configured is None else configured.findings
    for one in sorted(findings, key=lambda one: one.kind not in ODD)[:MOST_RULES]:
        text = one if log.key is None else one.without_people()
        remarks.append(
            Remark(f"Setting that is not simulated: {text} ({one.kind}).", odd=one.kind in ODD)
        )
    if len(findings) > MOST_RULES:
        remarks.append(Remark(f"study.json has all {len(findings):,} settings of this kind."))
    yield tuple(remarks)


def _provenance_blocks(study: Study, command: str) -> Iterator[PageBlock]:
    log, rounds = study.log, study.rounds
    run = study.runs[-1].provenance or {}
    libraries = run.get("libraries") or {}
    versions = ", ".join(f"{name} {version}" for name, version in libraries.items())
    left_out = log.log.report.dropped + log.log.report.repaired
    rows = [
        ("repeat the study with", command),
        ("pred-aware", f"{__version__}, Python {run.get('python', '')}, {versions}"),
        ("digest of the jobs", f"SHA-256 {log.log.workload.sha256}"),
        ("records", f"{log.log.report.read:,} read, {len(log.log):,} jobs simulated"),
        *((why, f"{count:,}") for why, count in left_out.most_common(MOST_REASONS)),
        ("cleaned with", ", ".join(log.clean) or "nothing"),
        ("perturbed copies", f"{rounds.shakes}; the study ended because: {rounds.why}"),
    ]
    yield Table("How this page was made", ("", ""), tuple(rows), words=True)
    if log.key is not None:
        yield (
            Remark(
                "This page shows numbers instead of the names of users, groups, projects and jobs. "
                "The names are in names.json in the study's folder. Do not publish this file.",
            ),
        )
