"""Reproduced papers as tables and as a page."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from pred_aware.report import NOTHING, BarChart, Cell, Picture, Remark, Table, counted, picture_of
from pred_aware.report.page import Answer, Content, Section, unfolded, write
from reproductions.checks.claim import (
    FAILS,
    HOLDS,
    MIXED,
    OPEN,
    OUTCOMES,
    UNCHECKED,
    VERDICTS,
    Found,
)
from reproductions.reproducing import Reproduced

HOW_JUDGED = (
    "A claim about an order is judged by its direction, not by its digits, which are those of "
    "other logs and other simulators: it holds if the whole 95 % interval lies on its side, "
    "does not if the whole interval lies on the other, and can't be told in between. The "
    "paper's figure stands beside. Intervals of simulations are over shakes of the log "
    "(chance), of predictions over its weeks (other weeks); with few weeks these are narrower "
    "than they should be. Each trial is looked at alone, since its claim was made before; where "
    "one needs several differences, with all of these in view (Holm). With so many claims a few "
    "will come out by chance."
)


def claims_table(one: Reproduced) -> Table:
    """Return a row for each claim and log; logs that could not be looked at share one."""
    rows = [
        (
            judged.claim.name if place == 0 else "",
            f"{judged.claim.text} ({judged.claim.place})" if place == 0 else "",
            (judged.claim.figure or NOTHING) if place == 0 else "",
            found.log or NOTHING,
            Cell(found.ours, found.value),
            found.verdict,
        )
        for judged in one.judged
        for place, found in enumerate(_together(judged.found))
    ]
    columns = ("claim", "what it says, and where", "the paper's", "log", "ours", "verdict")
    title = f"Paper {one.paper.number}: each trial, with its figures"
    return Table(title, columns, tuple(rows), words=True)


def in_short(one: Reproduced) -> Table:
    """Return a row for each claim: what became of it, and on which logs, how often."""
    rows = [
        (
            f"{judged.claim.name} {judged.claim.text} ({judged.claim.place})",
            judged.outcome,
            judged.claim.figure or NOTHING,
            *(_where(judged.found, verdict) for verdict in VERDICTS),
        )
        for judged in one.judged
    ]
    columns = ("what it says, and where", "in all", "the paper's", *VERDICTS)
    return Table(
        f"Paper {one.paper.number}: {one.paper.title}",
        columns,
        tuple(rows),
        words=True,
        note="The last four columns name logs, and how often where a claim is tried of several "
        "policies, measures or machines.",
    )


def _where(found: Sequence[Found], verdict: str) -> str:
    """Name the logs on which a claim came out so, and how often if it is tried several times."""
    logs = Counter(one.log for one in found if one.verdict == verdict)
    tried = Counter(one.log for one in found)
    return ", ".join(
        (log or "everywhere") + (f" ({number} of {tried[log]})" if tried[log] > 1 else "")
        for log, number in logs.items()
    )


def _together(found: Sequence[Found]) -> list[Found]:
    """Put what could not be checked for the same reason into one."""
    logs: dict[str, list[str]] = {}
    for one in found:
        if one.verdict == UNCHECKED:
            logs.setdefault(one.ours, []).append(one.log)
    known = [one for one in found if one.verdict != UNCHECKED]
    unchecked = [
        Found(", ".join(dict.fromkeys(names)), why, UNCHECKED) for why, names in logs.items()
    ]
    return [*known, *unchecked]


def counts_table(results: Sequence[Reproduced]) -> Table:
    """Return how many claims came out how, by paper."""
    rows = [
        (one.paper.number, str(len(one.judged)), *(str(one.outcomes[name]) for name in OUTCOMES))
        for one in results
    ]
    return Table(
        "How the claims came out",
        ("paper", "claims", *OUTCOMES),
        tuple(rows),
        note="A claim holds if it came out as claimed wherever that can be told from chance; in "
        "part, if it did somewhere, and the other way round elsewhere.",
    )


def summary(results: Sequence[Reproduced]) -> tuple[str, str]:
    """Say it in two sentences: of claims, and of how often they were tried."""
    claims = sum((one.outcomes for one in results), start=Counter[str]())
    total = sum((one.verdicts for one in results), start=Counter[str]())
    whose = f"paper {results[0].paper.number}" if len(results) == 1 else f"{len(results)} papers"
    first = (
        f"Of {counted(claims.total(), 'claim')} of {whose}, {claims[HOLDS]} hold wherever that "
        f"can be told, {claims[MIXED]} in part, and {claims[FAILS]} nowhere; {claims[OPEN]} can't "
        f"be told from chance, and {claims[UNCHECKED]} can't be checked here."
    )
    tried = total[HOLDS] + total[FAILS] + total[OPEN]
    if not tried:
        return first, "The table says of each what is missing, and how to get it."
    second = (
        f"Tried {counted(tried, 'time')}, on each log and for "
        f"each policy and measure by itself, they came out as claimed {total[HOLDS]:,} times and "
        f"the other way round {total[FAILS]:,} times; {total[OPEN]:,} times chance may have done "
        "it."
    )
    return first, second


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
        It can't be written.
    """
    sections = [Section("In short", (counts_table(results),))]
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
