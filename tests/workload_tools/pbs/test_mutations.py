"""Damaged logs: no traceback, and every record counted."""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.workload_tools.mutations import counted, mutated, signs
from workload_tools.pbs import PbsLog
from workload_tools.pbs.record import attributes, read_record

GOOD = "\n".join(
    f"03/01/2024 11:00:00;E;{number}.srv;user=ann group=g jobname=j queue=q ctime=100 qtime=100 "
    f"etime=100 start=200 exec_host=c1/0-3+c2/0,2 Resource_List.nodes=1:ppn=4+c2:ppn=2:gpus=1 "
    f"Resource_List.mem=4gb Resource_List.walltime=01:00:00 end=300 Exit_status=0 "
    f"total_execution_slots=6 resources_used.mem=9kb resources_used.walltime=00:01:40"
    for number in range(20)
)
MUTATED_LINES = 1_500
SIGNS = signs(b"\x00\n\r;= :+/*,-\"'0123456789[]ESQRx\xff\xc3(")


def damaged(line: bytes, rng: random.Random) -> bytes:
    return mutated(line, rng, alphabet=SIGNS, edits=6, longest=30)


def test_mutated_lines_are_counted_without_an_error(tmp_path: Path) -> None:
    rng = random.Random(1)  # noqa: S311 - not for secrets
    lines = GOOD.encode().split(b"\n")
    mutants = [damaged(rng.choice(lines), rng) for _ in range(MUTATED_LINES)]
    path = tmp_path / "log"
    path.write_bytes(b"\n".join([lines[0], *mutants]))
    log = PbsLog(path)
    jobs = counted(log)
    assert log.report.read > 750
    assert all(job.processors >= 1 and job.run_time > 0 for job in jobs)
    assert log.machine.processors


@settings(deadline=None, max_examples=30)
@given(st.lists(st.binary(max_size=200), max_size=20))
def test_any_bytes_are_counted_or_give_a_one_line_error(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    path = tmp_path_factory.mktemp("any") / "log"
    path.write_bytes(b"\n".join([GOOD.split("\n", maxsplit=1)[0].encode(), *lines]))
    counted(PbsLog(path))


@settings(deadline=None, max_examples=30)
@given(st.text(max_size=300))
def test_any_text_is_a_record_or_ignored(text: str) -> None:
    record = read_record(text)
    assert record is None or text.strip().startswith(record.date)
    assert all(name for name in attributes(text))
