"""Each sentence is held against the schedule by a program that shares nothing with its maker."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import pred_aware as pa
from tests.pred_aware.api.synthetic_log import write_log
from tests.pred_aware.explanation.claims import Claims
from tests.pred_aware.explanation.truth import Truth

SCHEDULERS = ("easy", "easy_plus_plus", "conservative")


Explained = tuple[Claims, list[str]]


def explained(folder: Path, log: pa.JobLog, scheduler: str, *, jobs: int) -> Iterator[Explained]:
    """Yield the sentences on some random jobs, and what checks them."""
    log.workload.write(folder / "jobs.json")
    workload = pa.read_workload(folder / "jobs.json")
    pa.simulate(workload, scheduler, write_to=folder / scheduler)
    truth = Truth(folder / scheduler, folder / "jobs.json")
    explainer = pa.Explainer(pa.read_run(folder / scheduler))
    places = truth.places() if scheduler == "conservative" else None
    chance = random.Random(16)  # noqa: S311 - which jobs are looked at
    for job in chance.sample(sorted(truth.rows), jobs):
        row = truth.rows[job]
        promises = truth.near(row).promises_of_easy() if places is None else places[job]
        promises = [one for one in promises if one[0] < row.start]
        sentences = explainer.explain(job).sentences
        yield Claims(truth, job, promises, scheduler), [str(one) for one in sentences]


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_each_sentence_is_so(scheduler: str, tmp_path: Path) -> None:
    log = pa.read_log(write_log(tmp_path / "made.swf"))

    kinds = Counter(
        kind
        for claims, sentences in explained(tmp_path, log, scheduler, jobs=25)
        for kind in claims.check(sentences)
    )

    assert kinds["job"] == 25
    assert kinds["answer"] > 5


@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_a_number_that_is_another_is_found(scheduler: str, tmp_path: Path) -> None:
    log = pa.read_log(write_log(tmp_path / "made.swf", jobs=60))
    changed = 0
    for claims, sentences in explained(tmp_path, log, scheduler, jobs=6):
        for place, sentence in enumerate(sentences):
            for number in re.finditer(r"\d+(?! others? likewise)", sentence):
                told = list(sentences)
                other = str(int(number[0]) + 1)
                told[place] = sentence[: number.start()] + other + sentence[number.end() :]
                with pytest.raises((AssertionError, KeyError)):
                    claims.check(told)
                changed += 1
    assert changed > 100


@pytest.mark.large
@pytest.mark.parametrize("scheduler", SCHEDULERS)
def test_each_sentence_on_fifty_jobs_of_kth_is_so(
    scheduler: str, tmp_path: Path, shared: Path
) -> None:
    log = pa.read_log(shared / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz")

    kinds = Counter(
        kind
        for claims, sentences in explained(tmp_path, log, scheduler, jobs=50)
        for kind in claims.check(sentences)
    )

    assert kinds["job"] == 50
    assert kinds["answer"] > 20
