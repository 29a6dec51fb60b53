"""Many records read at once come to the same as record by record."""

import random
from pathlib import Path
from typing import Any

import pytest

from workload_tools.errors import LogError
from workload_tools.log import gather
from workload_tools.missing_walltime import MissingWalltime, WithWalltimes
from workload_tools.slurm import SlurmLog, regular
from workload_tools.slurm.record_reader import RecordReader

# what sacct prints, and seldom what it does not
USUAL: dict[str, list[str]] = {
    "JobID": [""],
    "Cluster": ["refs"],
    "User": ["ann", "bob", "é"],
    "Partition": ["batch", "gpu"],
    "State": ["COMPLETED", "FAILED", "CANCELLED by 7"],
    "Submit": ["2025-10-25T23:10:00", "2025-10-26T00:20:00"],
    "Eligible": ["2025-10-25T23:10:00", "2025-10-26T00:30:00"],
    "Start": ["2025-10-26T00:40:00", "2025-10-26T01:59:59"],
    "End": ["2025-10-26T04:00:00", "2025-10-27T04:00:00"],
    "ElapsedRaw": ["60", "7200", "100000"],
    "TimelimitRaw": ["10", "UNLIMITED"],
    "AdminComment": [""],
    "ReqCPUS": ["4"],
    "AllocCPUS": ["4", "8"],
    "ReqMem": ["2G", "500Mc", "2Gn"],
    "NNodes": ["1", "2"],
    "ReqTRES": ["cpu=4,mem=2G,node=1"],
    "AllocTRES": ["cpu=4,mem=2G,node=1"],
    "NodeList": ["n01", "n[01-02]"],
    "Restarts": ["0"],
    "SubmitLine": ["", "sbatch -n4 a.sh", "sbatch --exclusive a.sh"],
    "JobName": ["a", "b c", "é"],
}
ODD: dict[str, list[str]] = {
    "JobID": ["3_7", "419_[6-99%2]", "3+1", "x"],
    "Cluster": ["", "west"],
    "State": ["RUNNING", "PREEMPTED", "RESIZING", "DONE", "OUT_OF_ME+"],
    "Submit": ["2025-10-26T02:30:00", "2025-10-26T02:10:00", "1761430200", "Unknown", "x"],
    "Eligible": ["Unknown", "2025-10-26T02:30:00", "2025-10-26T00:20:00+02:00", "yesterday"],
    "Start": ["None", "2025-10-26T02:05:00", "2025-10-26 03:00:00", "2025-13-26T02:05:00", "0"],
    "End": ["Unknown", "2025-10-26T02:55:60", "2025-10-26T03:5x:00", "2025-10-26T24:00:00"],
    "ElapsedRaw": ["", "0", "1.5K", "x"],
    "AdminComment": ["uw=120"],
    "AllocCPUS": ["", "0", "2K", "x"],
    "ReqTRES": ["cpu=4,gres/gpu:a100=2,gres/gpu=2", "", "x"],
    "Restarts": ["1", "x"],
    "JobName": ["a|b", "a\nb", "a\r"],
}
OPTIONS: list[dict[str, Any]] = [
    {"time_zone": "Europe/Paris"},
    {"unit": "nodes", "requeues": "each"},
    {"unit": "gpus", "processors_from": "requested"},
    {"submit_time_from": "eligible", "partitions": ["batch"]},
    {"unit": "cores", "threads_per_core": 2, "time_zone": "Australia/Lord_Howe"},
    {"strict": True},
]


def dump(rng: random.Random, records: int) -> str:
    names = ["JobIDRaw", *rng.sample([*USUAL], len(USUAL))]
    separator = rng.choice(["|", "|", "\x1f", "~|~"])
    end = rng.choice(["", separator])
    oddity = rng.choice([0.0, 0.002, 0.03])
    lines = [separator.join(names) + end]
    for number in range(1, records + 1):
        again = rng.random() < oddity
        key = f"{rng.randint(1, number) if again else number}{'.batch' * (rng.random() < 0.1)}"
        fields = [rng.choice((ODD if rng.random() < oddity else USUAL).get(name, [""]))
                  for name in names[1:]]  # fmt: skip
        line = separator.join([key, *fields]) + end
        lines.append(line[: rng.randrange(len(line))] if rng.random() < oddity / 2 else line)
    return "\n".join(lines) + "\n"


def one_by_one(texts: list[str], reader: RecordReader, **options: Any) -> regular.Sorted:  # noqa: ANN401 - as it is called
    nothing = SORTED_OUT([], reader, **options)
    return regular.Sorted(nothing.regular, 0, [*range(len(texts))])


SORTED_OUT = regular.sorted_out


def outcome(log: SlurmLog, missing: MissingWalltime | None) -> tuple[Any, ...]:
    try:
        workload = gather(WithWalltimes(log, missing_walltime=missing, path=log.path))
    except LogError as error:
        return (str(error),)
    return repr(workload), log.report, log.machine


@pytest.mark.parametrize("seed", range(40))
def test_as_record_by_record(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)  # noqa: S311 - not for secrets
    path = tmp_path / "log"
    path.write_text(dump(rng, rng.choice([3, 50, 400])), newline="")
    options = {"cluster": "refs", **rng.choice(OPTIONS)}
    missing = rng.choice([None, "drop", "keep", 3600.0])
    at_once = outcome(SlurmLog(path, **options), missing)
    monkeypatch.setattr(regular, "sorted_out", one_by_one)
    assert at_once == outcome(SlurmLog(path, **options), missing)


def test_more_records_than_are_read_at_once(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("JobIDRaw|State|Submit|Start|ElapsedRaw|AllocCPUS\n" + "".join(
        f"{number}|COMPLETED|{1000 + number}|{2000 + number}|60|4\n" for number in range(1, 20_001)
    ))  # fmt: skip
    log = SlurmLog(path)
    jobs = [*log.jobs()]
    assert [job.id for job in jobs] == [f"{number}" for number in range(1, 20_001)]
    assert (log.report.kept, log.machine.processors) == (20_000, 240)
