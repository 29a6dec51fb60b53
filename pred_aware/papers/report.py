"""Reproduced papers as tables and as a page."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple
from pathlib import Path

from pred_aware.page.content import Answer, Content, Section
from pred_aware.page.writing import write
from pred_aware.papers.claim import FAILS, HOLDS, OPEN, UNCHECKED, VERDICTS, Found
from pred_aware.papers.reproducing import Reproduced
from pred_aware.report.counted import counted
from pred_aware.report.page import Remark
from pred_aware.report.table import NOTHING, Cell, Table
from workload_tools.files import written_whole

HOW_JUDGED = (
    "A claim about an order is judged by its direction, not by its digits, which are those of "
    "other logs and other simulators: it holds if the whole 95 % interval lies on its side, "
    "does not if the whole interval lies on the other, and can't be told in between. The "
    "paper's figure stands beside. Intervals of simulations are over shakes of the log "
    "(chance), of predictions over its weeks (other weeks); with few weeks these are narrower "
    "than they should be. With so many claims a few will come out by chance."
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
    return Table(one.paper.title, columns, tuple(rows), words=True)


def in_short(one: Reproduced) -> Table:
    """Return a row for each claim: on which logs it came out how."""
    rows = [
        (
            judged.claim.name,
            judged.claim.text,
            judged.claim.figure or NOTHING,
            *(
                ", ".join(dict.fromkeys(x.log for x in judged.found if x.verdict == name and x.log))
                or ("x" if any(x.verdict == name for x in judged.found) else "")
                for name in VERDICTS
            ),
        )
        for judged in one.judged
    ]
    columns = ("claim", "what it says", "the paper's", *VERDICTS)
    return Table(f"Paper {one.paper.number}: {one.paper.title}", columns, tuple(rows), words=True)


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


def write_csv(results: Iterable[Reproduced], path: Path) -> None:
    """Write a row for each claim and log of all papers.

    Raises
    ------
    InputError
        The file can't be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("claim", "place", "text", "figure", *Found.__dataclass_fields__))
    for one in results:
        for judged in one.judged:
            claim = judged.claim
            for found in judged.found:
                writer.writerow(
                    (claim.name, claim.place, claim.text, claim.figure, *astuple(found))
                )
    with written_whole(path) as file:
        file.write(text.getvalue().encode())


def counts_table(results: Sequence[Reproduced]) -> Table:
    """Return how many pairs of a claim and a log came out how, by paper."""
    rows = [
        (one.paper.number, str(len(one.judged)), *(str(one.verdicts[name]) for name in VERDICTS))
        for one in results
    ]
    return Table(
        "How the claims came out",
        ("paper", "claims", *VERDICTS),
        tuple(rows),
        note="A claim that is tried on several logs, or of several policies, counts as often.",
    )


def summary(results: Sequence[Reproduced]) -> str:
    """Say it in a sentence."""
    total = sum((one.verdicts for one in results), start=Counter[str]())
    claims = sum(len(one.judged) for one in results)
    return (
        f"Of {counted(claims, 'claim')} of {counted(len(results), 'paper')}, tried "
        f"{total[HOLDS] + total[FAILS] + total[OPEN]} times, {total[HOLDS]} came out as claimed, "
        f"{total[FAILS]} the other way round, {total[OPEN]} can't be told from chance; "
        f"{total[UNCHECKED]} can't be checked here."
    )


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
        blocks = (claims_table(one), *((failures,) if failures else ()))
        sections.append(Section(f"Paper {one.paper.number}", blocks))
    sections.append(Section("How it was judged", ((Remark(HOW_JUDGED),),)))
    names = ", ".join(one.paper.number for one in results)
    content = Content(
        f"What holds of {names}",
        "Papers' claims on the logs at hand",
        Answer(summary(results)),
        tuple(sections),
        made,
    )
    write(path, content)
