"""What came out of reproduced papers in all, and their page."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pred_aware.report import NOTHING, BarChart, Picture, Remark, Table, counted, picture_of
from pred_aware.report.page import Answer, Content, Section, unfolded, write
from pred_aware.statistics import SURE
from reproductions.checks.claim import (
    CHANGED,
    FAILS,
    HOLDS,
    KINDS,
    NO,
    OPEN,
    OTHER,
    OURS,
    SOURCES,
    THEIRS,
    UNTRIED,
    VERDICTS,
)
from reproductions.claims_tables import cell_of, claims_table, in_short, text_of
from reproductions.judging import Judged, Standing
from reproductions.reproducing import Reproduced

HOW_JUDGED = (
    "A claim is judged by its direction: a trial holds if the whole 95 % interval lies on its "
    "side, does not if the whole interval lies on the other, and cannot be told between; what is "
    "counted, as over all jobs of a log, has no interval. On each kind of data by itself (what "
    "the authors had or published; that with another predictor, rebuilt, or in another release; "
    "other data) the claim holds where at least half of its trials do and none comes out the "
    "other way, does not where at least half do not and none holds, and cannot be told else; on "
    "other data more than half, of at least three. Where the text has a size, 'size' says yes if "
    "the whole interval lies within a quarter of the paper's figure, and no if it leaves that out; "
    "a decrease is measured as the increase that undoes it. "
    "What describes the authors' own jobs or machine cannot be refuted by others, what cannot come "
    "out otherwise tells nothing, and what the paper does not say is no claim of its: neither "
    "counts. Intervals of simulations are over shakes of the log (chance), of random splits over "
    "20 of them, corrected for their overlap, of predictions over weeks; with few weeks these are "
    "narrower than they should be. The last column says which verdicts remain with all claims of "
    "the paper in view (Holm), where chance is told at all."
)


def counts_of(every: Sequence[Judged], source: str) -> Counter[str]:
    """Count the verdicts on a kind of data, of claims that have a trial on it that counts."""
    return Counter(
        one.standings[source].verdict
        for one in every
        if one.counts_on(source) and one.standings[source].trials
    )


def counts_table(results: Sequence[Reproduced]) -> Table:
    """Return how many claims came out how, by kind and by the data that they are tried on."""
    every = [one for result in results for one in result.judged]
    rows = [
        (kind if source == SOURCES[0] else "", source, *_counted(of_kind, source))
        for kind in KINDS
        if kind != OURS
        for of_kind in [[one for one in every if one.claim.kind == kind]]
        for source in SOURCES
        if counts_of(of_kind, source)
    ]
    always = sum(one.claim.true_by_construction for one in every)
    ours = sum(one.claim.kind == OURS for one in every)
    return Table(
        "How the claims came out",
        ("what is claimed", "tried on", *VERDICTS, "size: yes", "size: no", "remain"),
        tuple(rows),
        note=f"A claim stands in as many rows as it is tried on kinds of data. Not in them: "
        f"{counted(always, 'claim')} true by construction, {ours} that the papers do not make, "
        "and on other data those that describe the authors' own. The last column counts the "
        "verdicts that remain with all claims of a paper in view.",
    )


def _counted(every: Sequence[Judged], source: str) -> tuple[str, ...]:
    here = [one.standings[source] for one in every if one.counts_on(source)]
    verdicts = counts_of(every, source)
    sizes = Counter(one.size for one in here)
    remain = sum(_remains(one) for one in here)
    return tuple(
        map(str, (*(verdicts[name] for name in VERDICTS), sizes["yes"], sizes["no"], remain))
    )


def _remains(one: Standing) -> bool:
    told = one.verdict in (HOLDS, FAILS)
    return told and one.together is not None and one.together < SURE


def logs_table(results: Sequence[Reproduced]) -> Table:
    """Return the logs that the authors had, beside what of them is here."""
    rows = [
        (
            one.paper.number,
            used.log,
            "; ".join(one for one in (used.file, used.missing) if one),
            NOTHING if used.jobs is None else f"{used.jobs:,}",
            NOTHING if used.paper_jobs is None else f"{used.paper_jobs:,}",
            used.source,
            used.differs or NOTHING,
        )
        for one in results
        for used in one.logs
    ]
    columns = ("paper", "log", "file here", "jobs", "the paper's", "counts as", "differs")
    return Table("The authors' own logs", columns, tuple(rows), words=True)


def not_confirmed(results: Sequence[Reproduced]) -> Table:
    """Return the claims that are not confirmed, with what their authors may answer.

    On the authors' data, also changed, these are those that do not hold, cannot be told, or are not
    of the paper's size; on other data those that do not hold.
    """
    rows = [
        (
            judged.claim.name,
            text_of(judged),
            cell_of(judged, source),
            source,
            judged.claim.answer or one.paper.answers[source],
        )
        for source in SOURCES
        for one in results
        for judged in one.judged
        if judged.counts_on(source) and _not_confirmed(judged.standings[source], source)
    ]
    columns = ("claim", "what it says", "what came out", "on", "what its authors may answer")
    return Table("What is not confirmed, and where", columns, tuple(rows), words=True)


def _not_confirmed(one: Standing, source: str) -> bool:
    if source == OTHER:
        return one.verdict == FAILS
    return one.verdict in (FAILS, OPEN) or one.size == NO


def summary(results: Sequence[Reproduced]) -> tuple[str, str]:
    """Say it in two sentences: of what the authors had, and of other data."""
    every = [one for result in results for one in result.judged]
    claims = [one for one in every if one.claim.kind != OURS]
    whose = f"paper {results[0].paper.number}" if len(results) == 1 else f"{len(results)} papers"
    nowhere = sum(all(each.verdict == UNTRIED for each in one.standings.values()) for one in claims)
    first = (
        f"{nowhere} of {counted(len(claims), 'claim')} of {whose} are not tried here. On what the "
        f"authors had or published {_said(every, THEIRS)}; on that changed (another predictor, "
        f"rebuilt, another release) {_said(every, CHANGED)}."
    )
    if nowhere == len(claims):
        return first, "The table says of each what is missing, and how to get it."
    return first, f"On data that they never saw {_said(every, OTHER)}."


def _said(every: Sequence[Judged], source: str) -> str:
    counts = counts_of(every, source)
    return f"{counts[HOLDS]} hold, {counts[FAILS]} do not, and {counts[OPEN]} cannot be told"


def _figures(one: Reproduced) -> Iterator[Picture | Table]:
    for figure in one.figures:
        shown = picture_of(figure) if isinstance(figure, BarChart) else figure
        if shown is not None:
            yield shown


def write_report(results: Sequence[Reproduced], path: Path, *, made: str) -> None:
    """Write the page.

    Parameters
    ----------
    results
        At least one.
    path
        The file.
    made
        The command.

    Raises
    ------
    InputError
        It cannot be written.
    """
    in_all = (counts_table(results), not_confirmed(results), logs_table(results))
    sections = [Section("In short", tuple(table for table in in_all if table.rows))]
    for one in results:
        failures = tuple(
            Remark(f"{name}: {reason}", odd=True) for name, reason in one.failures.items()
        )
        blocks = (*unfolded(in_short(one)), *((failures,) if failures else ()), *_figures(one))
        sections.append(Section(f"Paper {one.paper.number}", (*blocks, claims_table(one))))
    sections.append(Section("How it was judged", ((Remark(HOW_JUDGED),),)))
    names = ", ".join(one.paper.number for one in results)
    papers = "paper" if len(results) == 1 else "papers"
    first, second = summary(results)
    content = Content(
        f"What holds of {papers} {names}",
        "Papers' claims on the logs at hand",
        Answer(first, (second,)),
        tuple(sections),
        made,
    )
    write(path, content)
