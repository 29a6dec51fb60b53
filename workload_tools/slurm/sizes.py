"""The size of a job on a simulated machine with one kind of processors."""

from array import array
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

from workload_tools.errors import LogError
from workload_tools.slurm.conf import Node, SlurmConf, node_names
from workload_tools.slurm.record import SlurmRecord

Unit = Literal["cpus", "cores", "nodes", "gpus"]
UNITS: tuple[Unit, ...] = ("cpus", "cores", "nodes", "gpus")

NO_SIZE = {
    "cpus": "no number of CPUs",
    "cores": "no number of CPUs",
    "nodes": "no number of nodes",
    "gpus": "asked for no gpus: it takes nothing of a machine of gpus",
}
LOST_GPUS = "asked for gpus, which a machine of {} does not have"
ROUNDED = "took a part of a core: rounded up to whole cores"
WHOLE_NODES = "took a part of a node: its nodes counted whole"
UNKNOWN_SHARE = "its nodes counted whole: without --slurm-conf it is not known if it shared them"
LOST_CPUS = "took CPUs beside its gpus, which a machine of gpus does not have"
OTHER_SIZE = {
    "allocated": "no allocated CPUs: the requested taken",
    "requested": "no requested CPUs: the allocated taken",
}


class Sizes:
    """Says how many processors a job takes.

    Parameters
    ----------
    path
        The dump's, for errors.
    unit
        What a processor stands for.
    allocated
        Whether what a job was given counts, rather than what it asked for.
    threads_per_core
        How many CPUs of Slurm a core has.
    conf
        The nodes of the cluster, from which more can be told.
    partitions
        Those that are converted; none for all.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        unit: Unit,
        allocated: bool,
        threads_per_core: int | None = None,
        conf: SlurmConf | None = None,
        partitions: tuple[str, ...] = (),
    ) -> None:
        if unit == "cores" and threads_per_core is None and conf is None:
            raise LogError(
                path,
                "with --unit cores it must be told how many CPUs of Slurm a core has: "
                "--threads-per-core N, or --slurm-conf FILE",
            )
        self.unit: Unit = unit
        self.lost_gpus = LOST_GPUS.format(unit)
        self.allocated = allocated
        self.other_size = OTHER_SIZE["allocated" if allocated else "requested"]
        self.threads_per_core = threads_per_core
        self.nodes: dict[str, Node] = {}
        if conf is not None:
            try:
                self.nodes = conf.nodes_of(partitions)
            except KeyError as error:
                known = ", ".join(sorted(conf.partitions))
                raise LogError(
                    path, f"slurm.conf has no partition {error}; it has {known}"
                ) from error
        self.all_nodes = {} if conf is None else conf.nodes
        self.oversubscribed = frozenset[str]() if conf is None else conf.oversubscribed
        self.nodes_seen: set[str] = set()
        self.node_sizes = lru_cache(maxsize=1 << 14)(self._node_sizes)

    def of_machine(self) -> tuple[int | None, int | None]:
        """Return how many processors and nodes the machine has; None if it is not known."""
        nodes = self.nodes.values()
        if not nodes:
            return None, None
        counts = {
            "cpus": sum(node.cpus for node in nodes),
            "cores": sum(node.cores for node in nodes),
            "nodes": len(nodes),
            "gpus": sum(node.gpus for node in nodes),
        }
        return counts[self.unit] or None, len(nodes)

    def of_job(self, record: SlurmRecord) -> tuple[int, list[str], str | None]:
        """Return how many processors a job takes, 0 if it is not known.

        And what was repaired, and what it took that the machine does not have.
        """
        notes: list[str] = []
        if self.unit == "gpus":
            return record.gpus or 0, notes, LOST_CPUS
        lost = self.lost_gpus if record.gpus else None
        if self.unit == "nodes":
            return self._nodes(record, notes), notes, lost
        cpus = record.allocated_cpus if self.allocated else record.requested_cpus
        if not cpus:
            cpus = record.requested_cpus if self.allocated else record.allocated_cpus
            if cpus:
                notes.append(self.other_size)
        if self.unit == "cores" and cpus:
            return self._cores(cpus, record, notes), notes, lost
        return cpus or 0, notes, lost

    def _nodes(self, record: SlurmRecord, notes: list[str]) -> int:
        nodes = record.nodes or 0
        cpus, _ = self.node_sizes(record.node_list)
        if cpus is None:
            notes.append(UNKNOWN_SHARE)
        elif (record.allocated_cpus or 0) < cpus:
            notes.append(WHOLE_NODES)
        return nodes

    def _cores(self, cpus: int, record: SlurmRecord, notes: list[str]) -> int:
        threads = self.node_sizes(record.node_list)[1] or self.threads_per_core or 1
        cores = -(-cpus // threads)
        if cores * threads != cpus:
            notes.append(ROUNDED)
        return cores

    def _node_sizes(self, node_list: str | None) -> tuple[int | None, int | None]:
        """Return the CPUs of nodes together, and how many of them their smallest core has."""
        if not node_list:
            return None, None
        try:
            names = node_names(node_list)
            if self.unit == "nodes":
                self.nodes_seen.update(names)
            nodes = [self.all_nodes[name] for name in names]
        except (KeyError, ValueError):
            return None, None
        cpus = sum(node.cpus for node in nodes)
        return cpus, min(max(1, node.cpus // node.cores) for node in nodes)


@dataclass(slots=True)
class Busy:
    """When jobs ran and on how many processors, in 24 bytes a job."""

    starts: "array[float]" = field(default_factory=lambda: array("d"))
    ends: "array[float]" = field(default_factory=lambda: array("d"))
    sizes: "array[int]" = field(default_factory=lambda: array("q"))

    def add(self, start: float, end: float, *, processors: int) -> None:
        """Note that a job ran."""
        self.starts.append(start)
        self.ends.append(end)
        self.sizes.append(processors)

    def peak(self) -> int:
        """Return how many processors were busy at once; 0 without jobs.

        Examples
        --------
        >>> busy = Busy()
        >>> busy.add(0.0, 10.0, processors=4)
        >>> busy.add(10.0, 20.0, processors=5)
        >>> busy.add(15.0, 30.0, processors=2)
        >>> busy.peak()
        7
        """
        import numpy as np

        if not self.starts:
            return 0
        sizes = np.frombuffer(self.sizes, dtype=np.int64)
        dates = np.concatenate([np.frombuffer(self.ends), np.frombuffer(self.starts)])
        changes = np.concatenate([-sizes, sizes])
        # stable, so that of one date the ends come first
        return int(changes[np.argsort(dates, kind="stable")].cumsum().max())
