"""The whole chain beside a PBS server: accounting file, feed, store, service, hook."""

import asyncio
import gzip
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pred_aware.log.job_log import read_log
from pred_aware.log.past_jobs import SUBMISSION, past_jobs
from pred_aware.prediction.candidate import Candidate
from pred_aware.prediction.predict import predict
from pred_aware.production import pbs_hook
from pred_aware.production.learner import predictor_of
from pred_aware.production.pbs_feed import PbsFeed
from pred_aware.production.service import Service
from pred_aware.production.sockets import listen_at
from pred_aware.production.store import JobDatabase
from pred_aware.rehearsal.served_estimates import served_estimates, soft_walltime
from tests.pred_aware.production.pbs_server import DURATIONS, happened, server
from tests.pred_aware.production.test_service import PREDICTORS, accounting_line
from workload_tools.pbs.record import attributes, read_record

HOOK = Path(pbs_hook.__file__)


@contextmanager
def hooked(configuration: Path) -> Iterator[Any]:
    """A stand-in for the server's own module, and the hook as it is imported there."""
    logged: list[str] = []
    before = sys.modules.get("pbs")
    # the log of 61 days is of a server with these, too
    made = server(str(configuration), logged, more=("epilogue", "neednodes"))
    sys.modules["pbs"] = made
    # how long it waits has tests of its own; here it is to wait on a slow machine, too
    source = HOOK.read_text().replace("LONGEST_WAIT = 0.3", "LONGEST_WAIT = 120.0")
    code = compile(source, str(HOOK), "exec")
    try:
        yield lambda job: happened(made, code, "QUEUEJOB", job)
    finally:
        del sys.modules["pbs"]
        sys.modules.pop("_pred_aware_hook", None)
        if before is not None:
            sys.modules["pbs"] = before
    assert logged == []


def submitted(line: str) -> dict[str, Any]:
    """The request of a job from the record of its end, in the form of the server's module."""
    record = read_record(line)
    assert record is not None
    told = attributes(record.message)
    resources: dict[str, Any] = {}
    for name, value in told.items():
        if name.startswith("Resource_List."):
            resource = name.removeprefix("Resource_List.")
            resources[resource] = seconds(value) if resource in DURATIONS else value
    return {"user": told["user"], "queue": told["queue"], "resources": resources}


def seconds(text: str) -> int:
    parts = [int(part) for part in text.split(":")]
    return sum(part * 60**place for place, part in enumerate(reversed(parts)))


def softs_of_the_chain(folder: Path, lines: dict[str, str], log: Any, predictor: str) -> list[Any]:  # noqa: ANN401
    """Submit the log's jobs, and let them end, at their dates; return what the hook has set."""
    fed, socket = folder / "accounting", folder / "s"
    fed.mkdir()
    configuration = folder / "settings.json"
    configuration.write_text(json.dumps({"socket": str(socket), "timeout": 120}))
    jobs = log.machine.jobs

    async def run() -> list[Any]:
        softs: dict[int, Any] = {}
        with (
            JobDatabase(folder / "jobs.db") as store,
            hooked(configuration) as submit,
            (fed / "20240301").open("w", buffering=1) as day,
        ):
            service = Service(store, predictor_of(predictor), deadline=120.0)
            servers = await service.serve([listen_at(socket)])
            feed = PbsFeed(fed)
            feed.pause = 0.001
            feed = PbsFeed(fed)
            for kind, place in past_jobs(jobs).events(starts=False):
                line = lines[jobs[place].id]
                if kind == SUBMISSION:
                    became = await asyncio.to_thread(submit, submitted(line))
                    assert became["refused"] is None
                    softs[place] = became["soft"]
                else:
                    day.write(line)
                    read = feed.read(store.positions(feed.name))
                    assert read is not None
                    assert await service.ended(read.jobs, position=read.position) == 1
            await service.stop(servers)
            assert len(list(store.jobs())) == len(jobs)
        return [softs[place] for place in range(len(jobs))]

    return asyncio.run(run())


def check_chain(folder: Path, lines: dict[str, str], source: Path, predictor: str) -> set[Any]:
    """Compare the chain with `predict` and with the rehearsal; return what was set."""
    log = read_log(source)
    softs = softs_of_the_chain(folder, lines, log, predictor)
    told = predict(log, predictor).frame
    assert softs == list(map(soft_walltime, told["estimate"], told["walltime"]))
    rehearsed = served_estimates(
        log.machine.jobs, past_jobs(log.machine.jobs), Candidate(predictor, predictor),
        places=range(len(log)),
    )  # fmt: skip
    assert softs == rehearsed.soft_walltimes
    return set(softs)


@pytest.mark.parametrize(
    "predictor",
    [one if one == "pbs_v3" else pytest.param(one, marks=pytest.mark.slow) for one in PREDICTORS],
)
def test_the_hook_sets_what_predict_and_the_rehearsal_say(tmp_path: Path, predictor: str) -> None:
    found = [accounting_line(number) for number in range(40)]
    source = tmp_path / "20240301"
    source.write_text("".join(found))
    lines = {line.split(";")[2]: line for line in found}
    softs = check_chain(tmp_path, lines, source, predictor)
    assert len(softs - {None}) > 3


@pytest.mark.large
@pytest.mark.parametrize("predictor", PREDICTORS)
def test_the_whole_chain_works_for_61_days(tmp_path: Path, shared: Path, predictor: str) -> None:
    lines = {}
    for path in sorted((shared / "pbs").glob("*.gz")):
        with gzip.open(path, "rt") as file:
            lines |= {line.split(";")[2]: line for line in file if line.split(";")[1] == "E"}
    assert len(check_chain(tmp_path, lines, shared / "pbs", predictor)) > 100
