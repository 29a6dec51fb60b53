"""Papers' figures: the differences that claims are judged by, drawn, in a table and in a file."""

from pred_aware.report.bar_chart import Bar, BarChart, BarPanel, picture_of
from pred_aware.report.table import Table

GAIN = BarChart(
    "figure 1",
    "made up",
    "less than under easy",
    (
        BarPanel("KTH", (Bar("a", "wait", 0.25, 0.1, 0.4), Bar("a", "slowdown", 0.05, -0.1, 0.2))),
        BarPanel("HPC2N", (Bar("b", "wait", -0.3, -0.5, -0.1),)),
        BarPanel("not simulated", ()),
    ),
)


def test_a_figure_has_a_panel_for_each_log_and_one_table() -> None:
    picture = picture_of(GAIN)
    assert picture is not None
    assert len(picture.panels) == 2
    (table,) = picture.tables
    assert table.rows == (
        ("KTH: a", "+25.0 [+10.0, +40.0]", "+5.0 [-10.0, +20.0]"),
        ("HPC2N: b", "-30.0 [-50.0, -10.0]", "-"),
    )
    panels = [panel.svg().decode() for panel in picture.panels]
    assert "KTH" in panels[0]
    assert "less than under easy, %" in panels[0]
    # insignificant changes are faint
    assert ["opacity: 0.35" in one for one in panels] == [True, False]


def test_charts_of_each_kind_are_drawn() -> None:
    bars = tuple(Bar("WFP", kind, share) for kind, share in (("head", 0.6), ("queue", 0.4)))
    picture = picture_of(BarChart("figure 3", "", "of the jobs", (BarPanel("", bars),), "stacks"))
    assert picture is not None
    assert isinstance(picture.tables[0], Table)
    assert picture.tables[0].rows == (("WFP", "60.0", "40.0"),)
    # quartiles are drawn as boxes in hours
    box = Bar("KTH", "walltimes", 7200.0, 3600.0, 36000.0)
    drawn = BarChart("figure 4", "", "error", (BarPanel("long", (box,)),), "boxes", "h")
    picture = picture_of(drawn)
    assert picture is not None
    assert picture.tables[0].rows == (("long: KTH", "2.0 [1.0, 10.0]"),)
    assert "error, h" in picture.panels[0].svg().decode()
    # lines run along numbers
    bars = tuple(Bar(f"{share} % of the users", "KTH", 3600.0 * share) for share in (0, 50, 100))
    picture = picture_of(BarChart("figure 5", "", "gain", (BarPanel("", bars),), "lines", "h"))
    assert picture is not None
    drawn = picture.panels[0].svg().decode()
    assert "% of the users" in drawn
    assert picture.tables[0].rows[-1] == ("100 % of the users", "100.0")
    # a figure of logs that are not at hand is left out
    assert picture_of(BarChart("figure 2", "", "of the jobs", (BarPanel("KTH", ()),))) is None
