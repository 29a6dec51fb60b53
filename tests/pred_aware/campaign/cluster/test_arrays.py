"""Campaigns by job arrays: the same store, whatever becomes of the elements."""

import json
import os
from pathlib import Path

import msgspec
import pytest

from pred_aware.campaign.campaign import read_campaign
from pred_aware.campaign.cluster import arrays, element
from pred_aware.campaign.cluster.arrays import Array
from pred_aware.campaign.cluster.orders import NAME as ORDER
from pred_aware.campaign.cluster.orders import read_order
from tests.pred_aware.campaign.conftest import WriteCampaign
from tests.pred_aware.campaign.stores import determined
from tests.pred_aware.command import Command


def test_an_array_that_lost_an_element_is_submitted_again_and_leaves_the_store_of_processes(
    campaign: WriteCampaign, command: Command, pbs: Path, tmp_path: Path
) -> None:
    here = campaign(top="store = 'here'")
    read_campaign(here).run(workers=1)
    (pbs / "lost").write_text("1\n")
    there = campaign(top="store = 'there'")
    on = ("--on", "pbs-array", "-j", 2, "--walltime", "90 s", "--memory", "3 GB", "--account", "a1")
    first = json.loads(command("campaign", "run", "--json", *on, there).out)
    assert [(one["elements"], one["runs"]) for one in first["submitted"]] == [(2, 8)]
    second = json.loads(command("campaign", "run", "--json", *on, there).out)
    assert (second["there"], second["to_do"], second["submitted"][0]["runs"]) == (4, 4, 4)
    third = command("campaign", "run", *on, there)
    assert third.out.startswith("all 8 runs are done; see `pred-aware campaign table ")
    assert not any((tmp_path / "there" / "jobs").iterdir())
    (tmp_path / "there" / "jobs").rmdir()
    assert determined(tmp_path / "there") == determined(tmp_path / "here")
    script = (pbs / "scripts").read_text()
    for line in ("-J 0-1", "-l walltime=00:01:30", "-l select=1:ncpus=1:mem=2862mb", "-A a1"):
        assert f"#PBS {line}\n" in script


def test_what_an_array_has_that_still_runs_is_not_submitted_again(
    campaign: WriteCampaign, command: Command, pbs: Path
) -> None:
    (pbs / "lost").write_text("0\n1\n")
    (pbs / "unfinished").write_text("1[].standin\n")
    path = campaign()
    run = ("campaign", "run", "--on", "pbs-array", "-j", 2, path)
    assert "job 1[].standin submitted: 2 elements, 8 runs; its folder is " in command(*run).out
    again = command(*run)
    assert again.out.startswith("job 1[].standin goes on: 2 elements, 8 runs")
    assert "0 of 8 runs are done" in again.out


@pytest.mark.usefixtures("pbs")
def test_jobs_that_make_nothing_end_the_waiting_with_what_they_said(
    campaign: WriteCampaign, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrays, "SOON", 0.01)
    run = ("campaign", "run", "-q", "--wait", "--on", "pbs-array", "--python", "/no/python")
    command(*run, campaign()).assert_refused(
        "has ended and made nothing; its logs in ", "/no/python: not found"
    )


@pytest.mark.usefixtures("pbs")
def test_what_jobs_have_said_is_collected_after_a_day(
    campaign: WriteCampaign, command: Command, tmp_path: Path
) -> None:
    path = campaign()
    for _ in range(2):
        command("campaign", "run", "-q", "--on", "pbs-array", "--python", "/no/python", path)
    folders = list((tmp_path / "small.runs" / "jobs").iterdir())
    said, submitted = sorted(folders, key=lambda one: (one / "array.json").exists())
    for folder in folders:
        os.utime(folder, (0, 0))
    assert command("campaign", "gc", path).out == "removed: 0 runs, 1 leftover\n"
    assert not said.exists()
    assert submitted.exists()


def submitted(path: Path, pbs: Path) -> Array:
    """Submit a campaign to a batch system that loses all elements."""
    (pbs / "lost").write_text("0\n")
    (array,) = read_campaign(path).submit(on="pbs-array", workers=1).submitted
    return array


def test_an_element_of_another_version_makes_nothing_and_says_so_in_one_line(
    campaign: WriteCampaign, pbs: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    array = submitted(campaign(), pbs)
    order = Path(array.folder) / ORDER
    told = msgspec.msgpack.decode(order.read_bytes())
    order.write_bytes(msgspec.msgpack.encode({**told, "pred_aware": "0.0.9", "order": "other"}))
    monkeypatch.setattr("sys.argv", ["element", array.folder, "0"])
    assert element.main() == 2
    said = capsys.readouterr().err
    assert "and the campaign was begun with 0.0.9 under " in said
    assert said.count("\n") == 1


def test_a_store_that_another_machine_does_not_see_is_told(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"order.msgpack: can't be read on .+ must stand on a fol"):
        read_order(tmp_path)


def test_an_element_whose_log_has_changed_makes_nothing(campaign: WriteCampaign, pbs: Path) -> None:
    array = submitted(campaign(), pbs)
    campaign(jobs=61)
    with pytest.raises(ValueError, match=r"made, easy, as it is: on .+ the log, the policy or"):
        element.make_share(Path(array.folder), 0)


def test_where_there_is_no_batch_system_one_line_says_so(
    campaign: WriteCampaign, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    command("campaign", "run", "--on", "slurm-array", campaign()).assert_refused(
        "squeue is not here: run this where jobs are submitted"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--on", "slurm-aray"), "runs can't be made on 'slurm-aray': did you mean 'slurm-array'"),
        (("--memory", "3 GB"), "memory, cores and such are of the jobs of a batch system"),
        (("--on", "pbs-array", "--walltime", "2"), "walltime is a number and a unit (s min h d)"),
        (("--on", "pbs-array", "--account", "a\nb"), "options of jobs are of one line each"),
    ],
)
def test_what_can_not_be_is_told_before_anything_is_written(
    campaign: WriteCampaign, command: Command, options: tuple[str, ...], message: str
) -> None:
    path = campaign()
    command("campaign", "run", *options, path).assert_refused(message)
    assert not path.with_suffix(".runs").exists()
