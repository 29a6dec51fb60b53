"""The command `site infer`."""

import json
from pathlib import Path

import pytest

from pred_aware import read_site
from tests.pred_aware.command import Command
from tests.pred_aware.site_inference.planted import swf_of


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "made.swf"
    path.write_text(swf_of("three each"))
    return path


def test_infer_writes_a_site_with_reasons_and_json(
    command: Command, log: Path, tmp_path: Path
) -> None:
    file = tmp_path / "site.toml"
    code, out, _ = command("site", "infer", log, "-o", file, "--json")
    told = json.loads(out)
    assert (code, told["verdict"]) == (0, "fitted")
    assert [one["ratio"] < 0.2 for one in told["counted"]] == [True, True]
    assert [0.9 < one["ratio"] < 1.1 for one in told["fitted"]] == [True, True]
    (limit,) = read_site(file).limits
    assert (limit.most, limit.per) == (3.0, "user")
    text = " ".join(file.read_text().replace("#", "").split())
    assert "each user had at most 3 running jobs" in text
    assert "of all waiting), and 0 jobs started above the limit." in text


def test_the_log_is_not_overwritten(command: Command, log: Path) -> None:
    before = log.read_bytes()
    code, _, err = command("site", "infer", log, "-o", log)
    assert (code, err.count("\n")) == (2, 1)
    assert log.read_bytes() == before


def test_inspect_shows_the_inferred_rules(command: Command, log: Path) -> None:
    ended = command("inspect", log, "--infer-site")
    told = " ".join(ended.out.split())
    assert "Accepted: 3 jobs per user" in told
