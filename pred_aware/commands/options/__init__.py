"""Options that several commands share, and what they do with them."""

from pred_aware.commands.options.groups import add, has
from pred_aware.commands.options.output import OutputOptions, Told
from pred_aware.commands.options.reading import ReadingOptions, read_options
from pred_aware.commands.options.typed import typed

__all__ = [
    "OutputOptions",
    "ReadingOptions",
    "Told",
    "add",
    "has",
    "read_options",
    "typed",
]
