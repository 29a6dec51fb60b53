"""The command `log raps`: a schedule as RAPS's loader of Frontier's logs reads it."""

import json
import re
from pathlib import Path

import pytest

from tests.pred_aware.command import Command
from workload_tools.swf.log import read_swf

SWF = "; MaxProcs: 8\n" + "".join(
    f"{number} {10 * number} 99 100 {size} -1 -1 {size} 200 -1 1 7 1 -1 -1 -1 -1 -1\n"
    for number, size in ((1, 8), (2, 4), (3, 16))
)


@pytest.fixture(autouse=True)
def _run(here: Path, command: Command) -> None:
    (here / "log.swf").write_text(SWF)
    assert command("convert", "swf", "log.swf", "-o", "w.json", "--platform", "p.xml").code == 0
    assert command("run", "-p", "p.xml", "-w", "w.json", "-s", "easy", "-e", "out").code == 0


def test_the_schedule_is_written_into_frontiers_fields(command: Command) -> None:
    ended = command("log", "raps", "out", "-w", "w.json", "-o", "raps.swf", "--node-processors", 4)
    assert ended.out == "wrote raps.swf: 2 jobs, left out 1 that did not run\n"
    lines = Path("raps.swf").read_text().splitlines()
    assert any(re.fullmatch(r";\s*UnixStartTime\s*:\s*\d+\s*", line) for line in lines)
    fields = [line.split() for line in lines if not line.startswith(";")]
    # number, submission, wait (for the first job), run time; then what is Frontier's
    assert [row[:4] + row[18:] for row in fields] == [
        ["1", "0", "0", "100", "-1", "-1", "frontier:excl:2x4"],
        ["2", "10", "90", "100", "-1", "-1", "frontier:excl:1x4"],
    ]
    assert [job.processors for job in read_swf("raps.swf")[0].jobs] == [2, 1]


def test_the_workload_of_another_run_is_an_error(command: Command) -> None:
    content = json.loads(Path("w.json").read_text())
    content["jobs"] = content["jobs"][1:]
    Path("other.json").write_text(json.dumps(content))
    command("log", "raps", "out", "-w", "other.json", "-o", "raps.swf").assert_refused(
        "job '1' is not in other.json"
    )
    assert not Path("raps.swf").exists()


def test_a_name_that_would_break_the_line_is_an_error(command: Command) -> None:
    command(
        "log", "raps", "out", "-w", "w.json", "-o", "raps.swf", "--system", "a b"
    ).assert_refused()
