"""Claims judged: what their trials say together, by one rule, on each kind of data by itself."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from pred_aware.statistics import holm
from reproductions.checks.claim import (
    DATA,
    FAILS,
    HOLDS,
    NO,
    OPEN,
    OTHER,
    OURS,
    SOURCES,
    UNTRIED,
    VERDICTS,
    YES,
    Claim,
    Found,
)

FEWEST_ELSEWHERE = 3
"""Trials on other data, below which they tell nothing of the claim."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What became of a claim on one kind of data."""

    verdict: str
    """One of `VERDICTS`."""
    trials: dict[str, int]
    """How many trials came out how; empty where there is none."""
    size: str = ""
    """`YES`, `NO` or `OPEN`; empty where the text has no size."""
    p_value: float | None = None
    """That of the verdict; ``None`` where nothing of it is chance, or nothing was tried."""
    together: float | None = None
    """The same with all claims of the paper in view (Holm)."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim with what was found of it, trial by trial and on each kind of data."""

    claim: Claim
    found: tuple[Found, ...]
    standings: Mapping[str, Standing]
    """By `SOURCES`."""

    def counts_on(self, source: str) -> bool:
        """Say whether the verdict there counts for or against the paper.

        What a paper does not say, and what is true by construction, does nowhere; what describes
        its own data does not on others.
        """
        claim = self.claim
        elsewhere = source == OTHER and claim.kind == DATA
        return not (claim.kind == OURS or claim.true_by_construction or elsewhere)

    def to_dict(self) -> dict[str, Any]:
        """Return what JSON has of it."""
        claim = self.claim
        return {
            "claim": claim.name,
            "place": claim.place,
            "text": claim.text,
            "figure": claim.figure or None,
            "kind": claim.kind,
            "true_by_construction": claim.true_by_construction,
            "verdicts": {name: asdict(one) for name, one in self.standings.items()},
            "found": [asdict(one) for one in self.found],
        }


def judged(found: Iterable[tuple[Claim, tuple[Found, ...]]]) -> tuple[Judged, ...]:
    """Judge a paper's claims, each on each kind of data, and then with all of them in view."""
    alone = [
        (claim, trials, {source: standing(claim, trials, source) for source in SOURCES})
        for claim, trials in found
    ]
    every = [(name, source) for name, (_, _, each) in enumerate(alone) for source in each]
    together = holm([alone[name][2][source].p_value for name, source in every])
    adjusted = dict(zip(every, together, strict=True))
    return tuple(
        Judged(
            claim,
            trials,
            {
                source: replace(one, together=adjusted[place, source])
                for source, one in each.items()
            },
        )
        for place, (claim, trials, each) in enumerate(alone)
    )


def standing(claim: Claim, found: Iterable[Found], source: str) -> Standing:
    """Judge a claim on one kind of data.

    It holds where at least half of its trials hold and none comes out the other way, does not where
    at least half do not and none holds, and cannot be told otherwise; on other data more than half,
    of at least three. One that says "some" holds where any trial does, and does not where none can.

    Parameters
    ----------
    claim
        The claim.
    found
        All of its trials.
    source
        One of `SOURCES`.

    Notes
    -----
    The p value is that of "as many of its trials as the rule asks for": with u of n, (n - u + 1)
    times the u-th smallest (partial conjunction by Bonferroni: Y. Benjamini and R. Heller,
    "Screening for partial conjunction hypotheses", Biometrics 64, 2008), whatever they have to do
    with each other. Trials that have no chance in them have one of 0.
    """
    here = counted_trials(claim, found, source)
    trials = {name: sum(one.verdict == name for one in here) for name in VERDICTS if here}
    tried = [one for one in here if one.verdict != UNTRIED]
    if not tried:
        return Standing(UNTRIED, trials)
    asked = len(tried) // 2 + 1 if source == OTHER else (len(tried) + 1) // 2
    if claim.some:
        asked = 1 if trials[HOLDS] else len(tried)
    verdicts = [one.verdict for one in tried]
    verdict = HOLDS if claim.some and trials[HOLDS] else _told(verdicts, HOLDS, FAILS, asked)
    sizes = [one.size for one in tried if one.size]
    size = _told(sizes, YES, NO, (len(sizes) + 1) // 2) if sizes else ""
    if source == OTHER and len(tried) < FEWEST_ELSEWHERE and not claim.some:
        verdict, size = OPEN, OPEN if sizes else ""
    return Standing(verdict, trials, size, _p_value(tried, verdict, asked))


def counted_trials(claim: Claim, found: Iterable[Found], source: str) -> list[Found]:
    """Return the trials on a kind of data that count for a claim.

    What cannot come out otherwise does only where there is nothing else.
    """
    here = [one for one in found if one.source == source]
    if claim.true_by_construction:
        return here
    return [one for one in here if not one.true_by_construction]


def _told(verdicts: list[str], good: str, bad: str, asked: int) -> str:
    """Return one of two verdicts where so many are it and none is the other."""
    for one, against in ((good, bad), (bad, good)):
        if verdicts.count(one) >= asked and against not in verdicts:
            return one
    return OPEN


def _p_value(tried: list[Found], verdict: str, asked: int) -> float | None:
    if all(one.p_value is None for one in tried):
        return None
    if verdict == OPEN:
        return 1.0
    values = sorted((one.p_value or 0.0) if one.verdict == verdict else 1.0 for one in tried)
    return min(1.0, (len(values) - asked + 1) * values[asked - 1])
