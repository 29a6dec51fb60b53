"""What a campaign has found: tables, frames, files, and what is removed again."""

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

import pred_aware as pa
from pred_aware.campaign.kept_metrics import OF_A_RUN
from pred_aware.campaign.store import RUN
from pred_aware.errors import PredAwareError
from pred_aware.metrics.groups import measures_by, names_in_order
from tests.pred_aware.api.synthetic_log import write_log
from tests.pred_aware.command import Command

FILE = """
measures = ["mean_waiting_time", "p95_waiting_time", "later_than_baseline"]
[logs.made]
file = "log.swf"
[policies.easy]
[policies.sjf]
scheduler = "easy"
order = "sjf"
[shakes]
at_least = 3
at_most = 5
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that was run, with three shakes and then five."""
    folder = tmp_path_factory.mktemp("campaign")
    write_log(folder / "log.swf", jobs=80)
    path = folder / "small.toml"
    path.write_text(FILE)
    pa.read_campaign(path).run(workers=1)
    return path


def test_copies_are_added_until_the_precision_or_the_limit_is_reached(path: Path) -> None:
    status = pa.read_campaign(path).status().set_index("policy")
    assert status["shakes"].tolist() == status["wanted"].tolist() == [5, 5]
    assert status.loc["sjf", "over"]
    path.with_name("easier.toml").write_text(
        f"store = 'small.runs'\n{FILE}[precision]\nmean_waiting_time = 9.0\n"
    )
    easier = pa.read_campaign(path.with_name("easier.toml")).status()
    assert easier["wanted"].tolist() == [3, 3]


def test_differences_are_those_of_the_runs(path: Path) -> None:
    campaign = pa.read_campaign(path)
    runs = campaign.runs()
    shaken = runs[runs["shake"].notna()].pivot_table("mean_waiting_time", "shake", "policy")
    found = campaign.compared().set_index("measure").loc["mean_waiting_time"]
    change = (shaken["sjf"] - shaken["easy"]).mean() / shaken["easy"].mean()
    assert found["difference"] == pytest.approx(change)
    assert found["low"] < found["difference"] < found["high"]
    assert (found["shakes"], found["reached"]) == (5, False)


def test_the_table_states_the_comparison_and_the_precision_not_reached(
    path: Path, command: Command, tmp_path: Path
) -> None:
    out = command("campaign", "table", path, "--tables", tmp_path / "all.csv").out
    assert "made: sjf" in out
    assert (
        "The precision of mean waiting time is not the requested 1.0 %: sjf on made (only " in out
    )
    assert "made: Cannot compare easy with the recorded queue of the log" in out
    written = pd.read_csv(tmp_path / "all.csv")
    assert set(written["table"]) == {
        "mean waiting time against easy", "95th percentile of waiting time against easy",
        "against easy: jobs later than under the baseline",
    }  # fmt: skip


def test_a_run_is_compared_with_the_baseline_on_the_same_copy(path: Path) -> None:
    found = pa.read_campaign(path).against_baseline().iloc[0]
    log = pa.read_log(path.with_name("log.swf"))
    shares = []
    for seed in (None, 1, 2, 3, 4, 5):
        shaken = log.workload if seed is None else log.workload.shaken(seed)
        easy, sjf = (
            pa.simulate(shaken, "easy", order=order, platform=log.platform)
            for order in ("fcfs", "sjf")
        )
        shares.append(sjf.measures(["later_than_baseline"], baseline=easy).iloc[0])
    assert (found["policy"], found["measure"]) == ("sjf", "later_than_baseline")
    assert [found["as_it_is"], found["value"]] == pytest.approx([shares[0], sum(shares[1:]) / 5])
    assert found["low"] < found["value"] < found["high"]


def test_figures_of_pairs_are_stored_and_computed_again_if_missing(path: Path) -> None:
    campaign = pa.read_campaign(path)
    before = campaign.runs()
    kept = {file: file.read_bytes() for file in campaign.store.glob("runs/*/*/against_*.json")}
    assert len(kept) == 6
    for file in kept:
        file.unlink()
    pd.testing.assert_frame_equal(pa.read_campaign(path).runs(), before)
    assert {file: file.read_bytes() for file in kept} == kept


def test_groups_of_a_run_equal_those_of_the_same_simulation(path: Path) -> None:
    campaign = pa.read_campaign(path)
    groups = campaign.groups("user")
    mine = groups[(groups["policy"] == "sjf") & groups["shake"].isna()].set_index("group")
    log = pa.read_log(path.with_name("log.swf"))
    run = pa.simulate(log, "easy", order="sjf")
    expected = measures_by(run, "user")
    assert mine["mean_waiting_time"].to_dict() == expected["mean_waiting_time"].to_dict()


def test_who_gains_most_comes_first_and_who_loses_most_last(path: Path, command: Command) -> None:
    gains = pa.read_campaign(path).gains("user")
    seconds = gains["absolute"] * gains["jobs"]
    assert seconds.is_monotonic_increasing
    assert set(gains["policy"]) == {"sjf"}
    told = json.loads(command("campaign", "table", path, "--by", "user", "--json").out)
    assert [one["group"] for one in told["gains"]] == gains["group"].tolist()


def test_sizes_are_in_ascending_order(path: Path, command: Command) -> None:
    shown = json.loads(command("campaign", "table", path, "--by", "size", "--json").out)["gains"]
    own = [name for name in names_in_order("size") if name in {one["group"] for one in shown}]
    assert [one["group"] for one in shown] == own
    assert len(own) > 1


def test_all_runs_are_exported_with_all_measures(
    path: Path, command: Command, tmp_path: Path
) -> None:
    measures = [*OF_A_RUN, "later_than_baseline"]
    for name in ("rows.csv", "rows.csv.gz", "rows.parquet"):
        assert command("campaign", "export", path, "-o", tmp_path / name).code == 0, name
        read = pd.read_parquet if name.endswith("parquet") else pd.read_csv
        frame = read(tmp_path / name)
        assert len(frame) == 12, name
        assert list(frame.columns)[-len(measures) :] == measures, name
        assert frame["shake"].isna().sum() == 2, name


def test_jobs_are_exported_of_the_runs_that_keep_them(
    path: Path, command: Command, tmp_path: Path
) -> None:
    command("campaign", "export", path, "--jobs", "-o", tmp_path / "jobs.csv")
    jobs = pd.read_csv(tmp_path / "jobs.csv")
    assert jobs.groupby("policy").size().to_dict() == {"easy": 80, "sjf": 80}
    campaign = pa.read_campaign(path)
    assert campaign.jobs()["waiting_time"].tolist() == jobs["waiting_time"].tolist()


def test_a_run_is_shown_by_its_name_and_by_its_digest(path: Path, command: Command) -> None:
    by_name = json.loads(command("campaign", "show", path, "made:sjf:2", "--json").out)
    assert by_name["policy"]["scheduler"]["options"]["order"]["name"] == "sjf"
    assert by_name["log"]["sha256"]
    out = command("campaign", "show", path, by_name["digest"][:12]).out
    assert by_name["digest"] in out
    assert "mean_waiting_time" in out
    ended = command("campaign", "show", path, "made:sjf:0")
    assert (ended.code, "a perturbed copy is a number from 1 on, not '0'" in ended.err) == (2, True)
    ended = command("campaign", "show", path, "made:sfj")
    assert "the campaign has no policy 'sfj': did you mean 'sjf'?" in ended.err


def test_a_run_record_is_small(path: Path) -> None:
    records = list(path.with_name("small.runs").glob(f"runs/*/*/{RUN}"))
    assert len(records) == 12
    assert max(record.stat().st_size for record in records) < 4096


def test_a_plan_states_runs_and_their_cost(path: Path, command: Command, tmp_path: Path) -> None:
    new = path.with_name("new.toml")
    new.write_text(
        f"store = '{tmp_path}/new'\n{FILE}max_wait = [60, 90]\n".replace("[shakes]", "[x]")
    )
    ended = command("campaign", "plan", new)
    assert "there is no key 'x'" in ended.err
    new.write_text(FILE.replace('order = "sjf"', 'order = "sjf"\nmax_wait = [60, 90, 120]')
                   .replace("measures", f"store = '{tmp_path}/new'\nmeasures"))  # fmt: skip
    plan = json.loads(command("campaign", "plan", new, "--json", "-j", 1).out)
    # the pilot made one run of each table of policies
    assert plan["runs"] == {"there": 2, "least": 16, "most": 24}
    assert plan["cpu_seconds"]["most"] > plan["cpu_seconds"]["least"] > 0.0
    assert {one["policy"] for one in plan["costs"]} == {
        "easy", "sjf max_wait=60", "sjf max_wait=90", "sjf max_wait=120",
    }  # fmt: skip
    assert command("campaign", "plan", new, "--no-pilot").code == 0


def test_remove_deletes_a_policys_runs_unknown_runs_and_leftovers(
    path: Path, command: Command, tmp_path: Path
) -> None:
    kept, store = tmp_path / "small.toml", tmp_path / "small.runs"
    for name in ("log.swf", "small.toml"):
        shutil.copy(path.with_name(name), tmp_path)
    shutil.copytree(path.with_name("small.runs"), store)
    (store / "runs" / "ab").mkdir(exist_ok=True)
    (store / "runs" / "ab" / ".abc.elsewhere.1.00.part").mkdir()
    dead = store / "runs" / "ab" / f".abc.{_host()}.4194305.00.part"
    dead.mkdir()
    part = store / "parts" / dead.name
    part.touch()
    assert command("campaign", "gc", kept, "--policy", "sjf", "--dry-run").out == (
        "would be removed: 6 runs, 2 leftovers\n"
    )
    command("campaign", "gc", kept, "--policy", "sjf")
    assert not dead.exists()
    assert not part.exists()
    assert pa.read_campaign(kept).runs()["policy"].unique().tolist() == ["easy"]
    kept.write_text(FILE.replace("[policies.easy]", "[policies.fcfs]"))
    assert "removed: 6 runs" in command("campaign", "gc", kept, "--unknown").out


def test_an_invalid_row_file_name_is_reported_before_anything_is_read(
    path: Path, command: Command
) -> None:
    ended = command("campaign", "export", path, "-o", path.with_name("rows.xls"))
    assert "its name must end in .csv, .csv.gz or .parquet" in ended.err


def test_unknown_groups_are_reported(path: Path) -> None:
    with pytest.raises(PredAwareError, match="cannot group jobs by 'colour'"):
        pa.read_campaign(path).groups("colour")
    empty = path.with_name("empty.toml")
    empty.write_text(FILE)
    with pytest.raises(PredAwareError, match="no finished run has results by queue"):
        pa.read_campaign(empty).groups("queue")


def test_the_cache_of_figures_is_used_and_rebuilt_if_damaged(path: Path) -> None:
    campaign = pa.read_campaign(path)
    before = campaign.runs()
    store = campaign.inventory.store
    (store.folder / "index.cache").write_bytes(b"\x00nonsense\n123")
    pd.testing.assert_frame_equal(pa.read_campaign(path).runs(), before)


def _host() -> str:
    import socket

    return socket.gethostname().replace(".", "-")
