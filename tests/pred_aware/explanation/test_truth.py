"""Explanations are held against the schedule by a program that shares nothing with their maker."""

import itertools
import random
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

import pred_aware as pa
from pred_aware.explanation.explanation import Explanation, Promise
from tests.pred_aware.api.synthetic_log import write_log
from tests.pred_aware.explanation.truth import NEAR, Around, Row, Truth

SCHEDULERS = ("easy", "easy_plus_plus", "conservative")

equal = partial(pytest.approx, rel=1e-9, abs=NEAR)

Planned = list[tuple[float, float]]


def check_facts(found: Explanation, row: Row) -> None:
    facts = found.facts
    assert (facts.processors, facts.walltime, facts.user, facts.queue) == (
        row.size, row.walltime, row.user, row.queue,
    )  # fmt: skip
    times = facts.estimate, facts.submitted, facts.started, facts.ended, facts.waited, facts.ran
    assert times == equal(
        (row.estimate, row.submit, row.start, row.end, row.start - row.submit, row.end - row.start)
    )
    assert len(found.corrections) == row.corrections
    if found.corrections:
        assert found.corrections[0].before == equal(row.estimate)
        assert found.corrections[0].at == equal(row.start + row.estimate)
        assert found.corrections[-1].after == equal(row.last_estimate)


def check_reasons(found: Explanation, near: Around, planned: Planned, *, reserves: bool) -> None:
    """Check which jobs held the processors, and how long enough were free but reserved."""
    rows, areas = near.truth.rows, near.areas
    enough = [(first, last) for first, last, free in near.stretches if free]
    kept = sum(last - first for first, last in enough)
    few = near.row.start - near.row.submit - kept
    expected = {"kept": kept}
    for name, area in areas.items():
        kind = near.kind(rows[name])
        expected[kind] = expected.get(kind, 0.0) + few * area / sum(areas.values())
    told = {one.kind: one.seconds for one in found.reasons}
    assert told == equal({kind: seconds for kind, seconds in expected.items() if seconds > NEAR})
    assert list(told.values()) == sorted(told.values(), reverse=True)
    for reason in found.reasons:
        assert reason.share == equal(reason.seconds / (few + kept))
        if reason.kind == "kept":
            lasted = kept_for(near, enough) if reserves else {}
        else:
            lasted = {name: area / rows[name].size for name, area in areas.items()
                      if near.kind(rows[name]) == reason.kind}  # fmt: skip
        assert reason.jobs == len(lasted) or (reason.kind == "kept" and not reserves)
        assert reason.kind == "kept" or len(reason.most) == min(5, len(lasted))
        for holder in reason.most if lasted else ():
            assert holder.processors == rows[holder.job].size
            assert holder.seconds == equal(lasted[holder.job])
    if not reserves:
        for first, last in enough:
            assert [row for row in near.waiting(first) if row is not near.row]
            # its own place is later than that, though there is room for it now
            assert [start for at, start in planned if at <= first][-1] >= last - NEAR


def kept_for(near: Around, enough: Planned) -> dict[str, float]:
    """Return how long the processors were reserved for each first of the queue."""
    lasted: Counter[str] = Counter()
    for first, last in enough:
        dates = [first, *(date for date in near.passes if first < date < last)]
        for since, until in itertools.pairwise([*dates, last]):
            head, start = near.head_at(since)
            assert head is not near.row
            lasted[head.name] += until - since  # type: ignore[assignment]
            if since in near.passes:
                assert since + near.row.estimate > start, "it would have ended in time"
    return dict(lasted)


def check_overtakers(found: Explanation, near: Around, *, reserves: bool) -> None:
    told = {one.job: one for one in found.overtaken_by}
    assert set(told) == {row.name for row in near.overtook}
    for row in near.overtook:
        one = told[row.name]
        times = one.submitted, one.started, one.ran, one.estimate
        assert times == equal((row.submit, row.start, row.end - row.start, row.estimate))
        assert one.processors == row.size
        if not reserves:
            assert one.rule == "gap"
            continue
        # which of both is said of a job that could have used either is the scheduler's choice
        head, start = near.head_at(row.start)
        if row.started_as == "backfilled":
            assert one.rule == "ends_in_time"
            assert row.start + row.estimate <= start + NEAR
        else:
            assert one.rule == "left_over"
            held = [other for other in near.running_with(row.start)
                    if other.planned_end(row.start) > start + NEAR]  # fmt: skip
            assert sum(other.size for other in held) + head.size <= near.truth.size


def check_promises(found: Explanation, near: Around, planned: Planned) -> None:
    told = [(one.at, one.start) for one in found.promises if one.at < near.row.start]
    assert told == [equal(one) for one in planned]
    assert all(one.later is None for one in found.promises[:1])
    for (before, after), one in zip(itertools.pairwise(planned), found.promises[1:], strict=False):
        assert one.later == equal(after[1] - before[1])
        check_causes(one, near.truth)


def check_causes(promise: Promise, truth: Truth) -> None:
    at = promise.at
    before = max(date for date in truth.passes if date < at)
    assert promise.causes
    for cause in promise.causes:
        row = truth.rows[cause.job]
        assert before - NEAR <= cause.at <= at + NEAR
        if cause.kind == "ended":
            assert row.end == equal(at)
            planned = row.planned_end(at - 2 * NEAR), row.end
            assert planned[0] > planned[1]
        else:
            assert cause.kind == "corrected"
            assert row.start <= before < at < row.end
            planned = row.planned_end(before), row.planned_end(at)
            assert planned[0] < planned[1]
        assert (cause.planned, cause.now) == equal(planned)


def check_queue(found: Explanation, near: Around) -> None:
    row, rows = near.row, [one for one in near.truth.queue if one is not near.row]
    running = [one for one in rows if one.start <= row.submit < one.end]
    waiting = [one for one in rows if one.submit <= row.submit < one.start]
    there = found.at_submission
    assert there is not None
    assert (there.running_jobs, there.processors_in_use) == (
        len(running), sum(one.size for one in running),
    )  # fmt: skip
    assert (there.waiting_jobs, there.processors_waited_for) == (
        len(waiting), sum(one.size for one in waiting),
    )  # fmt: skip
    before = [one for one in waiting if (one.submit, one.number) < (row.submit, row.number)]
    assert there.before == len(before)
    if row.start > row.submit:
        assert found.facts.started_as == row.started_as
        ended = {one.name for one in near.held if abs(one.end - row.start) < NEAR}
        assert set(found.started_after) == ended


def check(folder: Path, log: pa.JobLog, scheduler: str, *, jobs: int) -> int:
    """Check the explanations of some random jobs; return how many waited."""
    log.workload.write(folder / "jobs.json")
    workload = pa.read_workload(folder / "jobs.json")
    pa.simulate(workload, scheduler, write_to=folder / scheduler)
    truth = Truth(folder / scheduler, folder / "jobs.json")
    explainer = pa.Explainer(pa.read_run(folder / scheduler))
    reserves = scheduler != "conservative"
    places = {} if reserves else truth.places()
    chance = random.Random(16)  # noqa: S311 - which jobs are looked at
    waited = 0
    for job in chance.sample(sorted(truth.rows), jobs):
        row, found = truth.rows[job], explainer.explain(job)
        near = truth.near(row)
        planned = near.promises_of_easy() if reserves else places[job]
        planned = [one for one in planned if one[0] < row.start]
        check_facts(found, row)
        check_queue(found, near)
        if row.start > row.submit:
            waited += 1
            check_reasons(found, near, planned, reserves=reserves)
            check_overtakers(found, near, reserves=reserves)
            check_promises(found, near, planned)
    return waited


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_every_explanation_is_true(scheduler: str, tmp_path: Path) -> None:
    log = pa.read_log(write_log(tmp_path / "log.swf"))
    assert check(tmp_path, log, scheduler, jobs=25) > 5


@pytest.mark.large
@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_explanations_of_fifty_jobs_of_kth_are_true(
    scheduler: str, tmp_path: Path, shared: Path
) -> None:
    log = pa.read_log(shared / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz")
    assert check(tmp_path, log, scheduler, jobs=50) > 20
