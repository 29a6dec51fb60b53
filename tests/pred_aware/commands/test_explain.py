"""The command `explain`, as an operator types it."""

import gzip
import json
from pathlib import Path

import pytest

import pred_aware as pa
from tests.pred_aware.command import Command

ODD = "{0}\x1b[2J"
JOBS = [
    {"id": 1, "subtime": 0, "res": 3, "walltime": 900, "profile": "long", "user_id": "ann"},
    {"id": 2, "subtime": 10, "res": 4, "walltime": 900, "profile": "short", "user_id": ODD},
    {"id": 3, "subtime": 20, "res": 1, "walltime": 60, "profile": "short", "user_id": "ann"},
]
PROFILES = {"long": {"type": "delay", "delay": 500}, "short": {"type": "delay", "delay": 20}}


SENTENCES = """\
The main reason (99 % of the wait): jobs that were already running at its submission held the \
processors.
During the whole wait, fewer than 4 processors were free.
99 % of the processors in use during this time were held by 1 job that already ran when this job \
was submitted: job 1 (3 processors for 8 min 10 s).
1 % of the processors in use during this time were held by 1 job that was submitted later than \
this job and started before it: job 3 (1 processor for 20 s).
Job 3, submitted later, started before this job: it was estimated to end before the planned \
start of the first job in the queue; it used 1 processor for 20 s.
When it was submitted, it was first in the queue, and got a planned start on day 0 00:15; it \
started 6 min 40 s earlier than planned.
It started as the first job in the queue when job 1 ended.
When it was submitted, 1 other job ran on 3 of 4 processors, and no other job waited.
""".splitlines()


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Write the files of a run, and its workload beside them."""
    workload = tmp_path / "jobs.json"
    workload.write_text(json.dumps({"nb_res": 4, "jobs": JOBS, "profiles": PROFILES}))
    pa.simulate(pa.read_workload(workload), "easy", write_to=tmp_path / "easy")
    return tmp_path / "easy"


def test_explain_says_in_words_why_a_job_waited(command: Command, run: Path) -> None:
    ended = command("explain", run, "--job", 2)

    assert (ended.code, ended.err) == (0, "")
    first, *others = ended.out.splitlines()
    assert first == (
        "Job 2 (user {0}\\x1b[2J, 4 of 4 processors, walltime 15 min) waited 8 min 10 s: "
        "submitted on day 0 00:00, started on day 0 00:08, and ran 20 s."
    )
    assert [other.removeprefix("  - ") for other in others] == SENTENCES


def test_json_has_the_values_and_sentences_with_separate_names(command: Command, run: Path) -> None:
    ended = command("explain", run, "--job", 2, "--job", 1, "--json")

    second, first = json.loads(ended.out)["explanations"]
    assert second["overtaken_by"][0]["rule"] == "ends_in_time"
    sentence = second["sentences"][0]
    assert sentence["words"].startswith("Job {0} (user {1}, 4 of 4 processors")
    assert [one["value"] for one in sentence["names"]] == ["2", ODD]
    assert first["reasons"] == []


def test_an_explanation_from_the_schedule_needs_only_the_jobs_file(
    command: Command, run: Path
) -> None:
    Path(f"{run}_run.json").unlink()

    refused = command("explain", run, "--job", 2)
    told = command("explain", run, "--job", 2, "--schedule-only")

    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "its _run.json is missing" in refused.err
    assert "--schedule-only" in refused.err
    assert "Job 3, submitted later, started before this job; it used 1 processor" in told.out
    assert "Not known: its planned starts" in told.out


def test_a_changed_workload_is_an_error(command: Command, run: Path, tmp_path: Path) -> None:
    other = tmp_path / "jobs.json"
    other.write_text(other.read_text().replace("900", "800"))

    command("explain", run, "--job", 2).assert_refused(
        "has changed since the simulation: give it with --workload FILE"
    )


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("{run}", "--job", "12"), "has no job '12'; the nearest names are 2, 1, 3"),
        (("{run}x", "--job", "1"), "easyx: No such file or directory"),
        (("{run}",), "Missing option '--job'"),
    ],
)
def test_bad_input_gives_a_one_line_error(
    command: Command, run: Path, arguments: tuple[str, ...], error: str
) -> None:
    command("explain", *(one.format(run=run) for one in arguments)).assert_refused(error)


def test_an_explanation_of_the_real_batsims_run_lists_what_is_unknown(
    command: Command, shared: Path, tmp_path: Path
) -> None:
    recorded = shared / "golden" / "m100-15680" / "easy_bf"
    jobs = next(recorded.glob("*_jobs.csv*"))
    content = jobs.read_bytes()
    plain = tmp_path / "out_jobs.csv"
    plain.write_bytes(gzip.decompress(content) if jobs.suffix == ".gz" else content)
    run = pa.read_run(plain)
    waited = run.ids_in_workload[run.ran["waiting_time"].to_numpy().argmax()]

    ended = command("explain", plain, "--job", waited, "--schedule-only")

    assert ended.code == 0
    assert f"Job {waited} (" in ended.out
    assert (
        "Not known: its planned starts, and the rules by which other jobs overtook it" in ended.out
    )
