"""A page that can be sent round: one HTML file that asks nobody for anything."""

from pred_aware.page.content import Answer, Content, Definitions, Large, Prepared, Section
from pred_aware.page.schedules import Schedules
from pred_aware.page.writing import prepare, write

__all__ = [
    "Answer",
    "Content",
    "Definitions",
    "Large",
    "Prepared",
    "Schedules",
    "Section",
    "prepare",
    "write",
]
