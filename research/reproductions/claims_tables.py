"""Judged claims as tables: each in a line, and trial by trial."""

from collections import Counter
from collections.abc import Sequence
from textwrap import shorten

from pred_aware.report import NOTHING, Cell, Table
from pred_aware.statistics import SURE
from reproductions.checks.claim import FAILS, HOLDS, OPEN, SOURCES, UNTRIED, Found
from reproductions.judging import Judged, counted_trials
from reproductions.reproducing import Reproduced


def claims_table(one: Reproduced) -> Table:
    """Return a row for each trial; logs that could not be looked at share one."""
    rows = [
        (
            judged.claim.name if place == 0 else "",
            text_of(judged) if place == 0 else "",
            (judged.claim.figure or NOTHING) if place == 0 else "",
            found.log or NOTHING,
            found.source,
            Cell(found.ours, found.value),
            found.verdict + (" (by construction)" if found.true_by_construction else ""),
            found.size or NOTHING,
        )
        for judged in one.judged
        for place, found in enumerate(_together(judged.found))
    ]
    columns = (
        "claim", "what it says, and where", "the paper's", "log", "made on", "ours", "verdict",
        "size",
    )  # fmt: skip
    title = f"Paper {one.paper.number}: each trial, with its figures"
    return Table(title, columns, tuple(rows), words=True)


def in_short(one: Reproduced) -> Table:
    """Return a row for each claim: what became of it on each kind of data, and on which logs."""
    rows = [
        (
            judged.claim.name,
            text_of(judged),
            judged.claim.figure or NOTHING,
            kind_of(judged),
            *(cell_of(judged, source) for source in SOURCES),
            _in_view(judged),
        )
        for judged in one.judged
    ]
    columns = (
        "claim", "what it says, and where", "the paper's", "kind", *SOURCES, "with all in view",
    )  # fmt: skip
    return Table(
        f"Paper {one.paper.number}: {one.paper.title}",
        columns,
        tuple(rows),
        words=True,
        note="Size: whether it is of the paper's size. Beside a verdict stand the logs, and how "
        "many of their trials came out how where there are several.",
    )


def in_terminal(one: Reproduced) -> Table:
    """Return a line for each claim that is tried anywhere, short enough for a terminal."""
    rows = [
        (
            judged.claim.name,
            shorten(judged.claim.text, _SHORT, placeholder=" ..."),
            *(_verdict(judged, source, without=("", OPEN)) for source in SOURCES),
        )
        for judged in one.judged
        if any(each.verdict != UNTRIED for each in judged.standings.values())
    ]
    untried = [
        judged.claim.name
        for judged in one.judged
        if all(each.verdict == UNTRIED for each in judged.standings.values())
    ]
    note = f"Not tried: {', '.join(untried)}." if untried else ""
    title = f"Paper {one.paper.number}"
    return Table(title, ("claim", "what it says", *SOURCES), tuple(rows), note=note, words=True)


_SHORT = 40
"""Characters of a claim's text in a terminal."""


def text_of(judged: Judged) -> str:
    """Return what a claim says, and where."""
    return f"{judged.claim.text} ({judged.claim.place})"


def kind_of(judged: Judged) -> str:
    """Return what is claimed, and whether it cannot come out otherwise."""
    always = ", true by construction" if judged.claim.true_by_construction else ""
    return judged.claim.kind + always


def _verdict(judged: Judged, source: str, without: tuple[str, ...] = ("",)) -> str:
    """Return the verdict on a kind of data with that on the size; `NOTHING` where no trial is."""
    one = judged.standings[source]
    if not one.trials:
        return NOTHING
    return one.verdict + (f"; size: {one.size}" if one.size not in without else "")


def cell_of(judged: Judged, source: str) -> str:
    """Return what became of a claim on a kind of data, and on which logs."""
    one = judged.standings[source]
    said = _verdict(judged, source)
    if not one.trials:
        return said
    if one.verdict == UNTRIED:
        logs = [found.log for found in judged.found if found.source == source]
        return f"{said}: {judged.claim.untried or ', '.join(dict.fromkeys(logs))}"
    return f"{said} ({_logs(counted_trials(judged.claim, judged.found, source), one.verdict)})"


def _logs(found: Sequence[Found], in_all: str) -> str:
    """Name the logs that were tried, with what came out on each where it is not just this."""
    tried = dict.fromkeys(one.log for one in found if one.verdict != UNTRIED)
    return "; ".join(
        _on(log or "no log", Counter(one.verdict for one in found if one.log == log), in_all)
        for log in tried
    )


_SAID = {HOLDS: ("holds", "hold"), FAILS: ("does not", "do not"), OPEN: ("cannot be told",) * 2}


def _on(log: str, counts: Counter[str], in_all: str) -> str:
    trials = sum(counts[verdict] for verdict in _SAID)
    if counts[in_all] == trials:
        return log if trials == 1 else f"{log} {trials} of {trials}"
    told = [
        (f"{counts[verdict]} " if trials > 1 else "") + said[counts[verdict] > 1]
        for verdict, said in _SAID.items()
        if counts[verdict]
    ]
    return f"{log}: {', '.join(told)}"


def _in_view(judged: Judged) -> str:
    """Say which verdicts remain with all claims of the paper in view."""
    told = {
        source: "remains" if one.together < SURE else "does not remain"
        for source, one in judged.standings.items()
        if one.together is not None and one.verdict in (HOLDS, FAILS)
    }
    if len(set(told.values())) == 1:
        return next(iter(told.values()))
    return "; ".join(f"{source}: {said}" for source, said in told.items()) or NOTHING


def _together(found: Sequence[Found]) -> list[Found]:
    """Put what was not tried for the same reason into one."""
    logs: dict[tuple[str, str], list[str]] = {}
    for one in found:
        if one.verdict == UNTRIED:
            logs.setdefault((one.ours, one.source), []).append(one.log)
    known = [one for one in found if one.verdict != UNTRIED]
    untried = [
        Found(", ".join(dict.fromkeys(names)), why, UNTRIED, source=source)
        for (why, source), names in logs.items()
    ]
    return [*known, *untried]
