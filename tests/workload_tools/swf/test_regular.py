"""Many lines at once are read as they are one by one: jobs, report, errors."""

import math
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from workload_tools.errors import LogError
from workload_tools.missing_walltime import WithWalltimes
from workload_tools.swf.log import SwfLog

ODD = (
    *("nan", "inf", "1_0", "-1", "0", "007", "1e3", "7.0", "0x10", "", "#", ";", "x", "1 2"),
    *("1\r", "\x1c5", "9007199254740993", "1e400", "+7", "5.5", "2", "3", "\xa0"),
)


def lines_of(chance: random.Random) -> list[str]:
    """Return lines of jobs, a few of which are odd."""
    date, made = 0, []
    for number in range(1, 60):
        date += chance.choice((0, 7, 600))
        size, run = chance.choice((1, 4, 16)), chance.randint(1, 9000)
        fields = [number, date, chance.randint(-1, 99), run, size, -1, -1, size, run + 60, 1024]
        fields += [1, chance.randint(1, 5), 1, -1, chance.choice((-1, 2)), -1, -1, -1]
        made.append([*map(str, fields)])
    for fields in chance.sample(made[5:], k=chance.randint(0, 3)):
        fields[chance.randrange(18)] = chance.choice(ODD)
    return ["; MaxProcs: 64", *map(" ".join, made)]


def read(path: Path, *, strict: bool) -> object:
    log = SwfLog(path, strict=strict)
    try:
        jobs = [*WithWalltimes(log, missing_walltime=None, path=path).jobs()]
    except LogError as error:
        return str(error)
    return jobs, log.report, log.machine


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> Callable[[bool], None]:
    def switch(on: bool) -> None:  # noqa: FBT001 - of this file alone
        monkeypatch.setattr("workload_tools.swf.log._MANY", math.inf if on else 2)

    return switch


def test_odd_lines_among_regular_ones(
    tmp_path: Path, one_by_one: Callable[[bool], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workload_tools.log_lines.BLOCK_SIZE", 600)
    path, told = tmp_path / "log.swf", []
    chance = random.Random(3)  # noqa: S311 - a log, not secrets
    for case in range(150):
        path.write_text("\n".join(lines_of(chance)), encoding="latin-1", newline="")
        found = []
        for on in (True, False):
            one_by_one(on)
            found.append(read(path, strict=case % 5 == 0))
        assert found[0] == found[1]
        told.append(isinstance(found[0], str))
    assert 20 < sum(told) < 130


@pytest.mark.parametrize("name", ["KTH-SP2-1996-2.1-cln", "wagap-2013"])
def test_real_logs(shared: Path, one_by_one: Callable[[bool], None], name: str) -> None:
    found = []
    for on in (True, False):
        one_by_one(on)
        found.append(read(shared / "traces" / f"{name}.swf.gz", strict=False))
    assert found[0] == found[1]
