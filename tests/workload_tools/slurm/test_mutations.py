"""Damaged dumps: no traceback, no hang, and every record counted."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.suites import each_case
from tests.workload_tools.mutations import counted, mutated, signs
from workload_tools.batsim.writer import write_workload
from workload_tools.errors import LogError
from workload_tools.log import gather
from workload_tools.pbs import PbsLog
from workload_tools.slurm import SlurmLog

HEADER = (
    "JobIDRaw|JobID|JobName|Cluster|User|State|Submit|Eligible|Start|End|Elapsed|Timelimit|"
    "ReqCPUS|AllocCPUS|NNodes|ReqMem|ReqTRES|AllocTRES|NodeList|SubmitLine"
)
TRES = "billing=2,cpu=2,gres/gpu:a100=1,gres/gpu=1,mem=1000M,node=1"
MUTATED = 1_500
SIGNS = signs(b'\x00\n\r|~,.:-+_[]=% 0123456789\xff\xc3TUNKMG"')
ODD = (None, -1, 10**30, 1e308, "x", [], {}, True, {"set": True, "number": "a"}, "\ud800", 0)


def row(number: int, separator: str = "|") -> str:
    fields = (
        f"{number}|{number}_3|a b|refs|ann|COMPLETED|2026-11-21T02:33:41|2026-11-21T02:33:41|"
        f"2026-11-21T02:34:00|2026-11-21T03:34:00|01:00:00|1-00:00:00|2|2|1|1000M|{TRES}|{TRES}|"
        "n[01-02]|sbatch a.sh"
    )
    return fields.replace("|", separator)


def json_job(number: int) -> dict[str, Any]:
    tres = [{"type": "cpu", "count": 2}, {"type": "gres", "name": "gpu", "count": 1}]
    return {
        "job_id": number, "user": "ann", "name": "a b", "cluster": "refs", "allocation_nodes": 1,
        "array": {"job_id": 3}, "required": {"CPUs": 2}, "state": {"current": "FAILED"},
        "time": {"submission": 1000, "start": 1010, "end": 1020, "elapsed": 10, "limit": 5},
        "tres": {"allocated": tres, "requested": tres},
    }  # fmt: skip


def damaged(line: bytes, rng: random.Random) -> bytes:
    return mutated(line, rng, alphabet=SIGNS, edits=4, longest=12)


def mutated_value(value: Any, rng: random.Random) -> Any:  # noqa: ANN401 - as JSON has it
    if not isinstance(value, dict | list) or not value or rng.random() < 0.1:
        return rng.choice(ODD)
    if isinstance(value, list):
        return [mutated_value(item, rng) for item in value]
    name = rng.choice(sorted(value))
    return value | {name: mutated_value(value[name], rng)}


def check(log: SlurmLog, output: Path) -> None:
    counted(log)
    write_workload(gather(SlurmLog(log.path, cluster=log.cluster)), output)


@each_case(("separator", "number"), [("|", MUTATED), (",", 500), ("~|~", 500)])
def test_mutated_lines_are_counted_without_an_error(
    tmp_path: Path, separator: str, number: int
) -> None:
    rng = random.Random(separator)  # noqa: S311 - not for secrets
    lines = [damaged(row(n, separator).encode(), rng) for n in range(number)]
    path = tmp_path / "log"
    path.write_bytes(b"\n".join([HEADER.replace("|", separator).encode(), *lines]))
    log = SlurmLog(path)
    check(log, tmp_path / "w.json")
    assert log.report.read > 0.8 * number
    assert log.report.kept > 0.1 * number


def test_mutated_json_jobs_are_counted_without_an_error(tmp_path: Path) -> None:
    rng = random.Random(1)  # noqa: S311 - not for secrets
    jobs = [json_job(number) for number in range(1, MUTATED + 1)]
    path = tmp_path / "log"
    path.write_text(json.dumps({"meta": {}, "jobs": [mutated_value(job, rng) for job in jobs]}))
    log = SlurmLog(path)
    check(log, tmp_path / "w.json")
    assert log.report.read == MUTATED
    assert log.report.kept > 0.1 * MUTATED


def test_damaged_json_is_counted_or_gives_a_one_line_error(tmp_path: Path) -> None:
    rng = random.Random(1)  # noqa: S311 - not for secrets
    good = json.dumps({"meta": {}, "jobs": [json_job(1), json_job(2)]}, indent=1).encode()
    path = tmp_path / "log"
    errors = 0
    for _ in range(120):
        path.write_bytes(damaged(good, rng))
        log = SlurmLog(path, cluster="refs")
        try:
            kept = len(list(log.jobs()))
        except LogError as error:
            errors += "\n" not in str(error)
        else:
            assert log.report.read == kept + log.report.dropped.total()
    assert 20 < errors < 120


@settings(deadline=None, max_examples=25)
@given(st.lists(st.binary(max_size=200), max_size=20))
def test_any_bytes_below_a_header_are_counted(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    path = tmp_path_factory.mktemp("any") / "log"
    path.write_bytes(b"\n".join([HEADER.encode(), row(1).encode(), *lines]))
    counted(SlurmLog(path))


@each_case("reader", [PbsLog, SlurmLog])
@settings(deadline=None, max_examples=25)
@given(content=st.binary(max_size=400))
def test_a_file_of_random_bytes_is_an_error(
    tmp_path_factory: pytest.TempPathFactory, reader: type[PbsLog | SlurmLog], content: bytes
) -> None:
    path = tmp_path_factory.mktemp("any") / "log"
    path.write_bytes(content)
    with pytest.raises(LogError):
        list(reader(path).jobs())
