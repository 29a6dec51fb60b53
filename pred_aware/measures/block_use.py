"""What a machine of blocks did not use: of the blocks that jobs had, and beside them."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pred_aware.errors import PredAwareError
from pred_aware.measures.lost_capacity import lost_area
from schedulers.machine.block_file import blocks_of, read_blocks

if TYPE_CHECKING:
    from pred_aware.runs.run import Run
    from schedulers.machine.block import BlockList


@dataclass(frozen=True, slots=True)
class BlockUse:
    """What became of a machine's processor seconds, up to the makespan.

    Parameters
    ----------
    capacity
        All: the processors times the seconds.
    used
        Those of processors that jobs asked for and had.
    wasted
        Those of processors that jobs had and did not ask for, because a block has more.
    lost
        Those of processors in no job's block, while a job waited whose block has no more than are
        free: as blocks lie, none of them could be made a block for it, or it was kept free for
        another.
    """

    capacity: float
    used: float
    wasted: float
    lost: float


def block_use(run: "Run", machine: "BlockList | None" = None) -> BlockUse:
    """Return what a run on blocks used of its machine.

    Parameters
    ----------
    run
        On blocks, of which each job had one of the smallest size that holds it.
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
    BlockUse(capacity=80.0, used=50.0, wasted=10.0, lost=0.0)
    """
    if machine is None:
        machine = _machine_of(run)
    sizes = np.array(sorted({block.size for block in machine.blocks}))
    ran = run.ran
    asked = ran["requested_number_of_resources"].to_numpy(float)
    places = np.searchsorted(sizes, asked)
    if run.processors != machine.processors or (places == len(sizes)).any():
        raise PredAwareError(f"the run was not on the blocks of '{machine.name}'")
    had = sizes[places].astype(float)
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
    )


def _machine_of(run: "Run") -> "BlockList":
    options = ((run.made or {}).get("scheduler") or {}).get("options") or {}
    told = options.get("machine") or {}
    if told.get("name") != "blocks":
        raise PredAwareError("the run was on no machine of blocks, or does not tell which")
    if told.get("sizes") != "smallest":
        raise PredAwareError(
            "jobs of the run had blocks of any size that holds them; which they had is not recorded"
        )
    file = told["file"]
    return read_blocks(file) if isinstance(file, str) else blocks_of(file)
