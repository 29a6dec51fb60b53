"""Tables, pictures, remarks and lines; `pred_aware.report.page` has the page."""

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

__getattr__ = on_demand(
    __name__,
    {
        "HOUR": "pred_aware.report.durations",
        "LESS": "pred_aware.report.bar_chart",
        "MINUTE": "pred_aware.report.durations",
        "NOTHING": "pred_aware.report.table",
        "Bar": "pred_aware.report.bar_chart",
        "BarChart": "pred_aware.report.bar_chart",
        "BarPanel": "pred_aware.report.bar_chart",
        "Cell": "pred_aware.report.table",
        "Panel": "pred_aware.report.picture",
        "Picture": "pred_aware.report.picture",
        "Remark": "pred_aware.report.sentence",
        "Result": "pred_aware.report.result",
        "Table": "pred_aware.report.table",
        "console": "pred_aware.report.terminal",
        "counted": "pred_aware.report.plural",
        "number": "pred_aware.report.table",
        "percent": "pred_aware.report.table",
        "picture_of": "pred_aware.report.bar_chart",
        "remarks": "pred_aware.report.sentence",
        "show": "pred_aware.report.terminal",
        "write_tables": "pred_aware.report.table",
    },
)
