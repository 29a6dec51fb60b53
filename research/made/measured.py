"""The tables of pages whose figures are kept in research/results."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from made.what_holds import kept
from measurements.interval_coverage import held_table
from measurements.paper004 import MEASURES, TABLES, markdown, table

RESULTS = Path(__file__).parents[1] / "results"
LOGS = {
    "kth": ("KTH-SP2, all jobs with a run time and a size", "100"),
    "hpc2n": ("HPC2N, all", "240"),
    "curie20k": ("CEA-Curie, the first 20,000", "93,312"),
    "m100-512": (
        "Marconi100, the [rebuilt](papers.md#what-the-authors-had) day of paper 001",
        "512",
    ),
    "m100-15680": ("the same", "15,680"),
}
"""The recordings of Batsim: jobs and processors."""
_COMPARED = re.compile(r"(.*?) against (.*?), (.*): [-+]?[\d.]+ % .*, \d+ shakes")
MEANS = ("mean waiting time", "mean unitless wait", "mean slowdown")
MACHINES = {
    "Intrepid, counted": ("Intrepid", ""),
    "Intrepid, blocks": ("Intrepid", " on blocks"),
    "Mira, blocks": ("Mira", " on blocks"),
}
"""The log and what a policy's name ends in."""
SIZES = (
    "up to 512 nodes", "up to 2,048 nodes", "up to 8,192 nodes", "up to 16,384 nodes",
    "more than 16,384 nodes",
)  # fmt: skip
LENGTHS = ("up to 10 min", "up to 1 h", "up to 4 h", "more than 4 h")

Gains = Mapping[tuple[str, str, str, str], tuple[float, float, float]]
"""Log, policy, what it is compared with and measure: gain and its interval."""


def fidelity() -> dict[str, str]:
    """Return how many rows of recorded runs of Batsim differ."""
    head = ("log", "processors", "scheduler of batsched", "rows", "rows that differ", "schedule")
    rows = [head]
    for one in _read("fidelity.json"):
        schedule = "; ".join(one["schedule"]) or "the same"
        counts = f"{one['rows']:,}", f"{one['different']:,}"
        rows.append((*LOGS[one["trace"]], f"`{one['scheduler']}`", *counts, schedule))
    return {"recorded": markdown(rows)}


def intervals() -> dict[str, str]:
    """Return how often intervals over shakes hold, of means and of the longest wait."""
    found = _read("intervals.json")
    return {
        "held": held_table(found),
        "chance": _chance(found),
        "few": held_table(_read("intervals-few.json")).replace("KTH's first 3,000 jobs: ", ""),
    }


def _chance(found: Mapping[str, Any]) -> str:
    shares = [share for one in found["chance"] for share in one["significant"]]
    return (
        f"In {100 * min(shares):.1f} to {100 * max(shares):.1f} % of the campaigns, where 5 % are "
        f"to be expected ({len(found['chance'])} figures; each number of shakes)."
    )


def paper004() -> dict[str, str]:
    """Return single runs, and gains over shakes from what was found of the claims."""
    single, gains = _read("paper004.json")["counted"], _gains(kept())
    return {
        **{
            name: table(single, policies, (*MEASURES, "large"))
            for name, (_, policies) in TABLES.items()
        },
        "schemes": markdown(_schemes(gains)),
        "steps": markdown(_steps(gains)),
        "classes": markdown(_classes(gains)),
    }


def _read(name: str) -> Any:  # noqa: ANN401 - JSON
    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


def _gains(papers: Iterable[Mapping[str, Any]]) -> Gains:
    (paper,) = (one for one in papers if one["paper"] == "004")
    return {
        (one["log"], *told.groups()): (-one["value"], -one["high"], -one["low"])
        for claim in paper["claims"]
        for one in claim["found"]
        if (told := _COMPARED.fullmatch(one["ours"]))
    }


def _gain(gains: Gains, log: str, policy: str, other: str, measure: str) -> str:
    found = gains.get((log, policy, other, measure))
    return (
        ""
        if found is None
        else "{:+.0f} ({:+.0f} to {:+.0f})".format(*(100 * one for one in found))
    )


def _rows(
    gains: Gains, pairs: Sequence[tuple[str, str, str]], measures: Sequence[str]
) -> Iterator[Sequence[str]]:
    """Yield a row for each machine and pair of policies: what it is called, and the gains."""
    for machine, (log, end) in MACHINES.items():
        for label, policy, other in pairs:
            cells = [_gain(gains, log, policy + end, other + end, one) for one in measures]
            if any(cells):
                yield machine, label, *cells


def _schemes(gains: Gains) -> list[Sequence[str]]:
    names = ("S001", "S010", "S100", "S110", "WFP a=1", "combined", "selective")
    pairs = [("WFP against FCFS", "WFP", "FCFS"), *((name, name, "WFP") for name in names)]
    pairs.append(("FCFS, a = 1 against 0", "FCFS a=1", "FCFS"))
    return [("machine", "estimates", "wait, %", "unitless wait, %", "slowdown, %"),
            *_rows(gains, pairs, MEANS)]  # fmt: skip


def _steps(gains: Gains) -> list[Sequence[str]]:
    names = ("WFP", *(f"WFP a={a}" for a in ("0.25", "0.5", "0.75", "1")))
    pairs = [
        (f"{before.partition('=')[2] or '0'} to {after.partition('=')[2]}", after, before)
        for before, after in pairwise(names)
    ]
    return [
        ("machine", "a", "wait, %", "unitless wait, %", "slowdown, %"),
        *_rows(gains, pairs, MEANS),
    ]


def _classes(gains: Gains) -> list[Sequence[str]]:
    names = {"Intrepid": ("user-based", "selective"), "Mira": ("combined", "selective")}
    policies = [(log, name) for log, both in names.items() for name in both]
    return [
        ("jobs", *(f"{log}: {name}, %" for log, name in policies)),
        *(
            (
                label,
                *(
                    _gain(
                        gains, log, f"jobs of {label}, {name} on blocks", "WFP on blocks", MEANS[0]
                    )
                    for log, name in policies
                ),
            )
            for label in (*SIZES, *LENGTHS)
        ),
    ]
