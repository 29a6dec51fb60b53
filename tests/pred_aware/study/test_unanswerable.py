"""What a log cannot answer is said first, with what would help."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pred_aware.study.reading import read
from pred_aware.study.request import Reading
from pred_aware.study.verdict import SHORTEST, unanswerable
from tests.pred_aware.study.conftest import MakeLog, Studied

HEADER = "; MaxProcs: 8\n; UnixStartTime: 1700000000\n"
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


def test_a_log_without_waits_is_not_simulated_repeatedly(
    studied: Studied, make_log: MakeLog, tmp_path: Path
) -> None:
    starts = write(tmp_path / "starts.swf", full_machine())
    for name, log, seen in (
        ("no waits", make_log(), "has the submissions of 120 jobs but not the starts"),
        ("starts", starts, "its submissions look like starts"),
    ):
        study = studied(log, folder=name, seconds=600.0)
        assert (study.verdict.kind, study.verdict.reason) == ("need_input", "waits"), name
        assert seen in study.verdict.seen, name
        assert "sacct-command" in study.verdict.next, name
        assert (len(study.runs), study.rounds.shakes) == (1, 0), name
        assert study.predicted.evaluations == (), name


def test_the_same_log_with_submissions_is_answered(tmp_path: Path) -> None:
    # they come in crowds of 1 to 60, and wait until it is their turn
    rows, known, crowd = full_machine(), [], 1
    while rows:
        known += [(rows[0][0], -1.0, run, processors) for _, _, run, processors in rows[:crowd]]
        rows, crowd = rows[crowd:], (37 * crowd + 11) % 60 + 1
    log = write(tmp_path / "submissions.swf", known)
    assert not read(Reading(paths=(log,))).inspection.load.looks_like_starts


def reason(*logs: Path, **asked: Any) -> str | None:  # noqa: ANN401 - as a study takes it
    """Return why logs cannot answer, if they cannot."""
    log = read(Reading(paths=logs, **asked))
    found = unanswerable(log, ran=len(log.log))
    return None if found is None else found.reason


def test_a_short_log_is_named_as_the_reason(tmp_path: Path) -> None:
    rows = [(9.0 * n, 55.0, 600.0, 4) for n in range(120)]
    longer = [(submit * SHORTEST / 1000.0, *rest) for submit, *rest in rows]
    assert reason(write(tmp_path / "few.swf", rows[:60])) == "few jobs"
    assert reason(write(tmp_path / "short.swf", rows)) == "short log"
    log = write(tmp_path / "longer.swf", longer)  # type: ignore[arg-type]
    assert reason(log) is None


def test_files_of_other_users_or_other_sizes_are_two_machines(make_log: MakeLog) -> None:
    one = make_log("one.swf")
    other = make_log("other.swf", first=1000)
    lines = [line.split() for line in other.read_text().splitlines()[2:]]
    renamed = [" ".join([*cells[:11], str(50 + int(cells[11])), *cells[12:]]) for cells in lines]
    other.write_text(HEADER.replace("17", "19") + "\n".join(renamed) + "\n")
    assert reason(one, other) == "two machines"
    apart = read(Reading(paths=(one, other))).apart
    assert "no user of one.swf has jobs in other.swf" in apart
    assert read(Reading(paths=(one, make_log("again.swf", first=1000)))).apart == ""
    larger = make_log("larger.swf", header=HEADER.replace("8", "16", 1), first=1000)
    assert "machine sizes of 8 and 16 processors" in read(Reading(paths=(one, larger))).apart


def test_files_linked_by_users_of_other_files_are_one_machine(make_log: MakeLog) -> None:
    def month(name: str, users: Sequence[int], first: int) -> Path:
        path = make_log(name, first=first, users=5)
        lines = [line.split() for line in path.read_text().splitlines()[2:]]
        named = [
            " ".join([*cells[:11], str(users[int(cells[11]) - 1]), *cells[12:]]) for cells in lines
        ]
        path.write_text(HEADER + "\n".join(named) + "\n")
        return path

    months = [("a", range(5), 1), ("b", range(10, 15), 1000), ("c", (3, 4, 5, 10, 11), 2000)]
    files = [month(f"{name}.swf", users, first) for name, users, first in months]
    assert read(Reading(paths=tuple(files))).apart == ""


def test_a_size_that_the_log_contradicts_is_reported(tmp_path: Path) -> None:
    waited = [(start - 60.0, 60.0, *rest) for start, _, *rest in full_machine(300, size=12)]
    size = read(Reading(paths=(write(tmp_path / "larger.swf", waited),))).size  # type: ignore[arg-type]
    assert (size.processors, size.contradicted) == (8, True)
    assert size.overfull > 0.9


def test_a_few_processors_too_many_for_a_moment_contradict_nothing(
    tmp_path: Path,
) -> None:
    rows = [*full_machine(), (30000.0, 0.0, 20.0, 3)]
    size = read(Reading(paths=(write(tmp_path / "moment.swf", rows),))).size
    assert 0.0 < size.overfull < 0.001
    assert size.contradicted is False


def test_waits_that_no_machine_explains_contradict_no_size(
    studied: Studied, tmp_path: Path
) -> None:
    # most of the time half full, and now and then three times as much as there is
    rows = [(4000.0 * n, 0.0, 3000.0, 4) for n in range(150)]
    rows += [(120000.0 * n, 0.0, 2000.0, 20) for n in range(5)]
    found = studied(write(tmp_path / "wrong.swf", rows))
    assert (found.check.answer, found.log.size.contradicted) == ("impossible", False)
