import copy
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.suites import each_case
from workload_tools.errors import LogError
from workload_tools.slurm import SlurmLog, json_log

OLD: dict[str, Any] = {
    "job_id": 7,
    "name": "a\nb",
    "user": "ann",
    "account": "physics",
    "cluster": "refs",
    "allocation_nodes": 2,
    "nodes": "n[1-2]",
    "array": {"job_id": 5, "task_id": 2},
    "required": {"CPUs": 4, "memory": 500},
    "state": {"current": "TIMEOUT", "reason": "None"},
    "time": {"submission": 1000, "eligible": 1000, "start": 1060, "end": 1360, "elapsed": 300,
             "suspended": 0, "limit": 5},
    "tres": {"allocated": [{"type": "cpu", "name": None, "count": 8},
                           {"type": "gres", "name": "gpu:a100", "count": 2},
                           {"type": "gres", "name": "gpu", "count": 2}],
             "requested": [{"type": "mem", "name": None, "count": 2048},
                           {"type": "node", "name": None, "count": 2}]},
}  # fmt: skip
# as from dbv0.0.39 on: numbers that may be missing are objects, the state is a list
NEW: dict[str, Any] = OLD | {
    "array": {"job_id": 5, "task_id": {"set": True, "infinite": False, "number": 2}},
    "state": {"current": ["TIMEOUT"], "reason": "None"},
    "time": OLD["time"] | {"limit": {"set": True, "infinite": False, "number": 5}},
    "required": {"CPUs": 4, "memory_per_cpu": {"set": True, "infinite": False, "number": 500}},
}


def written(tmp_path: Path, text: str) -> SlurmLog:
    path = tmp_path / "jobs.json"
    path.write_text(text)
    return SlurmLog(path)


@each_case("job", [OLD, NEW])
@each_case("indent", [None, 2])
def test_old_and_new_layouts_give_the_same(
    tmp_path: Path, job: dict[str, Any], indent: int | None
) -> None:
    text = json.dumps({"jobs": [job], "meta": {"plugin": {}}, "errors": []}, indent=indent)
    (read,) = written(tmp_path, text).jobs()
    assert (read.id, read.name, read.array, read.state) == ("7", "a\nb", "5", "TIMEOUT")
    assert (read.submit_time, read.wait_time, read.run_time) == (1000.0, 60.0, 300.0)
    assert (read.walltime, read.processors, read.nodes, read.gpus) == (300.0, 8, 2, 2)
    assert (read.requested_processors, read.memory) == (4, 2.0)


def test_requested_memory_is_at_most_the_allocated_memory(tmp_path: Path) -> None:
    tres = OLD["tres"] | {"allocated": [{"type": "mem", "name": None, "count": 1024}]}
    (read,) = written(tmp_path, json.dumps({"jobs": [OLD | {"tres": tres}]})).jobs()
    assert read.memory == 1.0


def test_requests_are_kept(tmp_path: Path) -> None:
    asked: dict[str, Any] = {
        "constraints": "fast",
        "reservation": {"id": 3, "name": "week"},
        "licenses": "matlab:2",
        "required": {"CPUs": 4, "memory_per_node": {"set": True, "infinite": False, "number": 512}},
        "het": {"job_id": 7, "job_offset": 0},
        "restart_cnt": 1,
        "array": OLD["array"] | {"limits": {"max": {"running": {"tasks": 6}}}},
        "submit_line": "sbatch --exclusive job.sh",
    }
    log = written(tmp_path, json.dumps({"meta": {}, "jobs": [OLD | asked]}))
    (job,) = log.jobs()
    assert (job.features, job.reservation, job.licences) == ("fast", "week", "matlab:2")
    assert (job.memory_per_node, job.exclusive, job.array_limit) == (0.5, True, 6)
    assert job.gpu_type is None  # it got a type without requesting one
    assert set(log.report.left_out.jobs) == {
        "heterogeneous jobs: each component is a job of its own",
        "requeued before its last run",
    }


@each_case("limit", [None, {"set": False, "infinite": True, "number": 0}, 0])
def test_a_job_without_a_limit_has_no_walltime(tmp_path: Path, limit: object) -> None:
    job = OLD | {"time": OLD["time"] | {"limit": limit}}
    (read,) = written(tmp_path, json.dumps({"meta": {}, "jobs": [job]})).jobs()
    assert read.walltime is None


def test_a_long_file_is_read_a_block_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_log, "_BLOCK", 7)
    jobs = [OLD | {"job_id": number, "name": 'кот 🐈 {[\\"'} for number in range(1, 20)]
    text = json.dumps({"meta": {"a": [1, {"b": "]"}]}, "jobs": jobs}, ensure_ascii=False)
    path = tmp_path / "jobs.json.gz"
    path.write_bytes(gzip.compress(text.encode()))
    log = SlurmLog(path)
    assert [(job.id, job.name) for job in log.jobs()] == [
        (str(number), 'кот 🐈 {[\\"') for number in range(1, 20)
    ]


def test_all_documents_of_a_file_are_read(tmp_path: Path) -> None:
    jobs = [OLD | {"association": {}, "job_id": number} for number in (7, 8, 9)]
    first, second = ({"meta": {}, "jobs": part, "errors": []} for part in (jobs[:1], jobs[1:]))
    texts = {
        "documents": json.dumps(first, indent=1) + "\n" + json.dumps(second),
        "documents without a line end": json.dumps(first) + json.dumps(second),
        "a list of documents": json.dumps([first, second]),
        "a list of jobs": json.dumps(jobs),
        "lines of jobs": "\n".join(map(json.dumps, jobs)),
        "lines of documents": "\n".join(map(json.dumps, (first, second))) + "\n",
    }
    for form, text in texts.items():
        assert SlurmLog.recognises(tmp_path, text.encode()), form
        assert [job.id for job in written(tmp_path, text).jobs()] == ["7", "8", "9"], form
    path = tmp_path / "jobs.json.gz"
    path.write_bytes(b"".join(gzip.compress(json.dumps(one).encode()) for one in (first, second)))
    assert [job.id for job in SlurmLog(path).jobs()] == ["7", "8", "9"]


@each_case(
    ("text", "message"),
    [
        ('{"jobs": [{}]}\n\n{"jobs": 5}', ":3: 'jobs' is not a list"),
        ('{"jobs": [{}]} error', "'{' expected, not 'e'"),
        ('{"meta": {}, "jobs": [', ":1: is not JSON: expecting value"),
        ('{"meta": {},\n"jobs": [{"job_id": 7]}', ":2: is not JSON: expecting ',' delimiter"),
        ('{"meta": {}}', ":1: has no list of jobs"),
        ('{"meta": {}, "jobs": {}}', ":1: 'jobs' is not a list"),
        ('{"meta": {}, "jobs": []}', "has no records"),
        ("{", ":1: is cut short|is not JSON"),
        ('{"jobs": ' + "[" * 100_000, "nested too deeply"),
    ],
)
def test_a_file_that_is_not_slurms_json_is_an_error(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(LogError, match=message):
        list(written(tmp_path, text).jobs())


def test_a_field_of_a_wrong_type_drops_the_job_only_if_needed(tmp_path: Path) -> None:
    optional = {
        "user": 5,
        "time.limit": "x",
        "time.eligible": [],
        "time.elapsed": -1,
        "allocation_nodes": "2",
        "tres.requested": [5],
        "array": 3,
    }
    jobs = [copy.deepcopy(OLD) | {"job_id": number} for number in range(100, 107)]
    for job, (path, value) in zip(jobs, optional.items(), strict=True):
        name, _, inner = path.partition(".")
        if inner:
            job[name][inner] = value
        else:
            job[name] = value
    needed = [OLD | {"job_id": 9, "time": []}, OLD | {"job_id": 10, "state": {"current": "?"}}, 5]
    log = written(tmp_path, json.dumps({"meta": {}, "jobs": [*jobs, *needed]}))
    assert [job.id for job in log.jobs()] == [str(job["job_id"]) for job in jobs]
    found = log.report.dropped
    assert found == {"unreadable State": 1, "unreadable time": 1, "unreadable job_id": 1}
    for path in optional:
        assert log.report.repaired[f"{path} not understood: left out"] == 1, path


def test_a_byte_order_mark_is_ignored(tmp_path: Path) -> None:
    log = written(tmp_path, "\ufeff" + json.dumps({"jobs": [OLD]}))
    assert [job.id for job in log.jobs()] == ["7"]


def test_the_users_limit_is_read_beside_that_of_a_bridge(tmp_path: Path) -> None:
    bridged = NEW | {"comment": {"administrator": "uw=60 pred=5", "job": "", "system": None}}
    (job,) = written(tmp_path, json.dumps({"jobs": [bridged]})).jobs()
    assert (job.walltime, job.soft_walltime) == (3600.0, 300.0)
