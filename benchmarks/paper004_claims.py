"""What paper 004 says, claim by claim, and what runs under several shakes say to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from paper004_outcomes import ACCURACIES, QUANTITIES, Figures

from pred_aware.statistics import Difference, paired_difference

Runs = Mapping[str, Sequence[Figures]]
"""By scheme its figures, shake by shake, the same shakes for all."""

SHORT = {"waiting_time": "wait", "unitless_wait": "uwait", "slowdown": "slowdown"}
BASE, FCFS = "a = 0", "FCFS, a = 0"
BACKFILLED, FROM_HEAD = "started as backfilled", "started as head"
SHOWN_ONE_BY_ONE = 3
"""Of more parts than these a cell says only how many hold."""


@dataclass(frozen=True, slots=True)
class Part:
    """A scheme has less of something than another one; more, if `more`."""

    scheme: str
    than: str
    figure: str
    more: bool = False

    def gain(self, runs: Runs, jobs: str) -> Difference:
        """Return by how much less it has, as a share, with its interval."""
        name = f"{jobs}, {self.figure}"
        base, new = ([figures[name] for figures in runs[one]] for one in (self.than, self.scheme))
        return paired_difference(base, new)

    def holds(self, runs: Runs, jobs: str) -> bool | None:
        """Say whether it does; ``None`` where that can't be told from chance."""
        difference = self.gain(runs, jobs)
        if not difference.told_apart or difference.value is None:
            return None
        return (difference.value > 0.0) == self.more


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that the paper says, with its own figures, and what it comes to here."""

    said: str
    figures: str
    parts: tuple[Part, ...]

    def schemes(self) -> set[str]:
        """Return which runs it takes."""
        return {scheme for part in self.parts for scheme in (part.scheme, part.than)}

    def cell(self, runs: Runs, jobs: str) -> str:
        """Say whether it holds, with the figures that this rests on."""
        held = [part.holds(runs, jobs) for part in self.parts]
        verdict = "no" if False in held else "yes" if None not in held else "not told apart"
        if len(held) > SHOWN_ONE_BY_ONE:
            counts = (held.count(True), held.count(False), held.count(None))
            verdict = verdict if len(set(held)) == 1 else "in part"
            return f"{verdict}: {counts[0]} yes, {counts[1]} no, {counts[2]} not told apart"
        return f"{verdict}: " + ", ".join(change(part.gain(runs, jobs)) for part in self.parts)


def change(difference: Difference, *, sign: float = -1.0) -> str:
    """Write a gain with its interval, positive where there is less than in the base.

    With a `sign` of 1 it is what there is more.
    """
    told = (difference.value, difference.low, difference.high)
    value, low, high = (None if one is None else 100 * sign * one for one in told)
    if value is None:
        return "-"
    if low is None or high is None:
        return f"{value:+.0f} %"
    return f"{value:+.0f} % ({min(low, high):+.0f} to {max(low, high):+.0f})"


def _all(scheme: str, than: str, *, statistic: str = "mean") -> tuple[Part, ...]:
    return tuple(Part(scheme, than, f"{statistic}_{quantity}") for quantity in QUANTITIES)


def _steps(order: str, quantities: Sequence[str] = QUANTITIES) -> tuple[Part, ...]:
    names = [f"{order}a = {a}" for a in ACCURACIES]
    return tuple(
        Part(new, old, f"mean_{quantity}")
        for (old, new), quantity in product(pairwise(names), quantities)
    )


def claims(adjusted: str) -> list[Claim]:
    """Return the claims; `adjusted` is the scheme that stands for the paper's combined one."""
    wait, below = "mean_waiting_time", "mean_below_p99_waiting_time"
    others = [f"FCFS, a = {a}" for a in ACCURACIES[1:]]
    return [
        Claim("Table III: WFP is better than FCFS in wait, uwait and slowdown",
              "+22, +50, +37 %", _all(BASE, FCFS)),
        Claim("Table III: and backfills fewer jobs", "1,293 and 1,791", (
              Part(BASE, FCFS, BACKFILLED),)),
        Claim("Fig. 4: FCFS, a = 0.25 gains a little of the wait", "below +5 %", (
              Part(others[0], FCFS, wait),)),
        Claim("Fig. 4: FCFS, a = 0.5 and 0.75 lose wait", "nearly -10 %", tuple(
              Part(one, FCFS, wait, more=True) for one in others[1:3])),
        Claim("Fig. 4: FCFS, every a above 0 loses uwait", "", tuple(
              Part(one, FCFS, "mean_unitless_wait", more=True) for one in others)),
        Claim("Fig. 4: FCFS, slowdown gains but at a = 0.5", "", tuple(
              Part(one, FCFS, "mean_slowdown") for one in (others[0], *others[2:]))),
        Claim("Fig. 5: WFP, each step of a gains in all three", "all 12", _steps("")),
        Claim("Fig. 5: WFP, a = 1 gains in all three", "+30 to over +50 %", _all("a = 1", BASE)),
        Claim("Fig. 5: WFP, the more accurate, the more start from the head", "", tuple(
              Part(new, old, FROM_HEAD, more=True)
              for old, new in pairwise(f"a = {a}" for a in ACCURACIES))),
        Claim("Fig. 6: S001 gains in all three", "a little", _all("S001", BASE)),
        Claim("Fig. 6: S010 gains in all three", "a little", _all("S010", BASE)),
        Claim("Fig. 6: S100 gains in all three", "more", _all("S100", BASE)),
        Claim("Fig. 6: S100 gains more than S010 and S001", "", tuple(
              Part("S100", other, figure) for other in ("S001", "S010")
              for figure in (wait, "mean_unitless_wait", "mean_slowdown"))),
        Claim("Fig. 6: S110 gains in all three", "most", _all("S110", BASE)),
        Claim("Fig. 6: below the 99th percentile S110 waits less than S111", "slightly", (
              Part("S110", "a = 1", below),)),
        Claim("Fig. 6: over all jobs S110 is no better in uwait and slowdown than S111", "", (
              Part("a = 1", "S110", "mean_unitless_wait"),
              Part("a = 1", "S110", "mean_slowdown"))),
        Claim("Fig. 7: S010 backfills most, then S110; S111 fewest", "", (
              Part("S110", "S010", BACKFILLED), Part("S100", "S110", BACKFILLED),
              Part("a = 1", "S001", BACKFILLED))),
        Claim(f"Fig. 8: combined ({adjusted} here) gains in all three", "+10, +18, +20 %",
              _all(adjusted, BASE)),
        Claim("Fig. 8: selective gains in all three", "+10, +20, +12 %", _all("selective", BASE)),
        Claim("Fig. 8: selective is better below the 99th percentile, in wait", "", (
              Part("selective", adjusted, below),)),
        Claim("Fig. 8: and not over all jobs, in slowdown", "", (
              Part(adjusted, "selective", "mean_slowdown"),)),
        Claim("Fig. 9: selective gains more than combined for the smallest jobs, in wait", "", (
              Part("selective", adjusted, "size 0, mean_waiting_time"),)),
        Claim("Fig. 9: and less for the largest", "", (
              Part(adjusted, "selective", "size 3, mean_waiting_time"),)),
        Claim("Fig. 10: selective waits less than combined but for the longest jobs", "", (
              *(Part("selective", adjusted, f"length {n}, mean_waiting_time") for n in range(3)),
              Part(adjusted, "selective", "length 3, mean_waiting_time"))),
    ]  # fmt: skip


OF_PROJECTS = (
    Claim("Fig. 8: combined waits less than user and project", "", (
          Part("combined", "user", "mean_waiting_time"),
          Part("combined", "project", "mean_waiting_time"))),
    Claim("Fig. 8: project waits less than user", "", (
          Part("project", "user", "mean_waiting_time"),)),
)  # fmt: skip
"""What takes a log that tells projects."""


def claims_table(
    runs_by_machine: Mapping[str, Runs], *, jobs: str, projects: bool
) -> list[list[str]]:
    """Return the rows of a table: each claim, the paper's figures, and what each machine says."""
    told = claims("combined" if projects else "user") + (list(OF_PROJECTS) if projects else [])
    rows = [["the paper", "its figures", *runs_by_machine]]
    for claim in told:
        rows.append([claim.said, claim.figures])
        for runs in runs_by_machine.values():
            rows[-1].append(claim.cell(runs, jobs) if claim.schemes() <= runs.keys() else "-")
    return rows


def gains_table(runs: Runs, names: Sequence[str], base: str, *, jobs: str) -> list[list[str]]:
    """Return the rows of a table: what schemes gain over a base, in all means."""
    figures = [
        *(f"{s}_{q}" for q in QUANTITIES for s in ("mean", "mean_below_p99")),
        "mean_waiting_time of large jobs",
    ]
    heads = [text for q in QUANTITIES for text in (SHORT[q], "below 99 %")]
    rows = [["estimates", *heads, "large"]]
    for name in names:
        gains = [change(Part(name, base, figure).gain(runs, jobs)) for figure in figures]
        rows.append([name, *gains])
    return rows


def groups_table(
    runs: Runs, names: Sequence[str], by: str, *, jobs: str, classes: Sequence[str]
) -> list[list[str]]:
    """Return the rows of a table: the base's mean waits by class, and what schemes gain."""
    rows = [[by, "jobs", "wait, min", *names]]
    for place, label in enumerate(classes):
        figure = f"{by} {place}, mean_waiting_time"
        of_base = [figures[f"{jobs}, {figure}"] for figures in runs[BASE]]
        number = runs[BASE][0][f"{jobs}, {by} {place}, jobs"]
        gains = [change(Part(name, BASE, figure).gain(runs, jobs)) for name in names]
        rows.append([label, f"{number:,.0f}", f"{sum(of_base) / len(of_base) / 60:.0f}", *gains])
    return rows


def starts_table(runs: Runs, *, jobs: str) -> list[list[str]]:
    """Return the rows of a table: how jobs were started, in percent."""
    kinds = ("head", "queue", "backfilled")
    rows = [["estimates", *(f"{kind}, %" for kind in kinds)]]
    for name, outcomes in runs.items():
        shares = [
            sum(figures[f"{jobs}, started as {kind}"] for figures in outcomes) / len(outcomes)
            for kind in kinds
        ]
        rows.append([name, *(f"{100 * share:.1f}" for share in shares)])
    return rows
