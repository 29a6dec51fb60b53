"""The commands `convert table` and `log map`, and other commands on a table with a map."""

import json
from pathlib import Path

import pytest

from tests.pred_aware.command import Command
from workload_tools.formats import open_log
from workload_tools.log import gather

TABLE = (
    "job,submitted,elapsed,limit,nodes,user\n"
    "1,2021-03-04 05:06:07,30,60,2,ann\n"
    "2,2021-03-04 05:07:07,20,60,4,bob\n"
    "3,2021-03-04 05:08:07,0,60,1,bob\n"
)
MAP = """
[machine]
nodes = 4
[columns]
id = "job"
user = "user"
submit_time = "submitted"
run_time = { from = "elapsed", unit = "minutes" }
walltime = { from = "limit", unit = "minutes" }
processors = "nodes"
"""


@pytest.fixture(autouse=True)
def _files(here: Path) -> None:
    (here / "jobs.csv").write_text(TABLE)
    (here / "mine.toml").write_text(MAP.replace("nodes = 4", "processors = 4"))


def test_a_table_becomes_a_workload_through_its_map(command: Command) -> None:
    ended = command(
        *("convert", "table", "jobs.csv", "-o", "jobs.json", "--map", "mine.toml"),
        *("--platform", "jobs.xml", "--report", "report.json"),
    )
    assert "3 records, for 4 processors" in ended.out
    assert "dropped: run time of 0 s" in ended.out
    jobs = json.loads(Path("jobs.json").read_text())["jobs"]
    found = [(job["id"], job["res"], job["walltime"]) for job in jobs]
    assert found == [("1", 2, 3600), ("2", 4, 3600)]
    assert json.loads(Path("report.json").read_text())["read"] == 3
    assert command("run", "-p", "jobs.xml", "-w", "jobs.json", "-s", "easy", "-e", "x").code == 0


def test_without_a_map_the_error_says_how_to_get_one(command: Command) -> None:
    command("convert", "table", "jobs.csv", "-o", "jobs.json").assert_refused(
        "`pred-aware log map suggest jobs.csv` writes a first"
    )


def test_an_output_never_replaces_the_map_or_the_table(command: Command) -> None:
    for output in ("mine.toml", "jobs.csv"):
        command("convert", "table", "jobs.csv", "--map", "mine.toml", "-o", output).assert_refused()
    assert Path("mine.toml").read_text().startswith("\n[machine]")


def test_every_command_uses_a_suggested_map_beside_the_log(command: Command) -> None:
    ended = command("log", "map", "suggest", "jobs.csv", "-o", "jobs.csv.map.toml")
    assert "uncertain lines" in ended.out
    assert command("inspect", "jobs.csv", "--json").code == 0
    assert command("predict", "jobs.csv", "--predictor", "last_two").code == 0
    assert 'walltime = "limit"' in command("log", "map", "suggest", "jobs.csv").out


def test_recorded_estimates_without_soft_walltimes_give_one_error(command: Command) -> None:
    command(
        *("convert", "table", "jobs.csv", "-o", "jobs.json", "--map", "mine.toml"),
        *("--platform", "jobs.xml"),
    )
    options = ("-s", "soft_walltime", "--predictor", "recorded", "-e", "x")
    for ended in (
        command("run", "-p", "jobs.xml", "-w", "jobs.json", *options),
        command("predict", "jobs.json", "--predictor", "recorded"),
    ):
        assert (ended.code, ended.err.count("\n")) == (2, 1)
        assert "no job has a soft walltime" in ended.err
    assert not list(Path().glob("x*"))


@pytest.mark.slow
def test_a_real_log_comes_back_from_a_parquet_table(shared: Path, command: Command) -> None:
    source = shared / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz"
    assert command("convert", "swf", source, "-o", "kth.parquet").code == 0
    assert gather(open_log("kth.parquet")).jobs == gather(open_log(source)).jobs


def test_shipped_maps_are_listed(command: Command) -> None:
    assert "alcf-recut" in command("log", "map", "list").out
