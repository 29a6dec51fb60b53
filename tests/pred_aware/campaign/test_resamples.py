"""Resamples in a campaign: runs of their own, tables of their own."""

import json
from pathlib import Path

import pytest

import pred_aware as pa
from pred_aware.campaign.reading import read_specification
from pred_aware.campaign.specification import RunKey
from pred_aware.errors import PredAwareError
from pred_aware.log.workload import Resample, Shake
from pred_aware.statistics import other_years
from tests.pred_aware.command import Command

WEEK = 7 * 86400
FILE = """
resamples = 3
[logs.made]
file = "log.swf"
[policies.easy]
[policies.sjf]
scheduler = "easy"
order = "sjf"
[shakes]
at_least = 2
at_most = 2
"""


def write_log(path: Path) -> Path:
    """Write a log of twenty users who fill the machine, each in three of ten weeks."""
    lines = [
        f"{{}} {week * WEEK + user * 400 + job} -1 {900 * (1 + (user + job) % 5)} 3 -1 -1 3 "
        f"{4000 * (1 + job % 3)} -1 1 {user} -1 -1 -1 -1 -1 -1"
        for week in range(10)
        for user in range(20)
        for job in range(4)
        if (week + 7 * user) % 10 < 3 or (week in (0, 9) and user == 0)
    ]
    text = "\n".join(line.format(number) for number, line in enumerate(lines, 1))
    path.write_text(f"; MaxProcs: 8\n{text}\n")
    return path


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that was run."""
    folder = tmp_path_factory.mktemp("campaign")
    write_log(folder / "log.swf")
    path = folder / "years.toml"
    path.write_text(FILE)
    pa.read_campaign(path).run(workers=1)
    return path


def test_changes_are_those_of_resamples_simulated_by_hand(path: Path) -> None:
    workload = pa.read_log(path.parent / "log.swf").workload
    easy, sjf = (
        [
            pa.simulate(workload.resampled(seed), "easy", order=order).figures["mean_waiting_time"]
            for seed in (1, 2, 3)
        ]
        for order in ("fcfs", "sjf")
    )
    found = pa.read_campaign(path).resampled().iloc[0]
    expected = other_years(easy, sjf)
    assert (found["low"], found["high"], found["less"]) == (
        expected.low, expected.high, expected.less,
    )  # fmt: skip
    assert found["baseline"] == sorted(easy)[1]  # type: ignore[type-var]


def test_resamples_and_perturbed_copies_have_separate_columns(path: Path, command: Command) -> None:
    told = json.loads(command("campaign", "table", path, "--json").out)
    assert [one["shakes"] for one in told["compared"]] == [2]
    assert [one["resamples"] for one in told["resampled"]] == [3]
    titles = [table.title for table in pa.read_campaign(path).tables()]
    assert titles == [
        "mean waiting time against easy",
        "mean waiting time against easy, in resamples (another year)",
    ]
    assert "less in 2 of 3" in command("campaign", "table", path).out


def test_resamples_are_counted_planned_shown_and_exported(path: Path, command: Command) -> None:
    status = pa.read_campaign(path).status()
    assert status["resamples"].tolist() == [3, 3]
    plan = json.loads(command("campaign", "plan", path, "--no-pilot", "--json").out)
    assert plan["runs"] == {"there": 12, "least": 12, "most": 12}
    shown = json.loads(command("campaign", "show", path, "made:sjf:resample-2", "--json").out)
    assert (shown["seed"], shown["resample"]) == (None, 2)
    runs = pa.read_campaign(path).runs()
    assert runs["resample"].dropna().tolist() == [1, 2, 3] * 2
    assert runs["shake"].dropna().tolist() == [1, 2] * 2
    assert command("campaign", "gc", path, "--unknown").out == ("removed: 0 runs, 0 leftovers\n")


def test_existing_runs_stay_and_only_resamples_are_made(path: Path) -> None:
    more = path.with_name("more.toml")
    more.write_text("store = 'years.runs'\n" + FILE.replace("resamples = 3", "resamples = 4"))
    done = pa.read_campaign(more).run(workers=1)
    assert (done.there, done.made) == (12, 2)
    without = path.with_name("without.toml")
    without.write_text("store = 'years.runs'\n" + FILE.replace("resamples = 3", ""))
    campaign = pa.read_campaign(without)
    assert (campaign.run().made, campaign.resampled().empty) == (0, True)
    assert "resample" not in campaign.runs()


def test_a_log_may_set_its_number_of_resamples_and_one_is_too_few(path: Path) -> None:
    own = path.with_name("own.toml")
    own.write_text(FILE.replace("file =", "resamples = 0\nfile ="))
    assert [log.resamples for log in read_specification(own).logs] == [0]
    own.write_text(FILE.replace("resamples = 3", "resamples = 1"))
    with pytest.raises(
        PredAwareError, match="resamples is 1: a confidence interval needs at least 2"
    ):
        read_specification(own)


def test_a_run_key_names_its_copy_of_the_log() -> None:
    keys = [RunKey(0, 0, copy) for copy in (None, Shake(3, 600.0), Resample(3))]
    told = [(one.copy_name, one.shake, one.resample) for one in keys]
    assert told == [("unperturbed", None, None), ("shake 3", 3, None), ("resample 3", None, 3)]


def test_a_copy_with_a_seed_below_1_is_refused(path: Path, command: Command) -> None:
    for seed in (0, -3):
        for kind, copy in (("shake", Shake(seed, 600.0)), ("resample", Resample(seed))):
            with pytest.raises(PredAwareError, match=f"{kind} is {seed}; it must be 1 or more"):
                RunKey(0, 0, copy)
    for told in ("0", "-3", "resample-0", "resample--3"):
        ended = command("campaign", "show", path, f"made:easy:{told}")
        assert (ended.code, len(ended.err.splitlines())) == (2, 1), told
        words = "a perturbed copy is a number from 1 on", "must be 1 or more"
        assert any(one in ended.err for one in words), told


def test_a_copy_and_a_resample_with_the_same_seed_are_two_runs() -> None:
    assert len({RunKey(0, 0, Shake(3, 600.0)), RunKey(0, 0, Resample(3)), RunKey(0, 0)}) == 3
