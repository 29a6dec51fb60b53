"""The use of a machine that allocates blocks: processors unused inside and outside jobs' blocks."""

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.errors import PredAwareError
from pred_aware.metrics.timelines import lost_area
from schedulers.journal import RAN
from schedulers.machine.block_file import blocks_of, read_blocks

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from pred_aware.metrics.job_results import JobResults
    from schedulers.machine.block import Block, BlockList

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BlockUse:
    """Use of a machine's processor seconds, up to the makespan."""

    capacity: float
    """All processor seconds: the machine's processors times the seconds."""
    used: float
    """Processor seconds that jobs requested and got."""
    wasted: float
    """Processor seconds that jobs got but did not request, because blocks are larger than jobs."""
    lost: float
    """Processor seconds outside jobs' blocks at times when a waiting job's block would fit by size.

    The job did not start because no such block was free, or the block was kept free for another
    job.
    """
    drained: float | None = None
    """Processor seconds outside jobs' blocks, but inside a block drained for the queue's first job.

    ``None`` if the run has no record of drains. Drained processor seconds also count as lost,
    except while no waiting job would fit.
    """


def block_use(run: "JobResults", machine: "BlockList | None" = None) -> BlockUse:
    """Return how a run on blocks used its machine.

    Parameters
    ----------
    run
        A run on blocks. If it has no record of its blocks (`Run.blocks`), each job must have used a
        block of the smallest size that is large enough.
    machine
        The blocks; by default the blocks in the file that the run names.

    Raises
    ------
    PredAwareError
        The run did not use these blocks.
    OptionError
        The file that the run names cannot be read any more.

    Examples
    --------
    A job of one processor uses a block of two for 10 s, while a job that needs all four waits.

    >>> from pred_aware import BlockList, Workload, simulate
    >>> from schedulers.machine.block import Block
    >>> blocks = [Block("left", ((0, 1),)), Block("right", ((2, 3),)), Block("all", ((0, 3),))]
    >>> machine = BlockList("small", 4, tuple(blocks))
    >>> jobs = [
    ...     {"id": 1, "subtime": 0, "res": 1, "walltime": 10, "profile": "p"},
    ...     {"id": 2, "subtime": 0, "res": 4, "walltime": 10, "profile": "p"},
    ... ]
    >>> profiles = {"p": {"type": "delay", "delay": 10}}
    >>> workload = Workload.of({"nb_res": 4, "jobs": jobs, "profiles": profiles})
    >>> block_use(simulate(workload, "easy", machine=machine))
    BlockUse(capacity=80.0, used=50.0, wasted=10.0, lost=0.0, drained=20.0)
    """
    if machine is None:
        machine = _machine_of(run)
    ran, record = run.ran, run.blocks
    requested = ran["requested_number_of_resources"].to_numpy(float)
    had = (
        _recorded_sizes(record, ran.index, machine)
        if record is not None
        else _sizes(requested, machine)
    )
    if run.processors != machine.processors or (had < requested).any():
        raise PredAwareError(f"the run did not use the blocks of '{machine.name}'")
    dates = [
        ran[name].to_numpy(float) for name in ("submission_time", "starting_time", "finish_time")
    ]
    seconds = dates[2] - dates[1]
    begin, end = (dates[0].min(), dates[2].max()) if len(ran) else (0.0, 0.0)
    return BlockUse(
        capacity=float(machine.processors * (end - begin)),
        used=float((requested * seconds).sum()),
        wasted=float(((had - requested) * seconds).sum()),
        lost=lost_area(*dates, sizes=had, processors=machine.processors),
        drained=None if record is None else drained_area(record, machine),
    )


def _sizes(requested: "Array", machine: "BlockList") -> "Array":
    """Return the size of the smallest blocks that hold each job; 0 if no block does."""
    sizes = np.array([*sorted({block.size for block in machine.blocks}), 0], dtype=float)
    return sizes[np.searchsorted(sizes[:-1], requested)]


def _recorded_sizes(
    record: "pd.DataFrame", names: "pd.Index[str]", machine: "BlockList"
) -> "Array":
    """Return the size of each job's block; 0 if the machine has no such block."""
    sizes = {block.name: float(block.size) for block in machine.blocks}
    ran = record[record["use"] == RAN].set_index("job_id")["block"]
    found = ran.reindex(names.str.removeprefix("w0!")).map(sizes)
    return np.asarray(found.fillna(0.0), dtype=np.float64)


def drained_area(record: "pd.DataFrame", machine: "BlockList") -> float:
    """Return the processor seconds that were kept free in drained blocks.

    Parameters
    ----------
    record
        The record in `Run.blocks`, with the machine's blocks.
    machine
        The machine's blocks.

    Examples
    --------
    From 0 to 10 s the machine is drained for a job, while another job runs on the left until 6 s.

    >>> import pandas as pd
    >>> from schedulers.machine.block import Block, BlockList
    >>> blocks = Block("left", ((0, 1),)), Block("right", ((2, 3),)), Block("all", ((0, 3),))
    >>> rows = [("1", "ran", "left", 0.0, 6.0), ("2", "drained", "all", 0.0, 10.0)]
    >>> record = pd.DataFrame(rows, columns=["job_id", "use", "block", "start", "end"])
    >>> drained_area(record, BlockList("small", 4, blocks))
    28.0
    """
    places = {block.name: place for place, block in enumerate(machine.blocks)}
    common = _in_common(machine.blocks)
    # busy: by block, how many of its processors are in jobs' blocks; drained: the drained block
    busy, drained, area, before = np.zeros(len(places)), -1, 0.0, 0.0
    uses = zip(*(record[name].tolist() for name in ("use", "block", "start", "end")), strict=True)
    changes = [
        (date, begins, use == RAN, places[block])
        for use, block, start, end in uses
        for date, begins in ((start, True), (end, False))
    ]
    # at equal dates ends come first, because the next drain may begin at the end of a drain
    for date, begins, runs, place in sorted(changes):
        if drained >= 0:
            area += (common[drained, drained] - busy[drained]) * (date - before)
        before = date
        if runs:
            busy += common[place] if begins else -common[place]
        else:
            drained = place if begins else -1
    return float(area)


def _in_common(blocks: "Sequence[Block]") -> "Array":
    """Return the number of common processors of each pair of blocks, shape (blocks, blocks)."""
    ends = sorted({end for block in blocks for first, last in block.processors
                   for end in (first, last + 1)})  # fmt: skip
    has = np.zeros((len(blocks), len(ends) - 1))
    for place, block in enumerate(blocks):
        for first, last in block.processors:
            has[place, bisect_left(ends, first) : bisect_left(ends, last + 1)] = 1.0
    return (has * np.diff(ends)) @ has.T


def _machine_of(run: "JobResults") -> "BlockList":
    options = ((run.provenance or {}).get("scheduler") or {}).get("options") or {}
    machine = options.get("machine") or {}
    if machine.get("name") != "blocks":
        raise PredAwareError("the run was not on a machine of blocks, or the machine is unknown")
    if machine.get("sizes") != "smallest" and run.blocks is None:
        raise PredAwareError(
            "the blocks of the run's jobs are unknown: they could be larger than needed, and "
            "_blocks.csv, which lists each job's block, is missing"
        )
    file = machine["file"]
    return read_blocks(file) if isinstance(file, str) else blocks_of(file)
