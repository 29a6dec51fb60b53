"""Tables, pictures, remarks and lines of reports. `pred_aware.report.page` writes pages."""

from typing import TYPE_CHECKING

from pred_aware.report.lines import say
from predictors.on_demand import on_demand

if TYPE_CHECKING:
    from pred_aware.report.bar_chart import LESS, Bar, BarChart, BarPanel, picture_of
    from pred_aware.report.durations import HOUR, MINUTE
    from pred_aware.report.picture import Panel, Picture
    from pred_aware.report.plural import counted
    from pred_aware.report.result import Result
    from pred_aware.report.sentence import Remark, remarks
    from pred_aware.report.table import NOTHING, Cell, Table, number, percent, write_tables
    from pred_aware.report.terminal import console, show

__all__ = [
    "HOUR",
    "LESS",
    "MINUTE",
    "NOTHING",
    "Bar",
    "BarChart",
    "BarPanel",
    "Cell",
    "Panel",
    "Picture",
    "Remark",
    "Result",
    "Table",
    "console",
    "counted",
    "number",
    "percent",
    "picture_of",
    "remarks",
    "say",
    "show",
    "write_tables",
]

__getattr__ = on_demand(__name__)
