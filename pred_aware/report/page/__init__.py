"""Write a page: one HTML file that works without a network."""

from pred_aware.report.page.blocks import Definitions, unfolded
from pred_aware.report.page.content import Answer, Content, Large, Section
from pred_aware.report.page.writing import write

__all__ = [
    "Answer",
    "Content",
    "Definitions",
    "Large",
    "Section",
    "unfolded",
    "write",
]
