"""Compute the size of a job on a simulated machine that has one kind of processors."""

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
    "gpus": "requested no GPUs: cannot run on a machine of GPUs",
}
LOST_GPUS = "requested GPUs, but only {} are simulated"
ROUNDED = "used a part of a core: rounded up to whole cores"
WHOLE_NODES = "used a part of a node: counted as whole nodes"
UNKNOWN_SHARE = "counted as whole nodes: sharing is unknown without --slurm-conf"
LOST_CPUS = "used CPUs, but only GPUs are simulated"
OTHER_SIZE = {
    "allocated": "no allocated CPUs: requested ones used",
    "requested": "no requested CPUs: allocated ones used",
}


class Sizes:
    """Determines the number of processors of each job.

    Parameters
    ----------
    path
        The path of the file, for error messages.
    unit
        What counts as one processor.
    allocated
        If True, a job occupies its allocated resources, otherwise its requested resources.
    threads_per_core
        Number of Slurm's CPUs per core.
    conf
        The cluster's nodes, which make the numbers more exact.
    partitions
        The partitions to convert; empty means all partitions.
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
                "--unit cores needs the number of Slurm's CPUs per core: "
                "give --threads-per-core N, or --slurm-conf FILE",
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
        """Return the machine's processors and nodes; None if unknown."""
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
        """Return a job's processors (0 if unknown), the repairs, and a mark or None.

        The mark says that the job used resources that the simulated machine lacks.
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
        """Return the total CPUs of some nodes, and their smallest number of CPUs per core."""
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
    """The start, end and size of each job, in 24 bytes per job."""

    starts: "array[float]" = field(default_factory=lambda: array("d"))
    ends: "array[float]" = field(default_factory=lambda: array("d"))
    sizes: "array[int]" = field(default_factory=lambda: array("q"))

    def add(self, start: float, end: float, *, processors: int) -> None:
        """Add the run of a job."""
        self.starts.append(start)
        self.ends.append(end)
        self.sizes.append(processors)

    def peak(self) -> int:
        """Return the largest number of simultaneously busy processors; 0 if there are no jobs.

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
        # a stable sort, so that ends come before starts of the same date
        return int(changes[np.argsort(dates, kind="stable")].cumsum().max())
