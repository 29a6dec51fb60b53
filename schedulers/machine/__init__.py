"""Machines: the room that jobs have beside each other, and the processors that they get."""

from schedulers.machine.block import BlockList
from schedulers.machine.block_file import read_blocks, text_of
from schedulers.machine.blue_gene import BLUE_GENES, blue_gene

__all__ = ["BLUE_GENES", "BlockList", "blue_gene", "read_blocks", "text_of"]
