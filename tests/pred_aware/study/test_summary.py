"""The summary of a study's page answers a manager's questions, whatever the log."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pred_aware.report.page import Content
from pred_aware.report.page.writing import html
from pred_aware.study.content import WITHIN_ERROR, answer_of
from pred_aware.study.study import Study
from pred_aware.study.summary.batch_system import changes, failing, undoing
from pred_aware.study.summary.hours import NOT_TOLD, hours
from pred_aware.study.summary.questions import questions
from tests.pred_aware.study.conftest import MakeLog, Studied
from tests.pred_aware.study.test_answer import WAITED, better
from tests.pred_aware.study.test_base import on_base
from tests.pred_aware.study.test_unanswerable import full_machine, write
from tests.suites import each_case

ANCHORS = (
    "answer", "who", "hours", "sure", "queue", "risks", "scheduler", "change", "undo", "cost",
    "cannot", "next",
)  # fmt: skip


def test_each_page_answers_each_question_under_its_heading(
    with_shakes: Study, nobody_waits: Study, studied: Studied, make_log: MakeLog, tmp_path: Path
) -> None:
    starts = [(submit, 0.0, run, processors) for submit, _, run, processors in full_machine()]
    studies = {
        "no waits": with_shakes,
        "one run": replace(with_shakes, rounds=replace(with_shakes.rounds, shakes=0)),
        "recorded waits": studied(make_log(jobs=100, wait=900)),
        "starts as submissions": studied(
            write(tmp_path / "starts.swf", starts), seconds=600.0, folder="starts"
        ),
        "nobody waits": nobody_waits,
    }
    for kind, study in studies.items():
        text = html(Content("A log", "", answer_of(study), (), "pred-aware study log"))
        for anchor in ANCHORS:
            answered = rf'<h2 id="{anchor}">[^<]+</h2>\n(.*?)</(p|section)>'
            heading = re.search(answered, text, re.DOTALL)
            assert heading is not None, (kind, anchor)
            assert len(re.sub(r"<[^>]+>", " ", heading[1]).split()) >= 5, (kind, anchor)


def answer(study: Study, anchor: str) -> str:
    """Return what is told under a heading."""
    (asked,) = (one for one in questions(study) if one.anchor == anchor)
    return " ".join(
        remark.text for block in asked.blocks if isinstance(block, tuple) for remark in block
    )


def test_hours_are_those_of_all_jobs(with_shakes: Study) -> None:
    found = better(with_shakes)
    wait = found.recommended["mean_waiting_time"]
    less = 0.25 * (wait.baseline.value or 0.0) * 120 / 3600
    told = re.match(r"Jobs wait ([\d,.]+) h less over the whole log", next(iter(hours(found))))
    assert told is not None
    assert float(told[1].replace(",", "")) == pytest.approx(less, rel=0.01)


def test_no_hours_are_told_on_another_queue(with_shakes: Study) -> None:
    check = replace(with_shakes.check, answer="shorter", recorded=WAITED)
    found = replace(with_shakes, check=check, base=on_base(0.2, 0.3))
    assert answer(found, "hours").startswith(NOT_TOLD)
    assert "Nothing, on this evidence" in answer(found, "change")


def test_a_change_below_the_error_of_the_base_is_no_reason_to_change_anything(
    with_shakes: Study,
) -> None:
    check = replace(with_shakes.check, answer="shorter", recorded=WAITED)
    small, large = (
        replace(better(with_shakes, by), check=check, base=on_base(1.1, 0.6))
        for by in (-0.08, -0.65)
    )
    assert WITHIN_ERROR in answer_of(small).more
    assert "so here it may be none" in answer(small, "hours")
    assert "Nothing, on this evidence" in answer(small, "change")
    assert "Nothing, on this evidence" not in answer(large, "change")


@each_case(
    ("version", "sets", "not_said"),
    [
        ((25, 11), "they set `time_min`", "below 23.11"),
        ((24, 11, 5), "running jobs are planned to their full limit", "below 23.11"),
        ((22, 5, 8), "never `time_min`, which there cuts jobs short", "time_min_as_soft_limit"),
    ],
)
def test_what_slurm_is_told_depends_on_its_version(
    version: tuple[int, ...], sets: str, not_said: str
) -> None:
    told = " ".join(
        (*changes("Slurm", version), *undoing("Slurm", version), *failing("Slurm", version))
    )
    assert sets in told
    assert not_said not in told
    assert "PBS" not in told


def test_pbs_alone_is_told_of_pbs() -> None:
    told = " ".join((*changes("PBS"), *undoing("PBS"), *failing("PBS")))
    assert "strict_ordering" in told
    assert "Slurm" not in told
