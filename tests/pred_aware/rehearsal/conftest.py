"""Logs on which soft walltimes are rehearsed."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

MakeLog = Callable[..., Path]


@pytest.fixture
def make_log(tmp_path: Path) -> MakeLog:
    """Write a log of four users with far too long walltimes, on 8 processors."""

    def write(*, jobs: int = 150, between: int = 1500, steady: bool = True, wait: int = -1) -> Path:
        chance = random.Random(7)  # noqa: S311 - a made log
        lines, date = ["; MaxProcs: 8", "; UnixStartTime: 1509494400"], 0
        for number in range(1, jobs + 1):
            date += chance.randrange(2 * between)
            user, size = 1 + number % 4, 1 + number % 5
            lasts = (
                60 * 6 ** (user - 1) + chance.randrange(60) if steady else chance.choice((10, 9000))
            )
            line = (
                f"{number} {date} {wait} {lasts} {size} -1 -1 {size} 14400 -1 1 "
                f"{user} 1 1 {user % 2 + 1} 1 -1 -1"
            )
            lines.append(line)
        path = tmp_path / "log.swf"
        path.write_text("\n".join(lines) + "\n")
        return path

    return write
