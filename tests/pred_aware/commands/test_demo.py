import json
from pathlib import Path

import pytest

from tests.pred_aware.command import Command


@pytest.mark.slow
def test_the_demo_makes_a_log_and_studies_it(command: Command, tmp_path: Path) -> None:
    ended = command("demo", "-o", tmp_path / "out")
    assert ended.code == 0
    assert f"Page: {tmp_path / 'out' / 'study.html'}" in ended.out
    told = json.loads((tmp_path / "out" / "study.json").read_text())
    assert (told["log"]["jobs"], told["log"]["users"]) == (5000, 60)
    assert (told["answer"]["kind"], told["answer"]["reason"]) == ("no", "large jobs")
    assert told["base"]["ratio"] == pytest.approx(1.0, abs=0.001)
    assert "20 jobs per user" in told["log"]["site"]["rules"][0]
    assert 0.75 < float(told["log"]["load"]) < 0.95
    page = (tmp_path / "out" / "study.html").read_text()
    assert "<h1>Would run time prediction shorten waits on a synthetic log?</h1>" in page
    assert "<code>pred-aware demo --seed 4 --shakes 5</code>" in page


def test_a_single_perturbed_copy_is_refused(command: Command, tmp_path: Path) -> None:
    command("demo", "-o", tmp_path / "out", "--shakes", 1).assert_refused("at least 2")


@pytest.mark.parametrize("kind", ["file", "folder of something else"])
def test_an_existing_file_at_the_folders_path_is_kept(
    command: Command, tmp_path: Path, kind: str
) -> None:
    out = tmp_path / "out"
    file = out if kind == "file" else out / "mine"
    file.parent.mkdir(exist_ok=True)
    file.write_text("mine")
    command("demo", "-o", out, "-q").assert_refused()
    assert file.read_text() == "mine"
