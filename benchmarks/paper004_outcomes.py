"""What paper 004 looks at in a run: means, groups by size and length, how jobs were started."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pred_aware import Run, Workload, simulate
from pred_aware.runs.contents import Contents
from schedulers.machine.block import BlockList

ACCURACIES = (0, 0.25, 0.5, 0.75, 1)
QUANTITIES = ("waiting_time", "unitless_wait", "slowdown")
MEANS = tuple(
    f"{statistic}_{quantity}" for quantity in QUANTITIES for statistic in ("mean", "mean_below_p99")
)
LARGE = 0.4
"""Of the machine: what a large job takes more than."""
SIZES = (512, 2048, 8192)
"""Nodes of the largest very small, small and large job; figures 2 and 9 don't tell the paper's."""
LENGTHS = (600.0, 3600.0, 14400.0)
"""Seconds of the longest very short, short and long job; nor do figures 2 and 10."""
KINDS = ("head", "queue", "backfilled")

Figures = dict[str, float]
Options = Mapping[str, Any]


def accuracy(order: str, a: float) -> tuple[str, dict[str, Any]]:
    """Return EASY in an order with estimates of the paper's equation 3."""
    source = {"name": "accuracy", "a": a}
    return "policy", {"order": order, "backfilling": "easy", "predictor": source}


SCHEMES: Mapping[str, tuple[str, dict[str, Any]]] = MappingProxyType(
    {
        **{f"a = {a}": accuracy("wfp", a) for a in ACCURACIES},
        **{role.upper(): (f"wfp_{role}", {}) for role in ("s001", "s010", "s100", "s110")},
        **{
            name: ("wfp_adjusted", {"predictor": f"ratio_{name}"})
            for name in ("user", "project", "combined")
        },
        "selective": ("wfp_selective", {}),
        **{f"FCFS, a = {a}": accuracy("fcfs", a) for a in ACCURACIES},
    }
)
"""The paper's experiments; S111 is a = 1, and walltimes are a = 0."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What is simulated on which machine, and of which jobs the figures are.

    Parameters
    ----------
    platform
        The platform's file.
    node_processors
        How many processors a node has.
    blocks
        The blocks of the machine; ``None`` where processors are counted.
    test
        Ids of the jobs that are looked at once more by themselves, such as those of a month.
    """

    platform: Path
    node_processors: int
    blocks: BlockList | None = None
    test: frozenset[str] = frozenset()

    def run(self, scheme: str, workload: Workload) -> Run:
        """Simulate one of `SCHEMES`."""
        scheduler, options = SCHEMES[scheme]
        if self.blocks is not None:
            options = {**options, "machine": self.blocks}
        return simulate(workload, scheduler, platform=self.platform, options=options)

    def figures(self, run: Run) -> Figures:
        """Return what is looked at, of all jobs and of those of the test."""
        found = {f"all, {name}": value for name, value in self._of(run)}
        if self.test:
            others = frozenset(run.ids_in_workload) - self.test
            files = {kind: run.content(kind) for kind in ("jobs", "schedule", "estimates")}
            test = Run("test", Contents({k: v for k, v in files.items() if v}), warm_up=others)
            found |= {f"test, {name}": value for name, value in self._of(test)}
        return found

    def _of(self, run: Run) -> Iterator[tuple[str, float]]:
        yield from run.measures(MEANS).items()
        jobs = run.jobs.loc[run.ids_in_workload]
        large = jobs["requested_number_of_resources"] > LARGE * run.processors
        yield "mean_waiting_time of large jobs", jobs["waiting_time"][large].mean()
        for kind in KINDS:
            yield f"started as {kind}", float((jobs["started_as"] == kind).mean())
        nodes = [self.node_processors * size for size in SIZES]
        classes: dict[str, Sequence[float]] = {"size": nodes, "length": LENGTHS}
        means = [f"mean_{quantity}" for quantity in QUANTITIES]
        for by, edges in classes.items():
            groups = run.measures_by(by, means, edges=edges)
            for place, (_, row) in enumerate(groups.iterrows()):
                yield f"{by} {place}, jobs", float(row["jobs"])
                for mean in means:
                    yield f"{by} {place}, {mean}", float(row[mean])


class Kept:
    """Outcomes that are written to a file as they come, so that a run is made once.

    Parameters
    ----------
    path
        The file; ``None`` to keep them in memory only.
    log
        Of which log they are.
    """

    def __init__(self, path: Path | None, *, log: str) -> None:
        self._path, self._log = path, log
        self._known: dict[str, Figures] = {}
        if path is not None and path.exists():
            self._known = json.loads(path.read_text())

    def figures(self, setting: Setting, scheme: str, workload: Workload, *, seed: int) -> Figures:
        """Return the figures of a run, simulated if they are not known."""
        machine = "counted" if setting.blocks is None else setting.blocks.name
        key = f"{self._log}, {machine}, {scheme}, shake {seed}"
        if key not in self._known:
            self._known[key] = setting.figures(setting.run(scheme, workload))
            if self._path is not None:
                self._path.write_text(json.dumps(self._known, indent=0))
        return self._known[key]
