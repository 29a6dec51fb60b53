"""Where Slurm tries the jobs of each kind, as arrays: in each of their partitions."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pred_aware.engine.job_arrays import Integers
from schedulers.job import Job
from schedulers.machine.nodes import NodeRequest, Nodes
from schedulers.slurm.backfilling import SlurmBackfilling
from schedulers.slurm.cluster import OfNodes


@dataclass(frozen=True, slots=True)
class Tries:
    """Where jobs are tried: a row for each kind and partition; see `slurm_values.TRY_WIDTH`."""

    table: Integers
    """In place of where sets of nodes stand it has their places in the next."""
    sets: Sequence[int]
    """Of nodes, as bit masks; the first has all."""
    partitions: int
    tiers: int
    """How many different ones there are."""


ON_PROCESSORS = Tries(np.array([[0, 0, 0, 1, 0, 0, 0, 1]]), (), 1, 1)
"""Those of a counted machine: jobs are tried anywhere."""


def tries_of(
    backfilling: SlurmBackfilling, machine: Nodes, asked: Sequence[NodeRequest]
) -> Tries | None:
    """Return where jobs are tried; ``None`` where that differs from date to date.

    Parameters
    ----------
    backfilling, machine
        Of the policy.
    asked
        What each kind of jobs asks for.
    """
    cluster = OfNodes(machine, old=backfilling.parameters.old)
    tier_of = {one.name: one.priority_tier for one in machine.site.partitions}
    # one tier is none, whatever it is; jobs without a partition have the tier 1
    tiers = sorted({*tier_of.values(), 1}, reverse=True) if len({*tier_of.values()}) > 1 else []
    sets: dict[int, int] = {cluster.nodes: 0}
    partitions: dict[str, int] = {}
    rows = []
    for one in asked:
        job = Job("", 0.0, one.request.processors, None)
        job.kind = one
        names = [choice.partition for choice in one.choices]
        if len(names) > 1 and (backfilling.by_key_in_each or len({*names}) < len(names)):
            return None
        for choice in one.choices:
            masks = cluster.able(job) & choice.nodes, cluster.of_partition(choice), choice.nodes
            rows.append(
                (
                    partitions.setdefault(choice.partition, len(partitions)),
                    tiers.index(tier_of.get(choice.partition, 1)) if tiers else 0,
                    choice.most_nodes,
                    cluster.least_nodes(job),
                    *(sets.setdefault(mask, len(sets)) for mask in masks),
                    cluster.has_whole(job, choice),
                )
            )
    table = np.array(rows, np.int64).reshape(len(rows), ON_PROCESSORS.table.shape[1])
    return Tries(table, [*sets], max(1, len(partitions)), max(1, len(tiers)))
