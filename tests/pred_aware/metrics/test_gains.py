"""Gains and losses by job and by group, in a script and from the command line."""

import json
from pathlib import Path

import pandas as pd
import pytest

import pred_aware as pa
from pred_aware.comparison.comparing import compare
from pred_aware.comparison.winners_and_losers import gains_and_losses
from pred_aware.metrics import MEASURES
from tests.pred_aware.api.synthetic_log import write_log
from tests.pred_aware.command import Command
from tests.suites import each_case
from workload_tools.batsim.writer import write_workload
from workload_tools.job import Job, Workload
from workload_tools.platform.writer import write_platform

NAMES = ("fcfs", "easy")


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command) -> tuple[str, ...]:
    """Two runs on four processors: the third job, of bob, overtakes under easy alone."""
    monkeypatch.chdir(tmp_path)
    told = ((0.0, 3, 100.0, "ann"), (0.0, 4, 100.0, "ann"), (0.0, 1, 50.0, "bob"))
    jobs = [
        Job(id=str(number), submit_time=submit, processors=size, run_time=run, walltime=run,
            user=user)
        for number, (submit, size, run, user) in enumerate(told)
    ]  # fmt: skip
    write_workload(Workload(jobs=jobs, processors=4), "w.json")
    write_platform("p.xml", hosts=4)
    for name in NAMES:
        assert command("run", "-p", "p.xml", "-w", "w.json", "-s", name, "-e", name).code == 0
    return tuple(f"{name}_jobs.csv" for name in NAMES)


@pytest.mark.usefixtures("runs")
def test_a_script_gets_the_change_of_each_wait_and_group() -> None:
    found = compare([pa.read_run(name, workload="w.json") for name in NAMES]).gains()
    assert found["difference"].to_dict() == {"0": 0.0, "1": 0.0, "2": -200.0}
    assert found["user"].tolist() == ["ann", "ann", "bob"]
    assert found.loc["2", ["baseline_waiting_time", "waiting_time"]].tolist() == [200.0, 0.0]
    # a script gets the change of each group
    found = compare([pa.read_run(name, workload="w.json") for name in NAMES]).gains("user")
    assert found.index.tolist() == ["ann", "bob"]
    assert found["mean_difference"].tolist() == [0.0, -200.0]
    assert found["shorter"].tolist() == [0.0, 1.0]
    # only the run that is compared needs its workload
    baseline, other = pa.read_run("fcfs"), pa.read_run("easy", workload="w.json")
    found = compare([baseline, other])
    assert found.gains()["user"].tolist() == ["ann", "ann", "bob"]
    assert found.gains("user")["total_difference"].tolist() == [0.0, -200.0]


def test_users_come_from_the_runs_workload(runs: tuple[str, ...], command: Command) -> None:
    ended = command("compare", *runs, "--full", "--by", "user", "--csv", "g.csv")
    assert (ended.code, ended.err) == (0, "")
    assert "Of 2 users, 1 wait less in total, 0 longer, 1 the same." in ended.out
    assert "Mean waiting time by user" in ended.out
    written = pd.read_csv("g.csv", dtype={"job_id": "str"}).set_index("job_id")
    assert written["difference"].to_dict() == {"0": 0.0, "1": 0.0, "2": -200.0}
    assert written["user"].tolist() == ["ann", "ann", "bob"]


def test_a_changed_or_missing_workload_gives_a_one_line_error(
    runs: tuple[str, ...], command: Command
) -> None:
    file = Path("w.json")
    file.write_text(file.read_text().replace("bob", "eve"))
    ended = command("compare", *runs, "--by", "user")
    ended.assert_refused("w.json has changed since the simulation: give it with --workload FILE")
    file.unlink()
    ended = command("compare", *runs, "--csv", "g.csv")
    assert ended.code == 0
    assert "Users and queues are not known: fcfs_jobs.csv: " in ended.out
    assert "user" not in Path("g.csv").read_text()


def test_a_workload_that_was_not_simulated_is_reported(
    runs: tuple[str, ...], command: Command
) -> None:
    Path("v.json").write_text(Path("w.json").read_text().replace("bob", "eve"))
    ended = command("compare", *runs, "--workload", "v.json", "--json")
    assert "v.json is not the workload of fcfs_jobs.csv: its content differs." in ended.err
    users = json.loads(ended.out)["against_baseline"]["easy"]["gains"]["user"]
    assert [user["group"] for user in users] == ["ann", "eve"]


def test_users_come_from_the_log_that_a_script_simulated(tmp_path: Path, command: Command) -> None:
    log = pa.read_log(write_log(tmp_path / "made.swf"))
    for name in NAMES:
        pa.simulate(log, name, write_to=tmp_path / name)
    files = [tmp_path / f"{name}_jobs.csv" for name in NAMES]
    ended = command("compare", *files, "--by", "user", "--json")
    users = json.loads(ended.out)["by"]["user"]["easy"]
    assert sum(row["jobs"] for row in users) == len(log)
    assert {row["group"] for row in users} == {"1", "2", "3", "4"}


def test_json_has_the_requested_measures_beside_the_usual_figures(
    runs: tuple[str, ...], command: Command
) -> None:
    names = ("p999_waiting_time", "later_than_baseline", "mean_bounded_slowdown")
    ended = command(
        "compare", *runs, "--json", "--measures", ",".join(names), "--by", "size", "--tau", "500"
    )
    answer = json.loads(ended.out)
    easy = answer["runs"]["easy"]
    assert {"mean_waiting_time", "utilisation", *names} <= set(easy)
    found = (easy["later_than_baseline"], answer["runs"]["fcfs"]["later_than_baseline"])
    assert found == (0.0, None)
    # 200 s and less of waiting and running are less than tau
    assert (answer["tau"], easy["mean_bounded_slowdown"]) == (500.0, 1.0)
    sizes = answer["by"]["size"]["easy"]
    assert [(row["group"], row["jobs"]) for row in sizes] == [("1", 1), ("2-4", 2)]


def test_the_table_shows_only_the_requested_measures(
    runs: tuple[str, ...], command: Command
) -> None:
    out = command("compare", *runs, "--full", "--measures", "lost_capacity,gini_of_users").out
    table = out[: out.index("Jobs by waiting time")]
    assert "lost capacity" in table
    assert "Gini of users' bounded slowdown" in table
    assert "makespan" not in table
    everything = command("compare", *runs, "--measures", "all", "--json")
    assert set(MEASURES) <= set(json.loads(everything.out)["runs"]["easy"])


@each_case(
    ("arguments", "message"),
    [
        (["--measures", "mean_wait"], "there is no measure 'mean_wait'; did you mean"),
        (["--measures", ","], "--measures is empty"),
        (["--by", "shape"], "--by shape: jobs can be grouped by size, length, user"),
        (["--by", "queue"], "no job of w.json has a queue"),
        (["--tau", "0"], "--tau 0: give a positive number of seconds"),
        (["--csv", "g.txt"], "must end in .csv or .csv.gz"),
        (["--csv", "no/g.csv"], "the folder no does not exist"),
        (["--csv", "easy_jobs.csv"], "each file needs its own name"),
    ],
)
def test_impossible_tables_give_a_one_line_error(
    runs: tuple[str, ...], command: Command, arguments: list[str], message: str
) -> None:
    command("compare", *runs, *arguments).assert_refused(message)


def test_gains_of_kth_equal_those_computed_with_pandas(shared: Path) -> None:
    files = [shared / f"golden/kth/{name}/out_jobs.csv.gz" for name in ("easy_bf", "filler")]
    baseline, new = (pd.read_csv(file).set_index("job_id") for file in files)
    difference = (new["waiting_time"] - baseline["waiting_time"]).rename("difference")
    large = baseline["requested_number_of_resources"].between(17, 64)
    found = compare([pa.read_run(file, file.parent.name) for file in files])
    assert found.gains("size").loc["17-64", "mean_difference"] == pytest.approx(
        difference[large].mean()
    )
    by_job = found.gains()["difference"].rename(int).sort_index()
    pd.testing.assert_series_equal(by_job, difference.sort_index(), atol=1e-6)
    (table,) = gains_and_losses(found)
    assert [row[0] for row in table.rows][3:6] == [
        "17-64 processors", "65-256 processors", "ran up to 1 min",
    ]  # fmt: skip
