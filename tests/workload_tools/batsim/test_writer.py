import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import fields, replace

from tests.suites import each_case
from tests.workload_tools.jobs import beginning
from workload_tools.batsim.of_log import raw_workload
from workload_tools.batsim.reader import load_raw, parse_raw
from workload_tools.batsim.writer import read_workload, write_workload
from workload_tools.errors import WorkloadError
from workload_tools.job import Job, Workload
from workload_tools.swf.log import read_swf

# writes a workload of these jobs and returns the file's JSON
Write = Callable[..., dict[str, Any]]

JOB = Job(id="1", submit_time=0.0, processors=4, run_time=12.0)

seconds = st.floats(min_value=0.0, max_value=1e12) | st.integers(0, 10**9).map(float)
texts = st.text(max_size=8) | st.integers(-5, 10**20).map(str)
VALUES = {
    "submit_time": seconds,
    "processors": st.integers(1, 10**6),
    "run_time": seconds,
    "walltime": st.none() | seconds.filter(bool),
    **dict.fromkeys(
        [
            "user",
            "group",
            "project",
            "queue",
            "partition",
            "executable",
            "name",
            "qos",
            "preceding_job",
            "state",
            "array",
            *("features", "gpu_type", "reservation", "licences"),
        ],
        st.none() | texts,
    ),
    **dict.fromkeys(
        [
            *("nodes", "gpus", "requested_processors", "allocated_processors", "status", "tasks"),
            *("tasks_per_node", "gpus_per_node", "array_limit"),
        ],
        st.none() | st.integers(0, 10**6),
    ),
    **dict.fromkeys(
        [
            *("memory", "used_memory", "wait_time", "think_time", "soft_walltime"),
            *("memory_per_node", "eligible_time"),
        ],
        st.none() | seconds,
    ),
    "exclusive": st.booleans(),
    "warm_up": st.booleans(),
    "inferred": st.lists(st.sampled_from(["nodes", "tasks"]), unique=True).map(tuple),
}  # fmt: skip


ids = st.text(max_size=5).filter(lambda text: not text.startswith("w0!"))


@st.composite
def workloads(draw: st.DrawFn) -> Workload:
    jobs = [
        Job(id=job_id, **draw(st.fixed_dictionaries(VALUES)))
        for job_id in draw(st.lists(ids, unique=True, max_size=5))
    ]
    return Workload(
        jobs=sorted(jobs, key=lambda job: job.submit_time),
        processors=draw(st.integers(1, 10**7)),
        nodes=draw(st.none() | st.integers(1, 1000)),
        start_time=draw(st.none() | seconds),
        time_zone=draw(st.none() | st.text()),
    )


def test_the_test_strategy_draws_every_field_of_a_job() -> None:
    assert {"id", *VALUES} == {field.name for field in fields(Job)}


@given(workload=workloads(), suffix=st.sampled_from(["", ".gz"]))
@settings(max_examples=25)
def test_reading_back_gives_the_same_workload(
    tmp_path_factory: pytest.TempPathFactory, workload: Workload, suffix: str
) -> None:
    path = tmp_path_factory.mktemp("workload") / f"w.json{suffix}"
    write_workload(workload, path)
    assert read_workload(path) == workload


@given(workload=workloads())
@settings(max_examples=25)
def test_a_workload_in_memory_equals_its_json(workload: Workload) -> None:
    made = raw_workload(workload, "w.json")
    read = parse_raw(made.content, "w.json")
    assert made == read
    assert repr(made.jobs) == repr(read.jobs)
    assert made.details.rows() == read.details.rows()
    assert repr(made.details.rows()) == repr(read.details.rows())
    assert made.details.warm_up == read.details.warm_up
    assert made.details.dates == read.details.dates
    beside = ("nb_res_guessed", "start_time", "time_zone")
    assert [*map(made.details.workload_field, beside)] == [
        *map(read.details.workload_field, beside)
    ]
    some = ("queue", "wait_time", "memory", "no_field")
    columns = read.details.columns()
    for details in (made.details, read.details):
        assert details.columns(*some) == {name: columns[name] for name in some if name in columns}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write_and_load(*jobs: Job, **machine: Any) -> dict[str, Any]:  # noqa: ANN401 - fields
        path = tmp_path / "w.json"
        write_workload(Workload(jobs=list(jobs), **machine), path)
        return json.loads(path.read_text())

    return write_and_load


def test_fields_are_named_as_in_batsim_and_paper_001(write: Write) -> None:
    job = Job(
        id="7", submit_time=1.5, processors=4, run_time=12.0, walltime=60.0, user="ann", qos="2",
        nodes=1, gpus=2, memory=8.0, requested_processors=4, queue="long",
    )  # fmt: skip
    assert write(job)["jobs"] == [
        {
            "id": "7", "subtime": 1.5, "res": 4, "profile": "D_4_12", "walltime": 60,
            "user_id": "ann", "qos": 2, "node": 1, "gpu": 2, "cpu": 4, "mem": 8, "time_limit": 60,
            "queue": "long",
        }
    ]  # fmt: skip


def test_each_pair_of_size_and_run_time_has_one_profile(write: Write) -> None:
    jobs = [Job(id=str(i), submit_time=0.0, processors=1 + i % 2, run_time=0.5) for i in range(6)]
    assert write(*jobs)["profiles"] == {
        "D_1_0.5": {"type": "delay", "delay": 0.5},
        "D_2_0.5": {"type": "delay", "delay": 0.5},
    }


def test_machine_and_start_of_the_log_stay_in_the_file(write: Write) -> None:
    content = write(JOB, processors=100, nodes=25, start_time=1e9, time_zone="Europe/Paris")
    assert (content["nb_res"], content["nb_nodes"]) == (100, 25)
    assert (content["start_time"], content["time_zone"]) == (1_000_000_000, "Europe/Paris")


def test_a_machine_of_unknown_size_is_as_large_as_the_largest_job(write: Write) -> None:
    assert write(JOB)["nb_res"] == 4


def test_the_same_workload_gives_the_same_bytes(tmp_path: Path) -> None:
    paths = [tmp_path / "first.json.gz", tmp_path / "second.json.gz"]
    for path in paths:
        write_workload(Workload(jobs=[JOB]), path)
    first, second = (path.read_bytes() for path in paths)
    assert first == second
    assert gzip.decompress(first).startswith(b"{")


@each_case(
    ("job", "message"),
    [
        ({"id": "0"}, "its id is repeated"),
        ({"processors": 0}, "processors is 0;"),
        ({"submit_time": -1.0}, "submission time is -1.0 s"),
        ({"run_time": float("nan")}, "NaN"),
        ({"run_time": float("inf")}, "infinity"),
        ({"walltime": 0.0}, "walltime is 0.0 s"),
        ({"user": "\ud800"}, "surrogates"),
    ],
)
def test_a_job_that_cannot_be_simulated_leaves_no_file(
    tmp_path: Path, job: dict[str, object], message: str
) -> None:
    jobs = [replace(JOB, id="0"), replace(JOB, **job)]
    with pytest.raises(WorkloadError, match=message):
        write_workload(Workload(jobs=jobs), tmp_path / "w.json")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(WorkloadError, match=message):
        _ = raw_workload(Workload(jobs=jobs), "w.json").content


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(WorkloadError, match=r"w\.json: cannot be written: No such file"):
        write_workload(Workload(jobs=[JOB]), tmp_path / "nowhere" / "w.json")


def test_an_existing_file_stays_when_writing_fails(tmp_path: Path) -> None:
    path = tmp_path / "w.json"
    path.write_text("before")
    with pytest.raises(WorkloadError):
        write_workload(Workload(jobs=[JOB, JOB]), path)
    assert path.read_text() == "before"


def workload_file(tmp_path: Path, *jobs: dict[str, object], **profiles: dict[str, object]) -> Path:
    path = tmp_path / "w.json"
    profiles = profiles or {"p": {"type": "delay", "delay": 5}}
    path.write_text(json.dumps({"nb_res": 8, "jobs": jobs, "profiles": profiles}))
    return path


RAW = {"id": 1, "subtime": 3, "res": 2, "profile": "p"}


@each_case(
    ("given", "user"),
    [
        ({"user": "12"}, "12"),
        ({"user_id": 12}, "12"),
        ({"user_id": 12.0}, "12"),
        ({"user_id": "ann", "user": "x"}, "ann"),
        ({}, None),
    ],
)
def test_the_user_is_found_under_either_name(
    tmp_path: Path, given: dict[str, object], user: str | None
) -> None:
    assert read_workload(workload_file(tmp_path, RAW | given)).jobs[0].user == user


def test_a_walltime_of_minus_one_is_none(tmp_path: Path) -> None:
    path = workload_file(tmp_path, RAW | {"walltime": -1}, RAW | {"id": 2, "walltime": None})
    assert [job.walltime for job in read_workload(path).jobs] == [None, None]


@each_case(
    ("job", "said"),
    [
        ({"profile": "q"}, "job '1' has the unknown profile 'q'"),
        ({"res": -2}, "job '1' requests -2 processors"),
        ({"res": "two"}, "job '1': expected a whole number"),
        ({"mem": "8G"}, "job '1': expected a number in 'mem'"),
        ({"subtime": -1}, "job '1' is submitted at -1.0 s"),
        ({"walltime": 0}, "job '1' has a walltime of 0.0 s"),
    ],
)
def test_an_impossible_job_is_named(tmp_path: Path, job: dict[str, object], said: str) -> None:
    path = workload_file(tmp_path, RAW | job)
    with pytest.raises(WorkloadError) as error:
        read_workload(path)
    assert str(error.value).startswith(f"{path}: {said}")


def test_a_repeated_id_is_an_error_also_as_text(tmp_path: Path) -> None:
    with pytest.raises(WorkloadError, match="job '1' occurs twice"):
        read_workload(workload_file(tmp_path, RAW, RAW | {"id": "1"}))


def test_a_profile_that_is_not_a_delay_is_an_error(tmp_path: Path) -> None:
    path = workload_file(tmp_path, RAW, p={"type": "parallel", "cpu": [1], "com": [0]})
    with pytest.raises(WorkloadError, match="supports only delay profiles"):
        read_workload(path)


@each_case(
    ("content", "said"),
    [
        (b"", "is empty"),
        (b"{", "not JSON"),
        (b"[]", "not a Batsim workload"),
        (gzip.compress(b"{}" * 1000, mtime=0)[:-9], "damaged gzip"),
    ],
)
def test_a_file_that_is_not_a_workload_is_an_error(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "w.json"
    path.write_bytes(content)
    with pytest.raises(WorkloadError, match=said):
        read_workload(path)


def seen_by_batsim(workload: Workload) -> list[dict[str, object]]:
    names = ("id", "submit_time", "processors", "run_time", "walltime", "user")
    return [{name: getattr(job, name) for name in names} for job in workload.jobs]


@pytest.mark.slow
@each_case(
    ("trace", "log", "count"),
    [("kth", "KTH-SP2-1996-2.1-cln", 28467), ("curie20k", "CEA-Curie-2011-2.1-cln", 20000)],
)
def test_a_log_gives_the_jobs_of_the_real_runs(
    shared: Path, tmp_path: Path, trace: str, log: str, count: int
) -> None:
    path = tmp_path / "w.json.gz"
    workload, _ = read_swf(beginning(shared / "traces" / f"{log}.swf.gz", tmp_path, 50_000))
    write_workload(replace(workload, jobs=workload.jobs[:count]), path)
    expected = seen_by_batsim(read_workload(shared / "golden" / trace / "workload.json.gz"))
    assert len(expected) == count
    assert seen_by_batsim(read_workload(path)) == expected


def test_the_first_jobs_of_kth_equal_those_of_the_real_run(shared: Path, tmp_path: Path) -> None:
    log = beginning(shared / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz", tmp_path, 3000)
    write_workload(read_swf(log)[0], tmp_path / "w.json")
    found = seen_by_batsim(read_workload(tmp_path / "w.json"))
    expected = seen_by_batsim(read_workload(shared / "golden" / "kth" / "workload.json.gz"))
    assert len(found) > 2900
    assert found == expected[: len(found)]


def test_real_workloads_survive_reading_and_writing(shared: Path, tmp_path: Path) -> None:
    workload = read_workload(shared / "m100-24h" / "slurm_workload_24h_reconstructed.json.gz")
    write_workload(workload, tmp_path / "w.json")
    assert read_workload(tmp_path / "w.json") == workload
    assert len(load_raw(tmp_path / "w.json").jobs) == len(workload.jobs) == 4407


def test_an_id_that_batsim_confuses_with_another_is_refused(tmp_path: Path) -> None:
    jobs = [replace(JOB, id=name) for name in ("7", "w0!7")]
    with pytest.raises(WorkloadError, match="job 'w0!7' cannot be simulated: its id is repeated"):
        write_workload(Workload(jobs=jobs), tmp_path / "w.json")
