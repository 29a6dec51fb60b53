"""The commands `site`, and the option `--site` of others."""

import json
import sys
import tomllib
from pathlib import Path

import pytest

from schedulers.site.example import EXAMPLE
from schedulers.site.reader import content_of, site_of
from tests.pred_aware.api.synthetic_log import write_log
from tests.pred_aware.command import Command

TWO_JOBS = '[[limits]]\nof = "jobs"\nper = "user"\nmost = 2\n'
SMALL = '[[partitions]]\nname = "small"\ndefault = true\nmax_processors = 2\n'


@pytest.fixture
def site(tmp_path: Path) -> Path:
    path = tmp_path / "site.toml"
    path.write_text(f'name = "Mine"\n{TWO_JOBS}')
    return path


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return write_log(tmp_path / "log.swf", jobs=60)


def test_the_shown_example_is_a_valid_site(command: Command, tmp_path: Path) -> None:
    code, text, _ = command("site", "show", "--example")
    assert (code, site_of(tomllib.loads(text))) == (0, EXAMPLE)
    path = tmp_path / "shown.toml"
    path.write_text(text)
    code, out, _ = command("site", "check", path)
    assert code == 0
    assert "example: 100 nodes, 3,200 processors" in out
    assert "1024 processors of qos short per user and partition" in out
    _, out, _ = command("site", "show", path, "--json")
    assert json.loads(out) == content_of(EXAMPLE)


def test_a_file_and_the_example_exclude_each_other(command: Command, site: Path) -> None:
    for given in ((site, "--example"), ("--json",)):
        code, _, err = command("site", "show", *given)
        assert (code, err.count("\n")) == (2, 1)
        assert "--example" in err


def test_jobs_that_can_never_start_are_counted_by_reason(
    command: Command, site: Path, log: Path
) -> None:
    site.write_text(SMALL)
    code, out, _ = command("inspect", log, "--site", site, "--json")
    found = json.loads(out)["on_site"]
    (reason,) = found["never_start"]
    assert (code, reason) == (
        0, "asks for N processors; partition 'small' allows at most 2",
    )  # fmt: skip
    assert "jobs can never start." in command("inspect", log, "--site", site).out


def test_rules_that_are_not_simulated_are_reported_with_their_number_of_jobs(
    command: Command, site: Path, log: Path
) -> None:
    site.write_text(SMALL + "oversubscribe = 4\n")
    told = "cores of partition 'small' that up to 4 jobs share"
    assert f"! Not simulated: {told}." in command("site", "check", site).out
    _, out, _ = command("inspect", log, "--site", site, "--json")
    found = json.loads(out)["on_site"]
    assert found["left_out"] == {told: 60 - sum(found["never_start"].values())}


def test_a_limit_that_applies_to_no_job_gives_a_remark(
    command: Command, site: Path, log: Path
) -> None:
    site.write_text(TWO_JOBS + '[[limits]]\nof = "jobs"\nmost = 1\nonly = {qos = "none"}\n')
    code, out, _ = command("inspect", log, "--site", site)
    assert code == 0
    assert "! The limit '1 job of qos none' applies to no job." in out
    assert "2 jobs per user' is for" not in out


def test_an_invalid_site_gives_a_one_line_error(command: Command, site: Path, log: Path) -> None:
    site.write_text(TWO_JOBS.replace("most", "mots"))
    for words in (("site", "check", site), ("inspect", log, "--site", site)):
        code, _, err = command(*words)
        assert (code, err.count("\n")) == (2, 1)
        assert "limits 1 has no key 'mots': did you mean 'most'" in err


def test_a_rehearsal_keeps_the_rules_and_reports_why_jobs_waited(
    command: Command, site: Path, log: Path, tmp_path: Path
) -> None:
    page = tmp_path / "page.html"
    asked = ("--predictor", "last_two", "--shakes", 0, "--site", site, "--html", page)
    code, out, _ = command("service", "shadow", log, *asked)
    assert code == 0
    assert "Each schedule applies the rules of Mine: 2 jobs per user." in " ".join(out.split())
    assert "What jobs waited for" in page.read_text()


def test_comparing_runs_on_different_sites_gives_a_remark_and_reasons_of_waits(
    command: Command, site: Path, log: Path, tmp_path: Path
) -> None:
    assert (
        command("convert", log, "-o", tmp_path / "w.json", "--platform", tmp_path / "p.xml")[0] == 0
    )
    inputs = ("-p", tmp_path / "p.xml", "-w", tmp_path / "w.json", "-s", "easy")
    for name, given in (("free", ()), ("limited", ("--site", site))):
        assert command("run", *inputs, "-e", tmp_path / name, *given)[0] == 0
    code, out, _ = command(
        "compare", tmp_path / "free", tmp_path / "limited", "--shakes", 2,
        "--html", tmp_path / "page.html",
    )  # fmt: skip
    assert code == 0
    assert "limited: simulated on another site than free, so the effect of the policy" in " ".join(
        out.split()
    )
    assert "What jobs waited for" in (tmp_path / "page.html").read_text()
    made = json.loads((tmp_path / "limited_run.json").read_text())
    assert made["scheduler"]["options"]["site"]["limits"][0]["most"] == 2.0


def test_another_batsim_gives_the_same_schedule(
    command: Command, site: Path, log: Path, tmp_path: Path
) -> None:
    site.write_text(f'{TWO_JOBS}[[windows]]\nclosed = "00:20-01:00"\nlonger_than = 600\n')
    batsim = tmp_path / "batsim"
    batsim.write_text(
        f'#!/bin/sh\n[ "$1" = --version ] && echo v4.2.1 && exit\n'
        f'exec {sys.executable} -m pred_aware batsim "$@"\n'
    )
    batsim.chmod(0o700)
    command("convert", log, "-o", tmp_path / "w.json", "--platform", tmp_path / "p.xml")
    inputs = ("-p", tmp_path / "p.xml", "-w", tmp_path / "w.json", "-s", "easy", "--site", site)
    for name, given in (("ours", ()), ("other", ("--batsim", batsim))):
        assert command("run", *inputs, "-e", tmp_path / name, *given)[0] == 0
    for kind in ("jobs", "stops"):
        ours, other = (tmp_path / f"{name}_{kind}.csv" for name in ("ours", "other"))
        assert ours.read_bytes() == other.read_bytes()
    assert "closed Mon-Sun" in (tmp_path / "ours_stops.csv").read_text()


def test_a_snapshot_folder_can_replace_a_site_file(command: Command, tmp_path: Path) -> None:
    snapshot = Path(__file__).parents[1] / "site_configuration/slurm"
    code, _, _ = command("site", "slurm", snapshot, "-o", tmp_path / "site.toml", "-q")
    assert code == 0
    error = command("site", "slurm", snapshot / "config.txt").err
    assert f"give its folder, {snapshot}" in error
    log = write_log(tmp_path / "log.swf", jobs=60)
    for given in (("site", "show"), ("site", "check"), ("inspect", log, "--json", "--site")):
        outputs = [command(*given, site) for site in (snapshot, tmp_path / "site.toml")]
        assert outputs[0] == outputs[1]
        assert outputs[0][0] == 0
