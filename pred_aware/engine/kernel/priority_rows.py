"""The rows of which the arrays of Slurm's priority are made; see `priority_values`."""

from pred_aware.engine.compiled import compiled
from pred_aware.engine.kernel.priority_values import Priority, Ranked, Ranking, Tree, Usage


@compiled
def ranked_in(priority: Priority) -> Ranked:
    """Return the rows of jobs."""
    numbers, others = priority.of_jobs, priority.by_job
    return Ranked(numbers[0], numbers[1], numbers[2], numbers[3], others[0], others[1])


@compiled
def tree_in(priority: Priority) -> Tree:
    """Return those of the tree."""
    names, nodes = priority.by_name, priority.by_node
    return Tree(
        names[0], names[1], names[2], names[3], names[4], names[5], names[6], names[7],
        nodes[0], nodes[1], nodes[2], nodes[3], nodes[4], nodes[5], nodes[6], priority.counts,
    )  # fmt: skip


@compiled
def usage_in(priority: Priority) -> Usage:
    """Return those of the usage."""
    nodes, jobs = priority.of_nodes, priority.by_job
    return Usage(
        nodes[0], nodes[1], nodes[2], priority.by_node[7], jobs[2], jobs[3], priority.of_jobs[4],
    )  # fmt: skip


@compiled
def ranking_in(priority: Priority) -> Ranking:
    """Return those of Fair Tree."""
    numbers, others = priority.of_nodes, priority.by_node
    return Ranking(
        numbers[3], numbers[4], numbers[5], others[8], others[9], others[10], numbers[6],
        others[11],
    )  # fmt: skip
