"""Processors that a machine of blocks left unused: within blocks of jobs, and beside them."""

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.errors import PredAwareError
from pred_aware.metrics.timelines import lost_area
from schedulers.machine.block_file import blocks_of, read_blocks
from schedulers.machine.block_log import RAN

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from pred_aware.metrics.job_results import JobResults
    from schedulers.machine.block import Block, BlockList

    Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BlockUse:
    """What became of a machine's processor seconds, up to the makespan."""

    capacity: float
    """All: the processors times the seconds."""
    used: float
    """Those of processors that jobs asked for and had."""
    wasted: float
    """Those of processors that jobs had and did not ask for, because a block has more."""
    lost: float
    """Those of processors in no job's block, while a job waited whose block has no more than are
    free: as blocks lie, none of them could be made a block for it, or it was kept free for
    another."""
    drained: float | None = None
    """Those of processors in no job's block, and inside one that was drained for the first job of
    the queue; ``None`` where the run does not tell what was drained. Many of them are lost too, but
    not while no waiting job would have fitted there."""


def block_use(run: "JobResults", machine: "BlockList | None" = None) -> BlockUse:
    """Return what a run on blocks used of its machine.

    Parameters
    ----------
    run
        On blocks; one that does not tell which block each job had (`Run.blocks`) must have given
        it one of the smallest size that holds it.
    machine
        The blocks; by default those of the file that the run names.

    Raises
    ------
    PredAwareError
        The run was not made so.
    OptionError
        The file that it names can't be read any more.

    Examples
    --------
    A job of one processor has a block of two for 10 s, while one that needs all four waits.

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
    asked = ran["requested_number_of_resources"].to_numpy(float)
    had = _sizes_told(record, ran.index, machine) if record is not None else _sizes(asked, machine)
    if run.processors != machine.processors or (had < asked).any():
        raise PredAwareError(f"the run was not on the blocks of '{machine.name}'")
    dates = [
        ran[name].to_numpy(float) for name in ("submission_time", "starting_time", "finish_time")
    ]
    seconds = dates[2] - dates[1]
    begin, end = (dates[0].min(), dates[2].max()) if len(ran) else (0.0, 0.0)
    return BlockUse(
        capacity=float(machine.processors * (end - begin)),
        used=float((asked * seconds).sum()),
        wasted=float(((had - asked) * seconds).sum()),
        lost=lost_area(*dates, sizes=had, processors=machine.processors),
        drained=None if record is None else drained_area(record, machine),
    )


def _sizes(asked: "Array", machine: "BlockList") -> "Array":
    """Return the size of the smallest blocks that hold jobs; 0 where none does."""
    sizes = np.array([*sorted({block.size for block in machine.blocks}), 0], dtype=float)
    return sizes[np.searchsorted(sizes[:-1], asked)]


def _sizes_told(record: "pd.DataFrame", names: "pd.Index[str]", machine: "BlockList") -> "Array":
    """Return the size of the block that each job had; 0 where the machine has no such block."""
    sizes = {block.name: float(block.size) for block in machine.blocks}
    ran = record[record["use"] == RAN].set_index("job_id")["block"]
    found = ran.reindex(names.str.removeprefix("w0!")).map(sizes)
    return np.asarray(found.fillna(0.0), dtype=np.float64)


def drained_area(record: "pd.DataFrame", machine: "BlockList") -> float:
    """Return the processor seconds that were kept free in blocks that were drained.

    Parameters
    ----------
    record
        As `Run.blocks` has it; of which the blocks are those of the machine.
    machine
        The blocks.

    Examples
    --------
    While the left half is drained for a job from 0 to 10 s, another runs there up to 6 s.

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
    # of each block how many processors are in jobs' blocks, and which block is drained
    busy, drained, area, before = np.zeros(len(places)), -1, 0.0, 0.0
    uses = zip(*(record[name].tolist() for name in ("use", "block", "start", "end")), strict=True)
    changes = [
        (date, begins, use == RAN, places[block])
        for use, block, start, end in uses
        for date, begins in ((start, True), (end, False))
    ]
    # at a date what ends comes first, since the next drain may begin there
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
    """Return how many processors each two blocks have in common, shape (blocks, blocks)."""
    ends = sorted({end for block in blocks for first, last in block.processors
                   for end in (first, last + 1)})  # fmt: skip
    has = np.zeros((len(blocks), len(ends) - 1))
    for place, block in enumerate(blocks):
        for first, last in block.processors:
            has[place, bisect_left(ends, first) : bisect_left(ends, last + 1)] = 1.0
    return (has * np.diff(ends)) @ has.T


def _machine_of(run: "JobResults") -> "BlockList":
    options = ((run.provenance or {}).get("scheduler") or {}).get("options") or {}
    told = options.get("machine") or {}
    if told.get("name") != "blocks":
        raise PredAwareError("the run was on no machine of blocks, or does not tell which")
    if told.get("sizes") != "smallest" and run.blocks is None:
        raise PredAwareError(
            "jobs of the run had blocks of any size that holds them, and its _blocks.csv, which "
            "tells which, is missing"
        )
    file = told["file"]
    return read_blocks(file) if isinstance(file, str) else blocks_of(file)
