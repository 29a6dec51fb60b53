"""What a page tells of two schedules, without a browser."""

import re
from copy import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pred_aware as pa
from pred_aware.gantt import packed_schedules
from pred_aware.gantt.charts import Schedules, most_changed
from pred_aware.gantt.numbering import Numbering, job_processors
from pred_aware.report.html import escaped
from pred_aware.report.page.content import report
from pred_aware.report.page.writing import html
from tests.pred_aware.conftest import JobsFile
from tests.pred_aware.gantt.conftest import data_of
from workload_tools.batsim.intervals import parse_intervals

HALF_A_SECOND = 0.5


def page(schedules: Schedules) -> str:
    return html(report("A", under="", blocks=[schedules], command="x"))


def test_columns_and_intervals_equal_those_of_the_schedules(schedules: Schedules) -> None:
    data = data_of(page(schedules))
    submit = np.cumsum(data["columns"]["submit"])
    first = schedules.baseline.jobs["submission_time"].min()
    for run, told in zip((schedules.baseline, schedules.other), data["schedules"], strict=True):
        jobs = run.jobs.loc[Numbering(schedules).jobs.index]
        assert told["name"] == run.name
        assert (submit == jobs["submission_time"] - first).all()
        assert (told["columns"]["wait"] == jobs["waiting_time"]).all()
        estimates, walltimes = told["columns"]["estimate"], data["columns"]["walltime"]
        estimates = np.where(estimates == 0, walltimes, estimates)
        assert (np.abs(estimates - jobs["first_estimate"]) <= HALF_A_SECOND).all()
    # the intervals are those that jobs had
    told = data_of(page(schedules))["schedules"][1]["columns"]
    jobs = schedules.other.jobs.loc[Numbering(schedules).jobs.index]
    gaps, lengths = iter(told["gaps"].tolist()), iter(told["lengths"].tolist())
    for place in np.argsort(jobs["starting_time"].to_numpy(), kind="stable").tolist():
        reached, found = 0, []
        left = int(jobs["requested_number_of_resources"].iloc[place])
        for last in range(told["intervals"][place] - 1, -1, -1):
            low = reached + next(gaps)
            reached = low + (next(lengths) if last else left)
            left -= reached - low
            found.append((low, reached - 1))
        assert tuple(found) == parse_intervals(jobs["allocated_resources"].iloc[place])


def test_jobs_and_users_have_names_only_on_request(schedules: Schedules) -> None:
    assert not {"names", "users"} & set(data_of(page(schedules)))
    named = data_of(page(replace(schedules, names=True)))
    assert "users" in named
    # ids that are numbers need no names
    assert np.cumsum(named["columns"]["number"]).tolist() == [
        int(job) for job in Numbering(schedules).jobs.index
    ]


def test_a_comparisons_page_names_users_only_on_request(tmp_path: Path) -> None:
    jobs = [
        {"id": f"secret{number}", "subtime": number, "res": size, "walltime": 60 - 5 * number,
         "profile": "p", "user": user}
        for number, (user, size) in enumerate([("ann", 3), ("bob", 4), ("ann", 1)])
    ]  # fmt: skip
    made = {"nb_res": 4, "jobs": jobs, "profiles": {"p": {"type": "delay", "delay": 40}}}
    workload = pa.Workload.of(made)
    comparison = pa.compare([pa.simulate(workload, name) for name in ("fcfs", "easy")])
    pages = tmp_path / "numbers.html", tmp_path / "names.html"
    comparison.page().write(pages[0])
    comparison.page(names=True).write(pages[1])
    numbers, names = (path.read_text() for path in pages)
    assert not re.search("ann<|bob|secret", numbers)
    assert re.search("user ann|>ann<", names)
    assert "job secret1" in names


def test_jobs_that_changed_most_are_listed_in_both_directions(schedules: Schedules) -> None:
    few = replace(schedules, changed=4)
    text = page(few)
    differences = (
        pa.compare([schedules.baseline, schedules.other]).gains()["difference"].sort_values()
    )
    numbers = [int(one.split('"')[0]) for one in text.split('data-job="')[1:]]
    names = Numbering(few).jobs.index[np.array(numbers) - 1]
    most = [*differences[:-3:-1], *differences[:2]]
    assert differences[names].tolist() == most


def test_jobs_left_out_are_counted_and_listed_jobs_are_always_drawn(
    schedules: Schedules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_schedules, "MOST_JOBS", 30)
    text = page(schedules)
    data = data_of(text)
    assert "Of 120 jobs, only the 30 with most processor seconds are drawn" in text
    listed = {int(one.split('"')[0]) for one in text.split('data-job="')[1:]}
    assert listed <= set(np.cumsum(data["columns"]["number"]).tolist())
    assert data["jobs"] == 30
    assert not data["all"]


def test_jobs_rejected_or_without_a_record_are_drawn(jobs_file: JobsFile) -> None:
    baseline = jobs_file("baseline", [(0, 0, 10, 1), (5, 10, 10, 1)])
    other = jobs_file("other", [(0, 0, 10, 1)], rejected_jobs=["2"])
    text = page(Schedules(pa.read_run(baseline, "baseline"), pa.read_run(other, "other")))
    told = [one["columns"] for one in data_of(text)["schedules"]]
    assert [one["wait"].tolist() for one in told] == [[0, 5], [0, -1]]
    assert [one["intervals"].tolist() for one in told] == [[1, 1], [1, 0]]
    # a run that can not be made again is explained by its schedule
    baseline = jobs_file("baseline", [(0, 0, 10, 1), (5, 10, 10, 1)])
    other = jobs_file("other", [(0, 0, 10, 1), (5, 20, 10, 1)])
    text = page(Schedules(pa.read_run(baseline, "baseline"), pa.read_run(other, "other")))
    assert "are unknown for baseline" in text
    assert str(baseline.parent) not in text


def test_without_recorded_processors_jobs_get_the_lowest_free_ones() -> None:
    jobs = pd.DataFrame(
        {
            "starting_time": [0.0, 0.0, 5.0, np.nan],
            "finish_time": [5.0, 9.0, 8.0, np.nan],
            "requested_number_of_resources": [2, 1, 3, 1],
        }
    )
    assert job_processors(jobs, processors=4) == (
        [((0, 1),), ((2, 2),), ((0, 1), (3, 3)), ()],
        False,
    )


def test_names_cannot_end_an_element_or_a_script(runs: tuple[pa.Run, pa.Run]) -> None:
    hostile = copy(runs[0])
    hostile.name = "</script><script>alert(1)</script>"
    text = page(Schedules(hostile, runs[1], names=True))
    assert "alert" in text
    assert "<script>alert" not in text
    assert text.count("</script>") == 2


def test_explanations_of_listed_jobs_use_numbers_for_names(schedules: Schedules) -> None:
    text = page(schedules)
    assert text == page(schedules)
    assert text.count('<section data-why="') == text.count('data-job="')
    numbering = Numbering(schedules)
    job = most_changed(schedules, numbering).index[0]
    own = pa.explain(schedules.other, job).sentences
    (answer,) = [one for one in own if one.topic == "answer"]
    assert escaped(answer.text(numbering.called)) in text
