"""Logs and studies of them."""

import random
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pred_aware import simulate
from pred_aware.study.reading import read
from pred_aware.study.request import Reading, StudyEffort
from pred_aware.study.study import Study, study

MakeLog = Callable[..., Path]
Studied = Callable[..., Study]


@pytest.fixture
def make_log(tmp_path: Path) -> MakeLog:
    """Write an SWF log of some users' jobs."""
    return partial(write_log, tmp_path)


def write_log(  # noqa: PLR0913 - what logs differ in
    folder: Path,
    name: str = "mine.swf",
    *,
    jobs: int = 120,
    users: int = 5,
    walltime: int = 12000,
    wait: int | Sequence[int] = -1,
    between: int = 3000,
    header: str = "; MaxProcs: 8\n; UnixStartTime: 1700000000\n",
    first: int = 1,
) -> Path:
    chance, date, lines = random.Random(1), 0, []  # noqa: S311 - a made log
    for number in range(first, first + jobs):
        date += chance.randrange(between)
        run, size = chance.choice((30, 600, 3000, 9000)), 1 + number % 8
        user = number % users + 1 if users else -1
        waited = wait if isinstance(wait, int) else wait[number - first]
        lines.append(
            f"{number} {date} {waited} {run} {size} -1 -1 {size} {walltime} -1 1 {user} "
            "1 1 1 1 -1 -1"
        )
    path = folder / name
    path.write_text(header + "\n".join(lines) + "\n")
    return path


def recorded_log(folder: Path, **log: Any) -> Path:  # noqa: ANN401 - as `write_log` takes it
    """Write a log that recorded what EASY does with its jobs."""
    run = simulate(read(Reading(paths=(write_log(folder, **log),))).log, "easy")
    assert run.places_in_workload is not None
    waits = dict(zip(run.places_in_workload, run.column("waiting_time"), strict=True))
    return write_log(folder, **log, wait=[round(waits[place]) for place in sorted(waits)])


@pytest.fixture
def studied(tmp_path: Path) -> Studied:
    """Study logs in this process, without a page."""

    def run(
        *paths: Path,
        shakes: int | None = 0,
        seconds: float | None = None,
        folder: str = "out",
        **asked: Any,  # noqa: ANN401
    ) -> Study:
        effort = StudyEffort(seconds=seconds, shakes=shakes if seconds is None else None, workers=1)
        reading = Reading(paths=paths, **asked)
        return study(reading, tmp_path / folder, effort=effort, on_progress=lambda _: None)

    return run


@pytest.fixture(scope="session")
def nobody_waits(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A study of a log in which hardly any job waits, for those that only look at it."""
    folder = tmp_path_factory.mktemp("study")
    asked = Reading(paths=(recorded_log(folder, jobs=100, between=10**6),))
    effort = StudyEffort(seconds=600.0, workers=1)
    return study(asked, folder / "out", effort=effort, on_progress=lambda _: None)


@pytest.fixture(scope="session")
def with_shakes(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A study over two shakes of a log that EASY made, for those that only look at it."""
    folder = tmp_path_factory.mktemp("study")
    asked = Reading(paths=(recorded_log(folder, jobs=400, between=2600),))
    effort = StudyEffort(shakes=2, workers=1)
    return study(asked, folder / "out", effort=effort, on_progress=lambda _: None)
