"""Lines that were damaged at random: one error that says where, or a report that adds up."""

import random
from pathlib import Path

from tests.suites import each_case
from tests.workload_tools.mutations import mutated, signs
from workload_tools.errors import LogError
from workload_tools.job_store import JobStore, stored
from workload_tools.swf.log import SwfLog, read_swf
from workload_tools.swf.writer import write_swf

HEADER = b"; UnixStartTime: 1000\n; MaxProcs: 64\n"
LINES = [
    b"1 0 5 100 4 -1 -1 4 3600 -1 1 7 1 2 0 1 -1 -1",
    b"2 9 5 60 4 12.5 1024 8 3600 2048 5 7 1 2 0 1 1 30",
    b"17 1388534400 0 60 2 -1 65536 2 86400 4294967296 1 7 1 1 -1 1 1 1 {1,1} q_1d 2:ppn=1:x86_64",
]
SIGNS = [
    *signs(b"0123456789 -+.eE_;:,{}\t\r\n\x00\x1f\x85\xa0\xb2\xffnaif"),
    b"",
    b"-1",
    b"nan",
    b"1e999",
    b"-0",
    b"0x1",
    b"9" * 400,
    b"1_0",
    b"1.5",
    b"\xb2",
    b";",
]


def damaged(line: bytes, rng: random.Random) -> bytes:
    return mutated(line, rng, alphabet=SIGNS, edits=2, longest=8)


def outcome(path: Path) -> int | None:
    """Read a log and check what came of it; return the line of an error."""
    try:
        workload, report = read_swf(path)
    except LogError as error:
        return error.line
    assert report.read == report.kept + report.dropped.total()
    assert report.kept == len(workload.jobs) == len({job.id for job in workload.jobs})
    assert all(job.run_time > 0 and job.processors > 0 for job in workload.jobs)
    return None


@each_case("seed", range(2))
def test_damaged_lines_are_counted_or_give_an_error_with_the_line(
    tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)  # noqa: S311 - damage, not secrets
    outcomes = []
    for number in range(1200):
        path = tmp_path / f"{number}.swf"
        path.write_bytes(HEADER + damaged(rng.choice(LINES), rng) + b"\n" + LINES[0] + b"\n")
        outcomes.append(outcome(path))
        path.unlink()
    # the damaged line is the third; line feeds in it make more of them
    assert set(outcomes) <= {None, 3, 4, 5, 6, 7}
    assert min(outcomes.count(None), outcomes.count(3)) > 150


def test_jobs_of_damaged_logs_can_be_written_and_read_again(tmp_path: Path) -> None:
    rng = random.Random(5)  # noqa: S311 - as above
    path, back = tmp_path / "log.swf", tmp_path / "back.swf"
    for _ in range(100):
        path.unlink(missing_ok=True)
        path.write_bytes(HEADER + b"\n".join(damaged(line, rng) for line in LINES) + b"\n")
        with JobStore(chunk_size=2) as store:
            try:
                workload = stored(SwfLog(path), store)
            except LogError:
                continue
            if not workload.jobs:
                continue
            write_swf(workload, back)
            assert len(read_swf(back)[0].jobs) == len(workload.jobs)


def test_a_number_repeated_in_each_line_is_read_in_linear_time(tmp_path: Path) -> None:
    path = tmp_path / "log.swf"
    path.write_bytes(HEADER + (LINES[0] + b"\n") * 5000)
    workload, report = read_swf(path)
    assert report.repaired["job number used before: a suffix added"] == 4999
    assert workload.jobs[-1].id == "1.5000"
