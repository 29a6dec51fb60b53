import gzip
import json
from functools import partial
from pathlib import Path

import pytest

from tests.pred_aware.command import Command
from workload_tools import read_swf, read_workload

LINE = "{number} {submit} 5 {run} {size} -1 -1 {size} 3600 -1 1 {user} 1 1 1 -1 -1 -1\n"


@pytest.fixture
def model(command: Command) -> Command:
    """Run the command; its exit code, standard output and standard error."""
    return partial(command, "log", "model")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "made.swf"
    lines = (
        LINE.format(number=n, submit=1500 * n, run=60 + n, size=1 + n % 8, user=n % 5)
        for n in range(1, 100)
    )
    header = "; Computer: secret\n; MaxProcs: 8\n; UnixStartTime: 1704067200\n"
    path.write_text(header + "".join(lines))
    return path


def test_a_twin_is_written_and_described(model: Command, log: Path, tmp_path: Path) -> None:
    out = tmp_path / "twin.json"
    code, said, err = model("twin", log, "-o", out, "--platform", tmp_path / "twin.xml")
    assert (code, err) == (0, "")
    assert "Similarity of the twin" in said
    assert "What the twin could still reveal" in said
    workload = read_workload(out)
    assert (len(workload.jobs), workload.processors) == (99, 8)
    assert (tmp_path / "twin.xml").exists()


def test_a_twin_in_swf_has_no_line_of_the_logs_header(
    model: Command, log: Path, tmp_path: Path
) -> None:
    out = tmp_path / "twin.swf.gz"
    assert model("twin", log, "-o", out, "-q") == (0, "", "")
    assert b"secret" not in gzip.decompress(out.read_bytes())
    workload, report = read_swf(out)
    assert (report.kept, workload.processors) == (99, 8)


def test_the_same_seed_gives_the_same_bytes(model: Command, log: Path, tmp_path: Path) -> None:
    first, again, other = (tmp_path / f"{name}.json" for name in ("first", "again", "other"))
    model("twin", log, "-o", first, "-q")
    model("twin", log, "-o", again, "-q", "--seed", 1)
    model("twin", log, "-o", other, "-q", "--seed", 2)
    assert first.read_bytes() == again.read_bytes() != other.read_bytes()


def test_the_report_has_all_figures(model: Command, log: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    model("twin", log, "-o", tmp_path / "twin.json", "-q", "--report", report, "--noise", 0)
    figures = json.loads(report.read_text())
    assert figures["options"]["noise"] == 0
    assert figures["counts"]["kept"] == figures["disclosure"]["jobs"] == 99
    found = [one["name"] for one in figures["closeness"]["distances"]][:2]
    assert found == ["processors", "run_time"]


def test_load_is_scaled_by_arrivals_or_machine(model: Command, log: Path, tmp_path: Path) -> None:
    out = tmp_path / "scaled.json"
    model("scale", log, "-o", out, "--load", 1.5, "-q")
    assert read_workload(out).jobs[-1].submit_time == 98 * 1000
    said = model("scale", log, "-o", out, "--load", 2, "--what", "machine")[1]
    assert "48  kept, but larger than the machine" in said
    assert read_workload(out).processors == 4


def test_a_twin_can_be_scaled(model: Command, log: Path, tmp_path: Path) -> None:
    twin, scaled = tmp_path / "twin.swf", tmp_path / "scaled.swf"
    model("twin", log, "-o", twin, "-q")
    assert model("scale", twin, "-o", scaled, "--load", 3, "-q") == (0, "", "")
    assert len(read_swf(scaled)[0].jobs) == 99


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("scale", "--load", "-1"), "a load cannot be multiplied by -1"),
        (("twin", "--report", "{out}"), "is given twice"),
        (("twin", "--noise", "inf"), "'inf' is not a finite number"),
    ],
)
def test_bad_input_gives_a_one_line_error(
    model: Command, log: Path, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    out = str(tmp_path / "out.json")
    command, *options = (argument.format(out=out) for argument in arguments)
    model(command, log, "-o", out, *options).assert_refused(said)
    assert not Path(out).exists()


def test_no_twin_is_written_if_the_requested_report_fails(
    model: Command, log: Path, tmp_path: Path
) -> None:
    report = tmp_path / "none" / "report.json"
    model("twin", log, "-o", tmp_path / "twin.json", "--report", report).assert_refused(
        f"{report}: cannot be written"
    )
    assert [file.name for file in tmp_path.iterdir()] == [log.name]
