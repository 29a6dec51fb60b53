"""The command `predict`."""

import csv
import html
import json
import os
import random
from functools import partial
from pathlib import Path

import pytest

from pred_aware.report.durations import timespan
from predictors import PREDICTORS
from tests.pred_aware.command import Command
from tests.pred_aware.simulator.world import simulated
from workload_tools import Job, Workload, write_platform, write_workload

# job, submit, wait, run, processors, walltime, user, queue: the first user's third job knows two
LINES = [
    (1, 0, 0, 100, 4, 600, 1, 1),
    (2, 50, 10, 300, 4, 600, 1, 1),
    (3, 400, 0, 900, 8, 600, 1, 2),
    (4, 500, -1, 60, 1, -1, 2, 2),
    (5, 600, 0, 0, 1, 60, 2, 2),
]

KEEP = ("--missing-walltime", "keep")


def write_swf(path: Path, lines: list[tuple[int, ...]], *, users: bool = True) -> None:
    text = ["; UnixStartTime: 1041375600", "; TimeZoneString: Europe/Paris", "; MaxProcs: 16"]
    for job, submit, wait, run, size, walltime, user, queue in lines:
        who = user if users else -1
        text.append(
            f"{job} {submit} {wait} {run} {size} -1 -1 {size} {walltime} -1 1 {who} -1 -1 {queue} "
            "-1 -1 -1"
        )
    path.write_text("\n".join(text) + "\n")


@pytest.fixture
def predict(here: Path, command: Command) -> Command:
    """Run the command in a folder with the log of five lines."""
    write_swf(here / "log.swf", LINES)
    return partial(command, "predict")


def test_json_is_a_list_with_an_object_for_each_predictor(predict: Command) -> None:
    ended = predict(
        "log.swf", "--predictor", "last_two", "--predictor", "w=walltime", "--json", *KEEP
    )
    last_two, walltime = json.loads(ended.out)
    assert (ended.code, ended.err) == (0, "")
    assert [last_two["predictor"], walltime["predictor"]] == ["last_two", "w"]
    # estimates 600, 600, 200, 86400 of run times 100, 300, 900, 60
    assert (last_two["jobs"], last_two["mae"]) == (4, (500 + 300 + 700 + 86340) / 4)
    assert (last_two["over"], last_two["under"], last_two["exact"]) == (0.75, 0.25, 0.0)
    assert (walltime["mae"], walltime["without_walltime"]) == ((500 + 300 + 300 + 86340) / 4, 1)
    assert last_two["microseconds"]["learn_median"] > 0
    assert last_two["looks_into_the_future"] is False


def test_the_csv_has_every_prediction(predict: Command) -> None:
    assert predict("log.swf", "--predictor", "last_two", "--csv", "all.csv", "-q", *KEEP).out == ""
    with Path("all.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["estimate"] for row in rows] == ["600.0", "600.0", "200.0", "86400.0"]
    assert [row["walltime"] for row in rows] == ["600.0", "600.0", "600.0", ""]
    assert rows[3] == {
        "predictor": "last_two", "job_id": "4", "submit_time": "500.0", "processors": "1",
        "user": "2", "queue": "2", "walltime": "", "run_time": "60.0", "estimate": "86400.0",
        "estimate_at_start": "86400.0",
    }  # fmt: skip


def test_tables_and_what_is_left_out_are_shown(predict: Command) -> None:
    ended = predict("log.swf", "--predictor", "last_two", *KEEP)
    for text in ("6 h 6 min", "effectiveness, general", "1 run time of 0 s", "no walltime"):
        assert text in ended.out


def test_jobs_without_a_walltime_are_left_out_or_get_one_with_a_message(predict: Command) -> None:
    ended = predict("log.swf", "--predictor", "last_two")
    left_out = "Dropped jobs of the log: 1 no walltime; 1 run time of 0 s."
    assert (ended.code, left_out in ended.out) == (0, True)
    (found,) = json.loads(predict("log.swf", "--predictor", "last_two", "--json").out)
    assert (found["jobs"], found["mae"]) == (3, (500 + 300 + 700) / 3)
    given = ("--predictor", "last_two", "--missing-walltime", "3600")
    got = "1 job without a walltime got the value of --missing-walltime."
    assert got in predict("log.swf", *given).out
    (found,) = json.loads(predict("log.swf", *given, "--json").out)
    assert (found["jobs"], found["mae"]) == (4, (500 + 300 + 700 + 3540) / 4)


def test_a_log_without_walltimes_gives_a_one_line_error_with_the_option(predict: Command) -> None:
    write_swf(Path("none.swf"), [(*line[:5], -1, *line[6:]) for line in LINES])
    predict("none.swf", "--predictor", "last_two").assert_refused(
        "none.swf: 4 of its 4 jobs have no walltime. Give them one with --missing"
    )
    assert predict("none.swf", "--predictor", "last_two", *KEEP).code == 0


def test_predict_cleans_the_log_on_request(predict: Command) -> None:
    arguments = ("--predictor", "last_two", "--clean", "queue=2")
    ended = predict("log.swf", *arguments)
    assert (ended.code, "1 cleaned: queue=2" in ended.out) == (0, True)
    (found,) = json.loads(predict("log.swf", *arguments, "--json").out)
    assert (found["jobs"], found["mae"]) == (2, (500 + 300) / 2)


def test_dates_are_in_the_given_time_zone(predict: Command) -> None:
    arguments = ("--predictor", "last_two", "--train-until", "2002-12-31T23:06:00", "--json")
    (found,) = json.loads(predict("log.swf", *arguments, "--time-zone", "UTC").out)
    # 00:06 in Paris, which the log names: two jobs have ended, and one is submitted later
    assert (found["learned_before"], found["jobs"]) == (2, 1)
    predict("log.swf", "--predictor", "last_two", "--time-zone", "Mars/Olympus").assert_refused(
        "unknown time zone 'Mars/Olympus'"
    )


def test_page_and_picture_are_written(predict: Command) -> None:
    files = ("--html", "page.html", "--picture", "all.svg")
    who = 'k={"name": "knn", "k": 1}'
    assert predict("log.swf", "--predictor", "last_two", "--predictor", who, *files).code == 0
    page = html.unescape(Path("page.html").read_text())
    assert "Run time prediction on log.swf" in page
    assert """--predictor last_two --predictor 'k={"name": "knn", "k": 1}' --html FILE""" in page
    assert b"<svg" in Path("all.svg").read_bytes()[:2000]


def test_errors_are_printed_as_durations_and_written_in_seconds(predict: Command) -> None:
    ended = predict("log.swf", "--predictor", "last_two", "--tables", "tables.json", *KEEP)
    (first, *_) = json.loads(Path("tables.json").read_text())
    errors = dict(zip(first["columns"], first["rows"][1], strict=True))
    assert first["columns"][:4] == ["row", "MAE", "median", "RMSE"]
    assert timespan(errors["MAE"]) in ended.out
    assert timespan(errors["RMSE"]) in ended.out


def test_predict_learns_only_until_the_given_date(predict: Command) -> None:
    arguments = ("--predictor", "last_two", "--train-until", "2003-01-01T00:06:00", "--json", *KEEP)
    (found,) = json.loads(predict("log.swf", *arguments).out)
    # learned: 100 and 300; predicted: 200 for 900, 86400 for 60
    assert (found["protocol"], found["learned_before"], found["jobs"]) == ("train-until", 2, 2)
    assert found["mae"] == (700 + 86340) / 2


def test_a_random_split_says_that_it_looks_into_the_future(predict: Command) -> None:
    arguments = ("--predictor", "last_two", "--split", "random")
    assert "use future information" in " ".join(predict("log.swf", *arguments).out.split())
    assert json.loads(predict("log.swf", *arguments, "--json").out)[0]["looks_into_the_future"]


def test_past_jobs_are_learned_first(predict: Command) -> None:
    write_swf(Path("past.swf"), [(1, 0, 0, 30, 1, 60, 2, 1), (2, 0, 0, 50, 1, 60, 2, 1)])
    ended = predict("log.swf", "--predictor", "last_two", "--history", "past.swf", "--json", *KEEP)
    assert json.loads(ended.out)[0]["mae"] == (500 + 300 + 700 + 20) / 4


def test_past_jobs_may_be_of_another_format(predict: Command) -> None:
    header = "JobIDRaw|User|State|Submit|Start|ElapsedRaw|TimelimitRaw|AllocCPUS\n"
    row = "{}|2|COMPLETED|2024-03-01T08:00:00|2024-03-01T08:00:10|{}|60|2\n"
    Path("past.txt").write_text(header + row.format(1, 30) + row.format(2, 50))
    for history in ("past.txt", '{"file": "past.txt", "processors_from": "allocated"}'):
        ended = predict("log.swf", "--predictor", "last_two", "--history", history, "--json", *KEEP)
        assert json.loads(ended.out)[0]["mae"] == (500 + 300 + 700 + 20) / 4


@pytest.mark.parametrize(
    ("history", "words"),
    [
        ("nowhere.txt", "nowhere.txt: cannot be read: No such file"),
        ('{"fil": "x"}', "it must be the name of a file, or an object with `file`"),
        ('{"file": "log.swf", "strct": true}', "has no option 'strct': did you mean 'strict'"),
        ('{"file": "log.swf", "format": "slrum"}', "unknown format 'slrum' of past jobs"),
    ],
)
def test_an_invalid_history_gives_a_one_line_error(
    predict: Command, history: str, words: str
) -> None:
    ended = predict("log.swf", "--predictor", "last_two", "--history", history)
    assert (ended.code, words in ended.err.replace("\n", " ")) == (2, True)


def test_without_users_a_message_says_that_walltimes_are_the_estimates(predict: Command) -> None:
    write_swf(Path("nobody.swf"), LINES, users=False)
    ended = predict("nobody.swf", "--predictor", "last_two")
    assert (ended.code, "has no users" in ended.out) == (0, True)


def test_a_user_name_of_10000_characters_is_shortened_only_in_tables(predict: Command) -> None:
    jobs = [
        Job(id="1", submit_time=0.0, processors=1, run_time=9.0, walltime=60.0, user="[x]" * 3333)
    ]
    write_workload(Workload(jobs=jobs), "long.json")
    ended = predict("long.json", "--predictor", "last_two", "--csv", "long.csv")
    assert (ended.code, max(map(len, ended.out.splitlines())) < 200) == (0, True)
    assert "[x]" * 3333 in Path("long.csv").read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nowhere.swf", "--predictor", "last_two"], "nowhere.swf: cannot be read"),
        (["empty.swf", "--predictor", "last_two"], "empty.swf"),
        (["log.swf"], "give --predictor at least once"),
        (["log.swf", "--predictor", "last_tow"], "did you mean 'last_two'"),
        (["log.swf", "--predictor", '{"name": "last_two", "k": 3}'], "has no option 'k'"),
        (["log.swf", "--predictor", "last_two", "--csv", "log.swf"], "is also the log"),
        (["log.swf", "--predictor", "last_two", "--csv", "a", "--html", "a"], "is also --csv"),
        (["log.swf", "--predictor", "last_two", "--csv", "no/a"], "the folder no does not exist"),
        (["log.swf", "--predictor", "last_two", "--picture", "a.gif"], "end in .png, .svg or .pdf"),
        (["log.swf", "--predictor", "last_two", "--split", "random", "--train-until", "0.5"],
         "give only one"),
        (["log.swf", "--predictor", "last_two", "--split", "random", "--test-share", "2"],
         "between 0 and 1"),
        (["log.swf", "--predictor", "last_two", "--reader", "swg"], "did you mean 'swf'"),
        (["log.swf", "--predictor", "last_two", "--history", "empty.swf", "--csv", "empty.swf"],
         "is also --history"),
        (["log.swf", "--predictor", "last_two", "--reader", "@empty.swf", "--csv",
          "empty.swf"], "is also --reader"),
        ([".", "--predictor", "last_two", "--csv", "a"], "is inside the input folder of the log"),
        (["log.swf", "--predictor", "last_two", "--csv", ".."], "it is a folder"),
    ],
)  # fmt: skip
def test_impossible_requests_give_a_one_line_error(
    predict: Command, arguments: list[str], words: str
) -> None:
    Path("empty.swf").write_text("; MaxProcs: 4\n")
    predict(*arguments).assert_refused(words)
    assert sorted(path.name for path in Path().iterdir()) == ["empty.swf", "log.swf"]


def test_a_pipe_is_written_to_and_not_replaced(predict: Command) -> None:
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        ended = predict("log.swf", "--predictor", "last_two", "--quiet", "--csv", "pipe")
        written = os.read(reader, 65536)
    finally:
        os.close(reader)
    assert (ended.code, ended.err) == (0, "")
    assert written.startswith(b"predictor,job_id,")
    assert Path("pipe").is_fifo()


@pytest.fixture(scope="module")
def roomy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a workload without overruns, and a machine so large that no job waits."""
    folder = tmp_path_factory.mktemp("roomy")
    rng = random.Random(4)  # noqa: S311 - no secret
    jobs = []
    for number in range(150):
        # whole minutes, so that much happens in the same second
        walltime = rng.choice([120.0, 600.0, 3600.0])
        jobs.append(
            Job(
                id=str(number), submit_time=60.0 * rng.randrange(60) if number else 0.0,
                processors=2 ** rng.randrange(4),
                run_time=60.0 * rng.randrange(1, int(walltime) // 60), walltime=walltime,
                user=f"u{rng.randrange(3)}", group=f"g{rng.randrange(2)}",
                queue=rng.choice([None, "day"]), executable=rng.choice([None, "a.out"]),
                memory=rng.choice([None, 4.5]), nodes=rng.choice([None, 2]), wait_time=0.0,
            )
        )  # fmt: skip
    jobs.sort(key=lambda job: job.submit_time)
    write_workload(Workload(jobs=jobs, processors=2048), folder / "workload.json")
    write_platform(folder / "platform.xml", hosts=2048)
    return folder


@pytest.mark.parametrize("name", PREDICTORS.names())
def test_a_scheduler_on_a_large_machine_gets_the_same_estimates(
    predict: Command, roomy: Path, tmp_path: Path, name: str
) -> None:
    simulated(roomy, "easy", write_to=tmp_path / "out", options={"predictor": name})
    planned = {
        row["job_id"]: row["first_estimate"]
        for row in csv.DictReader((tmp_path / "out_estimates.csv").read_text().splitlines())
    }
    workload = str(roomy / "workload.json")
    assert predict(workload, "--predictor", name, "--csv", "p.csv", "-q").code == 0
    with Path("p.csv").open(newline="") as file:
        predicted = {row["job_id"]: f"{float(row['estimate']):f}" for row in csv.DictReader(file)}
    assert predicted == planned
