"""Comparison of a policy's changes on several baselines of one log: whether their signs agree."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from pred_aware.campaign.agenda import Agenda
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.results.differences import compared
from pred_aware.effects.effect import Effect
from pred_aware.effects.tables import change_cell
from pred_aware.metrics import MEASURES
from pred_aware.recorded_queue.trust import CONSEQUENCES, ERROR_BAR, Verdict
from pred_aware.report.sentence import Remark
from pred_aware.report.table import Table, number

FEWEST = 2
"""Fewest baselines for a comparison."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnBaseline:
    """The change under a policy on one baseline of a log."""

    base: str
    """The campaign's name of the log with these rules."""
    verdict: Verdict | None
    """Which statements about the site are allowed; ``None`` if the log does not show it."""
    ratio: float | None
    correlation: float | None
    """Simulated / recorded mean wait, and rank correlation, in the second half of the log."""
    effect: Effect


@dataclass(frozen=True, slots=True, kw_only=True)
class AcrossBaselines:
    """The change under a policy on several baselines of one log."""

    log: str
    policy: str
    measure: str
    on: tuple[OnBaseline, ...]

    @property
    def agree(self) -> bool:
        """Whether the change has the same significant sign on each baseline."""
        signs = {one.effect.significant_sign for one in self.on}
        return len(signs) == 1 and 0 not in signs

    @property
    def best(self) -> OnBaseline | None:
        """The baseline closest to the recorded queue; ``None`` if none is close enough."""
        near = [candidate for candidate in self.on if candidate.verdict == "fitted"]
        return max(near, key=lambda candidate: candidate.correlation or 0.0, default=None)

    @property
    def sentence(self) -> str:
        """Whether the change has the same sign on all baselines, and which baseline to use."""
        label = MEASURES[self.measure].label
        changes = ", ".join(f"{change_cell(one.effect)} on {one.base}" for one in self.on)
        what = f"{self.log}: {label} under {self.policy}: {changes}."
        if self.agree:
            return f"{what} All signs agree, so the sign does not depend on the site's rules."
        then = "no direction can be claimed for this site"
        if self.best is not None:
            then = (
                f"use {self.best.base}, whose queue is closest to the recorded one, and do not "
                f"rely on the sign of changes below {ERROR_BAR:.0f} %"
            )
        return f"{what} The signs differ, so they depend on the site's rules; {then}."

    def to_dict(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return {
            "log": self.log,
            "policy": self.policy,
            "measure": self.measure,
            "signs_agree": self.agree,
            "go_by": None if self.best is None else self.best.base,
            "bases": [
                {
                    **{name: value for name, value in asdict(one).items() if name != "effect"},
                    "change": one.effect.change.value,
                    "low": one.effect.change.low,
                    "high": one.effect.change.high,
                    "surely": one.effect.significant_sign,
                }
                for one in self.on
            ],
        }


def across_baselines(inventory: Inventory, agenda: Agenda) -> list[AcrossBaselines]:
    """Return each policy's changes of the first measure on the baselines of each log."""
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
                _on_baseline(name, checks.get(name, {}), found[name, policy])
                for name in names
                if (name, policy) in found
            )
            if len(on) >= FEWEST:
                measure = on[0].effect.measure
                several.append(AcrossBaselines(log=of, policy=policy, measure=measure, on=on))
    return several


def _on_baseline(name: str, check: dict[str, Any], effect: Effect) -> OnBaseline:
    half = check.get("second_half") or {}
    return OnBaseline(
        base=name,
        verdict=check.get("base"),
        ratio=half.get("ratio"),
        correlation=half.get("correlation"),
        effect=effect,
    )


def baselines_table(several: list[AcrossBaselines]) -> Iterator[Table]:
    """Yield a table of the changes on each baseline of each log, if a log has several."""
    if several:
        label = MEASURES[several[0].measure].label
        rows = tuple(
            (one.log, one.policy, on.base, number(on.ratio, 2), number(on.correlation, 2),
             CONSEQUENCES[on.verdict], change_cell(on.effect), "yes" if one.agree else "no")
            for one in several
            for on in one.on
        )  # fmt: skip
        columns = ("log", "policy", "baseline", "simulated / recorded wait",
                   "rank correlation", "allowed statements",
                   f"change of {label}", "signs agree")  # fmt: skip
        yield Table("Several baselines of one log", columns, rows)


def baseline_remarks(several: list[AcrossBaselines]) -> Iterator[Remark]:
    """Yield for each policy whether its change has the same sign on all baselines of a log."""
    for one in several:
        yield Remark(one.sentence, odd=not one.agree)
