"""Logs with dates from 1970 to 9999 and odd numbers: a result, or one line of error.

PRED_AWARE_FUZZ=200 tries as many logs.
"""

import os
import random
from pathlib import Path

from tests.cpu_guard import cpu_guard
from tests.pred_aware.command import Command

LOGS = int(os.environ.get("PRED_AWARE_FUZZ", "9"))
PYTHONS_WORDS = (
    "invalid literal",
    "could not convert",
    "Traceback",
    "KeyError",
    "has no attribute",
)
SACCT = "JobID|User|Account|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|AllocCPUS|ReqMem|NNodes"
REST = " 1 1 1 1 1 -1 -1"
TABLE = "job_id,submit_time,start_time,end_time,processors,walltime,user"


def swf(rng: random.Random) -> str:
    lines = [f"; UnixStartTime: {rng.choice((0, 860000000, 1700000000, 250000000000))}"]
    lines += [f"; MaxProcs: {rng.choice((8, 64, 0, -1))}"]
    submit = 0
    for number in range(rng.randint(0, 40)):
        submit += rng.choice((0, 1, 60, 3600, 86400, 10**7, 10**9))
        wait, run = rng.choice((-1, 0, 10, 10**6)), rng.choice((-1, 0, 1, 600, 10**8))
        size, walltime = rng.choice((-1, 0, 1, 8, 64, 10**6)), rng.choice((-1, 0, 600, 10**9))
        status = rng.choice((0, 1, 5, -1, 9))
        lines += [
            f"{number} {submit} {wait} {run} {size} -1 -1 {size} {walltime} -1 {status}{REST}"
        ]
    return "\n".join(lines) + "\n"


def date(rng: random.Random) -> str:
    if rng.random() < 0.07:
        return rng.choice(("Unknown", "None", "", "x"))
    year = rng.choice((1, 1970, 1999, 2024, 2024, 2024, 2500, 9999))
    return (
        f"{year:04}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}T{rng.randint(0, 23):02}:00:00"
    )


def sacct(rng: random.Random) -> str:
    lines = [SACCT]
    for number in range(rng.randint(0, 30)):
        state = rng.choice(("COMPLETED", "FAILED", "CANCELLED by 3", "TIMEOUT", "RUNNING", "odd"))
        dates = (
            "|".join(date(rng) for _ in range(3))
            if rng.random() < 0.7
            else "|".join([date(rng)] * 3)
        )
        run, limit = (
            rng.choice(("0", "60", str(10**9), "-1", "x")),
            rng.choice(("60", "UNLIMITED", "")),
        )
        size = rng.choice(("1", "8", "0", str(10**7), "x"))
        lines += [
            f"{number}|ann|lab|{state}|{dates}|{run}|{limit}|{size}|{rng.choice(('4G', 'x', ''))}|1"
        ]
    return "\n".join(lines) + "\n"


def table(rng: random.Random) -> str:
    lines = [TABLE]
    for number in range(rng.randint(0, 30)):
        size, walltime = (
            rng.choice(("1", "4", "0", "-2", "x")),
            rng.choice(("600", "", "-1", "1e9")),
        )
        lines += [
            f"{number},{date(rng)},{date(rng)},{date(rng)},{size},{walltime},u{rng.randint(0, 3)}"
        ]
    return "\n".join(lines) + "\n"


def test_a_log_with_far_dates_gives_a_result_or_a_one_line_error(
    here: Path, command: Command
) -> None:
    for seed in range(LOGS):
        rng = random.Random(seed)  # noqa: S311 - a log, not a secret
        name, make = (("a.swf", swf), ("a.txt", sacct), ("a.csv", table))[seed % 3]
        (here / name).write_text(make(rng))
        lines = [
            ("inspect", name),
            ("convert", name, "-o", "o.json", "--missing-walltime", 3600),
            ("site", "infer", name, "-o", "s.toml"),
        ]
        if make is table:
            lines = [("log", "map", "suggest", name, "-o", "m.toml")]
            lines += [("inspect", name, "--reader", '{"map": "m.toml"}')]
        for arguments in lines:
            for old in ("o.json", "s.toml", "m.toml"):
                if arguments[0] != "inspect":
                    (here / old).unlink(missing_ok=True)
            with cpu_guard(20.0):
                ended = command(*arguments)
            where = (seed, arguments, ended.err[:200])
            assert ended.code in (0, 2), where
            assert ended.code == 0 or ended.err.count("\n") == 1, where
            assert not any(words in ended.err for words in PYTHONS_WORDS), where
