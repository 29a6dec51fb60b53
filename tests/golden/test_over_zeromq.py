"""`pred-aware batsim` in place of the real Batsim, for pybatsim's schedulers and ours."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.golden.recorded import Conversation, assert_same_output, read_rows, unpack, without
from tests.pred_aware.command import Command

Started = Callable[..., str]

AS_BATSCHEDS = json.dumps({"ties": "id", "backfilling": "filler"})


@pytest.mark.parametrize(
    ("name", "scheduler"),
    [
        ("kth400-easy_bf", ["easy_bf"]),
        ("kth400-conservative_bf", ["conservative_bf"]),
        pytest.param("kth400-filler", ["policy", "-o", AS_BATSCHEDS], marks=pytest.mark.slow),
        pytest.param("kth400-pybatsim-backfill-easy", ["backfill-easy"], marks=pytest.mark.slow),
    ],
)
def test_every_message_is_as_in_the_recorded_conversation(
    shared: Path,
    tmp_path: Path,
    pybatsim: Started,
    command: Command,
    name: str,
    scheduler: list[str],
) -> None:
    folder = shared / "golden" / "transcripts"
    workload = unpack(folder / "kth400.json.gz", tmp_path)
    spoken = tmp_path / "spoken.jsonl"
    ended = command(
        "batsim", "-q", "-p", folder / "platform.xml", "-w", workload, "-e", tmp_path / "out",
        "-s", pybatsim(*scheduler), "--delays", "batsim", "--transcript", spoken,
    )  # fmt: skip
    assert ended == (0, "", "")
    ours, theirs = Conversation.read(spoken), Conversation.read(folder / name / "transcript.jsonl")
    assert ours.requests == theirs.requests
    # batsched's filler says in a mapping where each executor goes, which changes nothing
    assert ours.replies == without(theirs.replies, "mapping")
    assert_same_output(folder / name, tmp_path / "out")


@pytest.mark.parametrize(
    "trace",
    [
        pytest.param("kth", marks=pytest.mark.large),
        pytest.param("m100-512", marks=pytest.mark.slow),
    ],
)
def test_pybatsims_own_easy_gives_its_recorded_starts_and_processors(
    shared: Path, tmp_path: Path, pybatsim: Started, command: Command, trace: str
) -> None:
    folder = shared / "golden" / trace
    ended = command(
        "batsim", "-q", "-p", folder / "platform.xml", "-w", folder / "workload.json.gz",
        "-e", tmp_path / "out", "-s", pybatsim("backfill-easy"), "--delays", "batsim",
    )  # fmt: skip
    assert ended == (0, "", "")
    ours = read_rows(tmp_path / "out_jobs.csv")
    assert ours == read_rows(folder / "pybatsim_backfill-easy" / "out_jobs.csv")


@pytest.mark.parametrize(
    "scheduler", ["filler", pytest.param("pred_aware", marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("delays", ["none", pytest.param("batsim", marks=pytest.mark.slow)])
def test_pybatsims_own_filler_and_our_pred_aware_run_to_the_end(
    shared: Path, tmp_path: Path, pybatsim: Started, command: Command, scheduler: str, delays: str
) -> None:
    folder = shared / "golden" / "transcripts"
    ended = command(
        "batsim", "-q", "-p", folder / "platform.xml", "-w", folder / "kth60.json.gz",
        "-e", tmp_path / "out", "-s", pybatsim(scheduler), "--delays", delays,
    )  # fmt: skip
    assert ended == (0, "", "")
    rows = read_rows(tmp_path / "out_jobs.csv")
    assert len(rows) == 60
    assert all(float(row["starting_time"]) >= float(row["submission_time"]) for row in rows)
