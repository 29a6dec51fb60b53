"""What paper 004's policies give in single runs of any log, as it is: tables of means.

    python research/measurements/paper004.py ANL-Intrepid-2009-1.swf.gz --processors-from allocated
    python research/measurements/paper004.py ANL-Intrepid-2009-1.swf.gz --month 2009-07 ...
    python research/measurements/paper004.py KTH-SP2-1996-2.1-cln.swf.gz --only adjusted ...
    python research/measurements/paper004.py ANL-Intrepid-2009-1.swf.gz --blocks intrepid ...

The policies are those of `pred-aware reproduce 004`, which has intervals, classes of jobs and the
paper's claims one by one. Gains are in percent of the first row, as in the paper: positive is
better. `large` is the mean wait of the jobs that take more than 40 % of the machine.
"""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import pred_aware as pa
from reproductions.claims.paper_004 import PAPER
from reproductions.claims.paper_004_trying import (
    ACCURACIES,
    BELOW,
    MEASURES,
    ROLES,
    SCHEMES,
    STARTS,
)

MINUTE = 60.0
LARGE = 0.4
"""Of the machine: what a large job takes more than."""
POLICIES: Mapping[str, Mapping[str, Any]] = next(
    one.policies for one in PAPER.simulations if "Mira" in one.logs and not one.machine
)
OF_WFP, OF_FCFS = ((order, *(f"{order} a={a:g}" for a in ACCURACIES)) for order in ("WFP", "FCFS"))
MEANS = tuple(name for pair in zip(MEASURES, BELOW, strict=True) for name in pair)
HEADS: Mapping[str, str] = {
    **dict(zip(MEASURES, ("wait, min", "unitless wait", "slowdown"), strict=True)),
    **dict.fromkeys(BELOW, "below 99 %"),
    "large": "large, min",
    **dict(zip(STARTS, ("head, %", "queue, %", "backfilled, %"), strict=True)),
}
"""What the tables call the figures."""
TABLES: Mapping[str, tuple[str, Sequence[str]]] = {
    "wfp": ("WFP, synthetic accuracy", OF_WFP),
    "fcfs": ("FCFS, synthetic accuracy", OF_FCFS),
    "roles": ("WFP, run times in some roles (a=1 is S111)", ("WFP", *ROLES, OF_WFP[-1])),
    "adjusted": ("WFP, estimates adjusted by past jobs", ("WFP", *SCHEMES)),
}
"""The titles of the tables and the policies in their rows."""


def markdown(rows: Iterable[Sequence[str]]) -> str:
    """Return a table."""
    head, *others = rows
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, ["---"] * len(head), *others))


def table(
    told: Mapping[str, Mapping[str, float]],
    policies: Sequence[str],
    means: Sequence[str] = (*MEANS, "large"),
) -> str:
    """Return what policies give, and what they gain over the first."""
    baseline = told[policies[0]]
    rows: list[Sequence[str]] = [["estimates", *(HEADS[name] for name in (*means, *STARTS))]]
    for policy in policies:
        one = told[policy]
        cells = [gain(baseline[name], one[name]) for name in means]
        rows.append([policy, *cells, *(f"{100 * one[name]:.1f}" for name in STARTS)])
    return markdown(rows)


def gain(baseline: float, new: float) -> str:
    """Write a value and by how much less it is than the baseline, in percent of the baseline."""
    value = f"{new:#.3g}".rstrip(".")
    return f"{value} ({100 * (baseline - new) / baseline:+.0f} %)"


def figures(run: pa.Run) -> dict[str, float]:
    """Return what is shown of a run; waits in minutes."""
    found = run.measures((*MEANS, *STARTS)).to_dict()
    large = run.ran["requested_number_of_resources"] > LARGE * run.processors
    found["large"] = run.ran["waiting_time"][large].mean()
    in_minutes = {"mean_waiting_time", "mean_below_p99_waiting_time", "large"}
    return {name: told / (MINUTE if name in in_minutes else 1.0) for name, told in found.items()}


class Experiments:
    """Runs of a log on one machine, each made once.

    Parameters
    ----------
    log
        The log.
    blocks
        The Blue Gene that gives out its blocks; ``None`` where processors are counted.
    """

    def __init__(self, log: pa.JobLog, blocks: str | None) -> None:
        self._log = log
        self._machine = {} if blocks is None else {"machine": pa.blue_gene(blocks)}
        self._known: dict[str, dict[str, float]] = {}
        self.slowest = 0.0

    def of(self, policy: str) -> dict[str, float]:
        """Return what a policy gives."""
        if policy not in self._known:
            options = {**POLICIES[policy], **self._machine}
            scheduler = options.pop("scheduler")
            began = process_time()
            self._known[policy] = figures(pa.simulate(self._log, scheduler, options=options))
            self.slowest = max(self.slowest, process_time() - began)
        return self._known[policy]


def main() -> None:
    """Read the log, run the policies, print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("log", type=Path, help="a log in the Standard Workload Format")
    parser.add_argument("--processors-from", choices=("requested", "allocated"), required=True)
    parser.add_argument("--month", help="only jobs submitted in it, such as 2009-07")
    parser.add_argument("--only", choices=("adjusted",), help="leave out the other experiments")
    parser.add_argument(
        "--blocks", choices=("intrepid", "mira"), help="the blocks of this machine as well"
    )
    parser.add_argument("--results", type=Path, help="a JSON file for the figures")
    given = parser.parse_args()
    clean = []
    if given.month:
        year, month = map(int, given.month.split("-"))
        following = f"{year + month // 12}-{month % 12 + 1:02}"
        clean = [f"submit<{given.month}-01", f"submit>={following}-01"]
    log = pa.read_log(given.log, clean=clean, processors_from=given.processors_from)
    names = [given.only] if given.only else [*TABLES]
    found = {}
    for blocks in dict.fromkeys((None, given.blocks)):
        one = Experiments(log, blocks)
        machine = "counted" if blocks is None else f"on blocks of {blocks}"
        for title, policies in map(TABLES.__getitem__, names):
            told = {policy: one.of(policy) for policy in policies}
            found.setdefault(machine, {}).update(told)
            print(f"\n{title}, {machine}\n\n{table(told, policies)}", flush=True)
        print(f"\nThe slowest run took {one.slowest:.1f} CPU s.", flush=True)
    if given.results:
        given.results.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
