"""What papers say of logs themselves, counted in a small one by hand."""

from pathlib import Path

import pytest

from reproductions.checks.of_counts import Count
from reproductions.checks.statement import Equal, Statement, above, below
from reproductions.counting import COUNTS
from reproductions.evidence import QUICK, Evidence
from reproductions.reproducing import PAPERS

HOUR, DAY = 3600, 86400
JOBS = (
    # wait, run, processors, walltime, user
    (0, HOUR // 2, 4, HOUR, 1),
    (4 * DAY, HOUR // 2, 64, HOUR, 1),
    (8 * DAY, 2 * DAY, 1, 4 * DAY, 2),
    (-1, 10, 1, 2 * DAY, 2),
)


@pytest.fixture
def evidence(tmp_path: Path) -> Evidence:
    lines = [
        f"{place} {60 * place} {wait} {run} {size} -1 -1 {size} {limit} -1 1 {user} 1 1 1 1 -1 -1"
        for place, (wait, run, size, limit, user) in enumerate(JOBS, start=1)
    ]
    log = tmp_path / "wagap-2013-made.swf"
    log.write_text("\n".join(["; MaxProcs: 64", *lines, ""]))
    return Evidence(PAPERS["003"], {"wagap": log}, folder=tmp_path / "out", effort=QUICK)


def test_counts_are_those_made_by_hand(evidence: Evidence) -> None:
    found = evidence.counted("wagap")
    assert found["waits under 3 days"] == pytest.approx(1 / 3)
    assert found["waits over 7 days"] == pytest.approx(1 / 3)
    assert found["run under 1 h"] == found["up to 32 processors"] == 0.75
    assert found["long by walltime"] == found["users"] == 2.0
    assert found["two commonest walltimes"] == 0.75
    assert found["used under 0.5"] == 0.25
    assert found["jobs that wait over 7 days"] == 1.0
    assert found["walltimes of 7 or 14 days"] == 0.0
    assert found["median by mean processors"] == pytest.approx(2.5 / 17.5)
    assert found["last fifth runs"] == pytest.approx(10 / ((HOUR + 2 * DAY) / 3))
    work = [size * run for _, run, size, _, _ in JOBS]
    assert found["work of jobs over 1 day"] == pytest.approx(2 * DAY / sum(work))
    assert found["records"] == 4.0
    assert set(COUNTS) < set(found)


@pytest.mark.parametrize(
    ("check", "verdict"),
    [
        (Statement(Count("processors", ""), Equal(64), "wagap"), "holds"),
        (Statement(Count("run under 1 h"), below(0.5), "wagap"), "does not hold"),
        (Statement(Count("experts"), above(0.5), "wagap"), "holds"),
        (
            Statement(Count("used under 0.5 by experienced"), above(0.5), "wagap"),
            "not tried",
        ),
    ],
)
def test_a_count_is_judged_by_its_side(evidence: Evidence, check: Statement, verdict: str) -> None:
    assert check.look(evidence).verdict == verdict


def test_a_log_that_can_t_be_read_can_t_be_counted(tmp_path: Path) -> None:
    (tmp_path / "wagap-2013.swf").write_text("no log at all\n")
    files = {"wagap": tmp_path / "wagap-2013.swf"}
    evidence = Evidence(PAPERS["003"], files, folder=tmp_path / "out", effort=QUICK)
    found = Statement(Count("jobs"), above(1), "wagap").look(evidence)
    assert found.verdict == "not tried"
    assert "wagap-2013.swf" in found.ours
