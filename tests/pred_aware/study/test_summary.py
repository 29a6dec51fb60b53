"""The summary of a study's page answers a manager's questions, whatever the log."""

import re
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest

from pred_aware.report.page import Content
from pred_aware.report.page.writing import html
from pred_aware.study.content import WITHIN_ERROR, answer_of
from pred_aware.study.study import Study
from pred_aware.study.summary.batch_system import System, can_do, changes, failing, undoing
from pred_aware.study.summary.hours import NOT_TOLD, hours
from pred_aware.study.summary.questions import questions
from tests.pred_aware.study.conftest import MakeLog, Studied
from tests.pred_aware.study.test_answer import WAITED, better
from tests.pred_aware.study.test_base import on_base
from tests.pred_aware.study.test_unanswerable import full_machine, write

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
        replace(better(with_shakes, by), check=check, base=on_base(1.1, 0.9))
        for by in (-0.08, -0.65)
    )
    assert WITHIN_ERROR in answer_of(small).more
    assert [len(answer_of(one).figures) for one in (small, large)] == [0, 3]
    assert "so here it may be none" in answer(small, "hours")
    assert "Nothing, on this evidence" in answer(small, "change")
    assert "Nothing, on this evidence" not in answer(large, "change")


SAFE = ("25.05.4", "25.11.0", "25.11", "26.05.1-2")
NOT_SAFE = ("22.05.8", "23.02.7", "23.11.10", "24.11.5", "25.05.3", "25.05", "20.11.0-1")


def advice(system: System, version: str) -> str:
    """Return all that is said of a batch system."""
    some = (changes(system, version), undoing(system, version), failing(system, version))
    return " ".join((can_do(system, version), *chain.from_iterable(some)))


def test_no_slurm_is_told_what_cuts_its_jobs() -> None:
    for version in NOT_SAFE:
        told = advice("Slurm", version)
        assert f"Slurm {version} has no safe way to plan with predictions" in told, version
        assert "nothing in its configuration" in told, version
        for word in ("job_submit", "time_min_as_soft_limit", "PBS"):
            assert word not in told, f"{version}: {word}"
    for version in (*SAFE, ""):
        told = advice("Slurm", version)
        assert "has no safe way" not in told, version
        assert "nothing in its configuration" not in told or not version, version
        on = [told.index(one) for one in ("first `SchedulerP", "then the service", "`time_min`.")]
        off = [told.index(one) for one in ("1. Take the script", "2. `scontrol", "3. When")]
        assert on == sorted(on), version
        assert off == sorted(off), version
        assert "reaches into a reservation" in told, version
    for version in (*SAFE, *NOT_SAFE, ""):
        for word in ("PrologSlurmctld", "OverTimeLimit"):
            assert word not in advice("", version), f"{version}: {word}"


def test_pbs_alone_is_told_of_pbs() -> None:
    told = " ".join((*changes("PBS"), *undoing("PBS"), *failing("PBS")))
    assert "strict_ordering" in told
    assert "Slurm" not in told
