"""Options that several commands share, and their effects."""

from pred_aware.commands.options.groups import add, argument, flag, has, option
from pred_aware.commands.options.output import OutputOptions, PrintOptions
from pred_aware.commands.options.reading import ReadingOptions, read_options
from pred_aware.commands.options.typed import typed

__all__ = [
    "OutputOptions",
    "PrintOptions",
    "ReadingOptions",
    "add",
    "argument",
    "flag",
    "has",
    "option",
    "read_options",
    "typed",
]
