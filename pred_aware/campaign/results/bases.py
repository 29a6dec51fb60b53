"""Several bases of one log: whether what is told on each has the same sign."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.results.differences import compared
from pred_aware.effects.effect import Effect
from pred_aware.effects.tables import change_cell
from pred_aware.metrics import MEASURES
from pred_aware.recorded_queue.trust import CONSEQUENCES, Verdict
from pred_aware.report.sentence import Remark
from pred_aware.report.table import Table, number

FEWEST = 2
"""Bases that can be compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnABase:
    """What a policy changes on one base of a log."""

    base: str
    """What the campaign calls the log with these rules."""
    verdict: Verdict | None
    """What may be told of the site by it; ``None`` where the log cannot tell."""
    ratio: float | None
    correlation: float | None
    """Of the simulated and the recorded waits, in the second half of the log."""
    points: float | None = None
    """How many points from the truth a change is told at most by it."""
    effect: Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class Bases:
    """What a policy changes on the bases of one log."""

    log: str
    policy: str
    measure: str
    on: tuple[OnABase, ...]

    @property
    def agree(self) -> bool:
        """Whether the change is surely of the same sign on each."""
        signs = {one.effect.significant_sign for one in self.on}
        return len(signs) == 1 and 0 not in signs

    @property
    def best(self) -> OnABase | None:
        """The one by which most may be told; ``None`` where none is near enough to the queue."""
        near = [one for one in self.on if one.verdict == "fitted"]
        return max(near, key=lambda one: one.correlation or 0.0, default=None)

    @property
    def sentence(self) -> str:
        """Whether the change holds on all of them, and which to go by."""
        label = MEASURES[self.measure].label
        told = ", ".join(f"{change_cell(one.effect)} on {one.base}" for one in self.on)
        what = f"{self.log}: {label} under {self.policy}: {told}."
        if self.agree:
            return f"{what} The sign is the same on all bases: it does not hang on the rules."
        then = "no direction can be claimed for this site"
        if self.best is not None:
            then = f"go by {self.best.base}, whose queue is nearest to the recorded one"
            if self.best.points is not None:
                then += f", and tell no sign of a change below {self.best.points:.0f} %"
        return f"{what} The signs do not agree: the rules of the site decide; {then}."

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {
            "log": self.log,
            "policy": self.policy,
            "measure": self.measure,
            "signs_agree": self.agree,
            "go_by": None if self.best is None else self.best.base,
            "bases": [
                {
                    **{name: told for name, told in asdict(one).items() if name != "effect"},
                    "change": one.effect.change.value,
                    "low": one.effect.change.low,
                    "high": one.effect.change.high,
                    "surely": one.effect.significant_sign,
                }
                for one in self.on
            ],
        }


def bases(inventory: Inventory, agenda: Agenda) -> list[Bases]:
    """Put together what each policy changes on the bases of each log, in the first measure."""
    together: dict[str, list[str]] = {}
    for log in agenda.campaign.logs:
        together.setdefault(log.base_of or log.name, []).append(log.name)
    together = {log: names for log, names in together.items() if len(names) >= FEWEST}
    if not together:
        return []
    checks = inventory.checks()
    first = agenda.campaign.of_a_run[:1]
    found = {
        (one.log, one.policy): one
        for one in compared(agenda)
        if one.measure in first and one.change.value is not None
    }
    several = []
    for of, names in together.items():
        for policy in (one.name for one in agenda.campaign.policies):
            on = tuple(
                _on_a_base(name, checks.get(name, {}), found[name, policy])
                for name in names
                if (name, policy) in found
            )
            if len(on) >= FEWEST:
                measure = on[0].effect.measure
                several.append(Bases(log=of, policy=policy, measure=measure, on=on))
    return several


def _on_a_base(name: str, check: dict[str, Any], effect: Effect) -> OnABase:
    half = check.get("second_half") or {}
    return OnABase(
        base=name,
        verdict=check.get("base"),
        ratio=half.get("ratio"),
        correlation=half.get("correlation"),
        points=check.get("points"),
        effect=effect,
    )


def bases_table(several: list[Bases]) -> Iterator[Table]:
    """Yield what is told on each base of each log, if a log has several."""
    if several:
        label = MEASURES[several[0].measure].label
        rows = tuple(
            (one.log, one.policy, on.base, number(on.ratio, 2), number(on.correlation, 2),
             CONSEQUENCES[on.verdict], change_cell(on.effect), "yes" if one.agree else "no")
            for one in several
            for on in one.on
        )  # fmt: skip
        columns = ("log", "policy", "base", "of recorded", "ranks", "may be told",
                   f"change of {label}", "signs agree")  # fmt: skip
        yield Table("Several bases of one log", columns, rows)


def bases_in_words(several: list[Bases]) -> Iterator[Remark]:
    """Yield for each policy whether what it changes holds on all bases of a log."""
    for one in several:
        yield Remark(one.sentence, odd=not one.agree)
