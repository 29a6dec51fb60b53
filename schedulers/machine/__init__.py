"""Machines: which jobs can run at the same time, and which processors jobs get."""

from typing import TYPE_CHECKING

from predictors.on_demand import on_demand

if TYPE_CHECKING:
    from schedulers.machine.block import BlockList
    from schedulers.machine.block_file import read_blocks, text_of

__all__ = ["BlockList", "read_blocks", "text_of"]

__getattr__ = on_demand(__name__)
