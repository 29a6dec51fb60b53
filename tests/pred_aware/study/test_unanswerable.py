"""What a log can't answer is said first, with what would help."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from pred_aware.study.reading import read
from pred_aware.study.request import Reading, StudyEffort
from pred_aware.study.study import Study, study
from pred_aware.study.unanswerable import SHORTEST
from tests.pred_aware.study.conftest import MakeLog, Studied
from tests.pred_aware.study.test_answer import better

Row = tuple[float, float, float, int]
"""Submission, wait, run time, processors."""


def write(path: Path, rows: Sequence[Row], *, size: int | None = 8) -> Path:
    lines = [
        f"{number} {submit:.0f} {wait:.0f} {run:.0f} {processors} -1 -1 {processors} 20000 -1 1 "
        f"{number % 5 + 1} 1 1 1 1 -1 -1"
        for number, (submit, wait, run, processors) in enumerate(sorted(rows), 1)
    ]
    header = ["; UnixStartTime: 1700000000"] + ([f"; MaxProcs: {size}"] if size else [])
    path.write_text("\n".join([*header, *lines]) + "\n")
    return path


def full_machine(jobs: int = 200, size: int = 8) -> list[Row]:
    """Jobs that start when others end, so that all processors are busy all of the time."""
    free, rows = [0.0] * size, []
    for number in range(jobs):
        start, run = min(free), 600.0 + 137.0 * (number % 29)
        free[free.index(start)] = start + run
        rows.append((start, 0.0, run, 1))
    return rows


@pytest.mark.parametrize(("size", "wait"), [(8, -1.0), (None, -1.0), (8, 0.0)])
def test_submissions_that_are_starts_can_tell_nothing_of_waits(
    studied: Studied, tmp_path: Path, size: int | None, wait: float
) -> None:
    rows = [(submit, wait, run, processors) for submit, _, run, processors in full_machine()]
    found = studied(write(tmp_path / "starts.swf", rows, size=size), seconds=600.0)
    assert found.log.inspection.load.looks_like_starts
    assert (found.verdict.kind, found.rounds.shakes) == ("starts", 0)
    assert found.verdict.sentence.startswith("This log can't answer it: it records no waits")
    assert "sacct-command" in found.verdict.next[0]
    assert found.to_dict()["answer"]["kind"] == "starts"


def test_the_same_log_with_its_submissions_is_answered(studied: Studied, tmp_path: Path) -> None:
    # they come in crowds of 1 to 60, and wait until it is their turn
    rows, known, crowd = full_machine(), [], 1
    while rows:
        known += [(rows[0][0], -1.0, run, processors) for _, _, run, processors in rows[:crowd]]
        rows, crowd = rows[crowd:], (37 * crowd + 11) % 60 + 1
    found = studied(write(tmp_path / "submissions.swf", known))
    assert not found.log.inspection.load.looks_like_starts
    assert found.verdict.kind == "one run"


def test_a_machine_on_which_nobody_waited_is_no_log_of_starts(
    studied: Studied, make_log: MakeLog
) -> None:
    found = studied(make_log(between=10**6), seconds=600.0)
    assert (found.verdict.kind, found.rounds.shakes) == ("nobody waits", 0)
    assert "which no recorded wait confirms" in found.verdict.sentence
    assert found.rounds.why.startswith("hardly a job waits")


def test_without_waits_and_a_size_there_is_nothing_to_simulate(
    studied: Studied, make_log: MakeLog
) -> None:
    log = make_log(header="; UnixStartTime: 1700000000\n", between=6000)
    verdict = studied(log, seconds=600.0).verdict
    assert verdict.kind == "no size"
    assert "neither waits nor the machine's size" in verdict.sentence
    assert studied(log, processors=8, folder="8", seconds=0.0).verdict.kind == "one run"


def test_a_log_shorter_than_its_shakes_can_bear_has_no_verdict(
    studied: Studied, tmp_path: Path
) -> None:
    rows = [(9.0 * n, 55.0, 600.0, 4) for n in range(120)]
    verdict = studied(write(tmp_path / "short.swf", rows), seconds=600.0).verdict
    assert verdict.kind == "short log"
    assert verdict.sentence.startswith("Too short a log to say anything: its jobs were submitted")
    longer = [(submit * SHORTEST / 1000.0, *rest) for submit, *rest in rows]
    log = write(tmp_path / "longer.swf", longer)  # type: ignore[arg-type]
    assert studied(log, folder="2", seconds=0.0).verdict.kind != "short log"


def test_files_without_a_common_user_are_two_machines(studied: Studied, make_log: MakeLog) -> None:
    one = make_log("one.swf")
    other = make_log("other.swf", first=1000)
    lines = [line.split() for line in other.read_text().splitlines()[2:]]
    renamed = [" ".join([*cells[:11], str(50 + int(cells[11])), *cells[12:]]) for cells in lines]
    other.write_text("; MaxProcs: 8\n; UnixStartTime: 1900000000\n" + "\n".join(renamed) + "\n")
    verdict = studied(one, other, seconds=600.0).verdict
    assert verdict.kind == "two machines"
    assert "no user of one.swf has jobs in other.swf" in verdict.sentence
    assert read(Reading(paths=(one, make_log("again.swf", first=1000)))).apart == ""


def test_files_of_machines_of_two_sizes_are_two_machines(
    studied: Studied, make_log: MakeLog
) -> None:
    larger = "; MaxProcs: 16\n; UnixStartTime: 1700000000\n"
    logs = make_log(), make_log("larger.swf", header=larger, first=1000)
    found = studied(*logs, seconds=600.0)
    assert "they tell of machines of 8 and 16 processors" in found.verdict.sentence


def test_files_between_which_others_have_users_of_both_are_one_machine(make_log: MakeLog) -> None:
    def month(name: str, users: Sequence[int], first: int) -> Path:
        path = make_log(name, first=first, users=5)
        lines = [line.split() for line in path.read_text().splitlines()[2:]]
        named = [
            " ".join([*cells[:11], str(users[int(cells[11]) - 1]), *cells[12:]]) for cells in lines
        ]
        path.write_text("; MaxProcs: 8\n; UnixStartTime: 1700000000\n" + "\n".join(named) + "\n")
        return path

    months = [("a", range(5), 1), ("b", range(10, 15), 1000), ("c", (3, 4, 5, 10, 11), 2000)]
    files = [month(f"{name}.swf", users, first) for name, users, first in months]
    assert read(Reading(paths=tuple(files))).apart == ""


@pytest.fixture(scope="module")
def contradicted(tmp_path_factory: pytest.TempPathFactory) -> Study:
    """A study of a log of 12 processors that is said to have 8."""
    folder = tmp_path_factory.mktemp("contradicted")
    waited = [(start - 60.0, 60.0, *rest) for start, _, *rest in full_machine(400, size=12)]
    log = write(folder / "larger.swf", waited, size=8)  # type: ignore[arg-type]
    effort = StudyEffort(shakes=2, workers=1)
    asked = Reading(paths=(log,))
    return study(asked, folder / "out", effort=effort, on_progress=lambda _: None, draw=False)


def test_a_size_that_the_log_contradicts_is_studied_beside_those_that_it_shows(
    contradicted: Study,
) -> None:
    found = contradicted
    assert (found.log.size.processors, found.log.size.others) == (8, (12,))
    assert found.log.size.overfull > 0.9
    begin = "On 8 processors, which the log contradicts, and as well on 12, which it shows: no "
    assert found.verdict.sentence.startswith(begin)
    (larger,) = found.on_other_sizes
    waits = [one["mean_waiting_time"].baseline.value for one in (found.recommended, larger)]
    assert waits[0] > 10 * waits[1]
    assert found.to_dict()["on_other_sizes"][0]["processors"] == 12


def test_where_the_answer_moves_with_the_size_it_is_the_answer(contradicted: Study) -> None:
    shorter = better(contradicted).recommended
    verdict = replace(contradicted, on_other_sizes=(shorter,)).verdict
    assert verdict.kind == "size"
    assert verdict.sentence.startswith(
        "It depends on the machine's size, which the log contradicts"
    )
    assert "25 % less on 12 processors" in verdict.sentence
    assert verdict.next[0].startswith("Find out the machine's size")


def test_sizes_for_which_there_was_no_time_are_not_spoken_of(contradicted: Study) -> None:
    sentence = replace(contradicted, on_other_sizes=()).verdict.sentence
    assert "which the log contradicts, with no time for those that it shows: " in sentence


def test_a_few_processors_too_many_for_a_moment_contradict_nothing(
    studied: Studied, tmp_path: Path
) -> None:
    rows = [*full_machine(), (30000.0, 0.0, 20.0, 3)]
    found = studied(write(tmp_path / "moment.swf", rows))
    assert 0.0 < found.log.size.overfull < 0.001
    assert found.log.size.others == ()


def test_waits_of_which_no_machine_could_be_right_contradict_no_size(
    studied: Studied, tmp_path: Path
) -> None:
    # most of the time half full, and now and then three times as much as there is
    rows = [(4000.0 * n, 0.0, 3000.0, 4) for n in range(300)]
    rows += [(120000.0 * n, 0.0, 2000.0, 20) for n in range(10)]
    found = studied(write(tmp_path / "wrong.swf", rows))
    assert (found.check.answer, found.log.size.others) == ("impossible", ())
