import asyncio
import json
import logging
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest

from pred_aware.log.job_log import read_log
from pred_aware.log.past_jobs import SUBMISSION, past_jobs
from pred_aware.prediction.predict import predict
from pred_aware.production import service as service_module
from pred_aware.production.errors import JobStoreError
from pred_aware.production.feed import Read
from pred_aware.production.learner import predictor_of
from pred_aware.production.messages import LONGEST, JobDescription, MessageError, read_request
from pred_aware.production.monitoring import Figures, Healthy, exposition
from pred_aware.production.schema import why_not
from pred_aware.production.service import LEARNED_AT_ONCE, Service
from pred_aware.production.sockets import listen_at
from pred_aware.production.store import WHOLE, JobDatabase, Position
from predictors import Submission
from tests.pred_aware.command import Command
from tests.pred_aware.production.jobs import ended, told_ended
from tests.pred_aware.production.serving import Serving, answer_to
from workload_tools.job import Job
from workload_tools.log import gather
from workload_tools.pbs import PbsLog

PREDICTORS = ("pbs_v1", "pbs_v2", "pbs_v3", "pbs_released", "similar")
ANN: dict[str, Any] = {"ask": "estimate", "job": {"user": "ann", "walltime": 600, "processors": 4}}


def test_a_job_gets_an_estimate_from_ended_jobs(serving: Serving) -> None:
    assert serving.ask(ANN) == {"estimate": 200.0}
    assert serving.ask({"ask": "estimate", "job": {"user": "new"}})["estimate"] is None


def test_health_can_be_read_while_requests_are_counted() -> None:
    figures, done = Figures(), threading.Event()

    def note() -> None:
        while not done.is_set():
            figures.count_end(60.0, 90.0)
            figures.count_answer(0.1)

    noting = threading.Thread(target=note)
    noting.start()
    try:
        assert all(figures.to_dict(0.0)["drift"] in (None, 1.0) for _ in range(300))
    finally:
        done.set()
        noting.join()


def test_a_refused_request_gets_an_error_and_the_service_goes_on(serving: Serving) -> None:
    with serving.connected() as asking:
        for line in (b"{", b'{"ask": "x"}', b"\xff\xfe", b"[" * 9000,
                     b'{"ask": "estimate", "job": {"walltime": "1 h"}}'):  # fmt: skip
            assert answer_to(asking, line)["error"].startswith("invalid request: ")
        refused = answer_to(asking, told_ended(ended("9", status=99999999999999999999)))
        assert "job '9' cannot be stored: status is " in refused["error"]
        job = {"user": "ann", "walltime": -1}
        assert "walltime" in answer_to(asking, {"ask": "estimate", "job": job})["error"]
        assert answer_to(asking, ANN) == {"estimate": 200.0}


def test_a_message_of_10_mb_is_refused_and_the_service_goes_on(serving: Serving) -> None:
    with serving.connected() as asking, pytest.raises(OSError, match=r"pipe|reset"):
        asking.sendall(b"x" * 10 * 2**20)
    assert LONGEST < 2**20
    assert serving.ask(ANN) == {"estimate": 200.0}


def test_partial_messages_and_clients_that_never_read_block_no_other(serving: Serving) -> None:
    with serving.connected() as half, serving.connected() as silent:
        half.sendall(b'{"ask": "esti')
        silent.settimeout(0.2)
        with pytest.raises(TimeoutError):
            silent.sendall(b'{"ask": "health"}\n' * 100_000)
        assert serving.ask(ANN) == {"estimate": 200.0}


def test_many_clients_are_answered_at_once(serving: Serving) -> None:
    clients = [serving.connected() for _ in range(200)]
    for client in clients:
        client.sendall(json.dumps(ANN).encode() + b"\n")
    for client in clients:
        with client, client.makefile() as answers:
            assert json.loads(answers.readline()) == {"estimate": 200.0}


def test_a_slow_list_of_nodes_does_not_delay_other_requests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = threading.Event()

    def read_for_long(_: dict[str, str]) -> JobDescription:
        assert read.wait(20)
        return JobDescription(user="ann")

    async def run() -> tuple[Any, Any]:
        with JobDatabase(tmp_path / "jobs.db") as store:
            service = Service(store, predictor_of("last_two"), deadline=20.0)
            serving = await service.serve([listen_at(tmp_path / "s")])
            slow = asyncio.create_task(asked(tmp_path / "s", {"ask": "pbs", "job": {}}))
            await asyncio.sleep(0.05)
            health = await asked(tmp_path / "s", {"ask": "health"})
            read.set()
            answers = health, await slow
            await service.stop(serving)
        return answers

    monkeypatch.setattr("pred_aware.production.service.job_of_pbs", read_for_long)
    (health,), (estimate,) = asyncio.run(run())
    assert health["clients"] == 2
    assert estimate["estimate"] is None


def test_names_with_quotes_and_sql_are_stored_unchanged(serving: Serving) -> None:
    name = "'; DROP TABLE ended_jobs; --\"\0"
    assert serving.ask(told_ended(ended("3", user=name, run_time=9.0))) == {"new": 1}
    assert serving.ask({"ask": "health"})["last_error"] is None


def test_only_the_user_can_open_the_socket_and_only_one_service_can_use_it(
    serving: Serving, tmp_path: Path, command: Command
) -> None:
    assert serving.socket.stat().st_mode & 0o777 == 0o600
    told = command("service", "serve", "--store", tmp_path / "other.db", "--socket", serving.socket,
                   "--predictor", "pbs_v1")  # fmt: skip
    assert (told.code, told.err) == (
        2, f"pred-aware: error: {serving.socket}: another service is listening there\n"
    )  # fmt: skip
    assert serving.ask(ANN) == {"estimate": 200.0}


def test_health_has_requests_latency_and_errors(serving: Serving, command: Command) -> None:
    serving.ask(ANN)
    told = json.loads(command("service", "health", serving.socket, "--json").out)
    assert told["predictor"] == "last_two"
    assert told["requests"]["estimates"] >= 1
    assert 0 < told["latency_median"] <= told["latency_p99"]
    assert told["underestimated_lately"] <= 1
    assert "estimates took" in command("service", "health", serving.socket).out


def test_health_exits_with_1_and_names_each_exceeded_limit(
    serving: Serving, command: Command
) -> None:
    serving.ask(told_ended(ended("5", user="eve", run_time=500.0, soft_walltime=1.0)))
    limits = ("--max-outlived", 0, "--max-age", 0, "--min-requests", 10**6)
    told = command("service", "health", serving.socket, *limits)
    named = [line.split()[1] for line in told.err.splitlines()]
    assert (told.code, named) == (1, ["--max-outlived", "--max-age", "--min-requests"])
    assert "jobs learned from" in told.out
    kept = ("--max-outlived", 1, "--max-age", 3600, "--min-requests", 1, "--no-failure")
    serving.ask(ANN)
    assert command("service", "health", serving.socket, *kept, "--json").code == 0


def test_health_in_prometheus_format_exists_also_for_a_stopped_service(
    serving: Serving, command: Command, tmp_path: Path
) -> None:
    lines = command("service", "health", serving.socket, "--prometheus").out.splitlines()
    names = [line.split()[2] for line in lines if line.startswith("# TYPE ")]
    assert len(names) == len(set(names)) >= 10
    sample = re.compile(r'(\w+)(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)+\})? [0-9.e+-]+')
    samples = [sample.fullmatch(line) for line in lines if not line.startswith("#")]
    assert {one and one.group(1) for one in samples} == set(names)
    assert "pred_aware_up 1" in lines
    gone = command("service", "health", tmp_path / "none", "--prometheus")
    assert (gone.code, gone.out.splitlines()[-1]) == (2, "pred_aware_up 0")


def test_prometheus_accepts_the_format(serving: Serving) -> None:
    lines = exposition(msgspec.convert(serving.ask({"ask": "health"}), Healthy)).splitlines()
    labels = {name for line in lines if line[0] != "#" for name in re.findall(r'[{,](\w+)="', line)}
    assert {"version", "predictor", "event"} <= labels <= {"version", "predictor", "event", "rank"}
    assert not labels & {"quantile", "le"}, "reserved for summaries and histograms"
    if (promtool := shutil.which("promtool")) is not None:
        told = "".join(f"{line}\n" for line in lines)
        subprocess.run([promtool, "check", "metrics"], input=told, text=True, check=True)  # noqa: S603 - Prometheus' own


def test_an_impossible_number_is_refused() -> None:
    for name, number in (
        ("run_time", 1e12), ("run_time", 1e10), ("wait_time", 1e12), ("walltime", 1e12),
        ("soft_walltime", 1e12), ("processors", 2**31), ("nodes", 2**31), ("gpus", 2**31),
        ("memory", 2.0**60), ("submit_time", 1e12), ("submit_time", -1e12),
    ):  # fmt: skip
        job = msgspec.structs.replace(ended("1"), **{name: number})
        assert why_not(job) == f"{name} is {number}", name
        if name in JobDescription.__struct_fields__:
            line = json.dumps({"ask": "estimate", "job": {name: number}}).encode()
            with pytest.raises(MessageError, match=name):
                read_request(line)
    assert why_not(ended("1", walltime=2.0**32, submit_time=4e9)) is None


class Slow:
    """Predicts in a minute, unless the user is Ann."""

    def predict(self, submission: Submission, now: float) -> float:
        if submission.user != "ann":
            time.sleep(0.3)
        return 60.0

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        if submission.user == "nobody":
            raise ValueError("no such user")


async def asked(path: Path, *requests: dict[str, Any]) -> list[dict[str, Any]]:
    reader, writer = await asyncio.open_unix_connection(path)
    answers = []
    for request in requests:
        writer.write(json.dumps(request).encode() + b"\n")
        answers.append(json.loads(await reader.readline()))
    writer.close()
    return answers


def within_a_service(
    folder: Path,
    predictor: Any,  # noqa: ANN401 - anything that makes one
    *requests: dict[str, Any],
    deadline: float = 20.0,
) -> list[Any]:
    """Ask a service in this process, with any predictor."""

    async def run() -> list[Any]:
        with JobDatabase(folder / "jobs.db") as store:
            service = Service(store, predictor, deadline=deadline)
            servers = await service.serve([listen_at(folder / "s")])
            answers = await asked(folder / "s", *requests)
            await service.stop(servers)
        return answers

    return asyncio.run(run())


def test_a_predictor_that_takes_too_long_gives_no_estimate(tmp_path: Path) -> None:
    bob = {"ask": "estimate", "job": {"user": "bob"}}
    late, health = within_a_service(tmp_path, Slow, bob, {"ask": "health"}, deadline=0.1)
    assert late == {"estimate": None, "why": "no estimate within 0.1 s"}
    assert health["requests"]["too_late"] == 1


def test_a_job_on_which_the_predictor_fails_is_kept_and_the_next_is_learned(tmp_path: Path) -> None:
    jobs = told_ended(ended("1", user="nobody"), ended("2"))
    answer, health, _, later = within_a_service(
        tmp_path, Slow, jobs, {"ask": "health"}, told_ended(ended("3")), {"ask": "health"}
    )
    assert (answer, health["learned"], health["failing"]) == ({"new": 2}, 1, ["learning"])
    assert "no such user" in health["last_error"]
    # a past error is still reported, with its date
    assert later["failing"] == []
    assert later["last_error_date"] == health["last_error_date"] <= time.time()


class Flood:
    """A feed of 1,000 jobs at once that reports doubts about their completeness."""

    name, pause = "flood", 60.0

    def read(self, positions: Mapping[str, int]) -> Read:
        jobs = [ended(str(number), user="carol") for number in range(1000)]
        return Read(jobs, Position(self.name, WHOLE, 7), more=False, doubt="some are hidden")

    def close(self) -> None:
        """Nothing to do."""


class Counts:
    """Stores the number of learned jobs at Ann's request."""

    learned: ClassVar[list[str]] = []
    seen: ClassVar[set[int]] = set()

    def predict(self, submission: Submission, now: float) -> float:
        if submission.user == "ann":
            self.seen.add(len(self.learned))
        return 60.0

    def learn(self, submission: Submission, run_time: float, now: float) -> None:
        self.learned.append(submission.id)


def test_estimates_are_answered_while_many_jobs_are_learned(tmp_path: Path) -> None:
    async def run() -> dict[str, Any]:
        with JobDatabase(tmp_path / "jobs.db") as store:
            service = Service(store, Counts, deadline=20.0)
            servers = await service.serve([listen_at(tmp_path / "s")])
            following = asyncio.create_task(service.follow(Flood()))
            health: dict[str, Any] = {}
            while not health.get("failing"):
                _, health = await asked(tmp_path / "s", ANN, {"ask": "health"})
            following.cancel()
            await service.stop(servers)
        return health

    health = asyncio.run(run())
    assert (health["failing"], health["last_error"]) == (["feed"], "some are hidden")
    assert Counts.seen & {200, 400, 600, 800}
    assert all(number % LEARNED_AT_ONCE == 0 for number in Counts.seen)


def test_a_reload_learns_exactly_the_jobs_of_the_store(tmp_path: Path) -> None:
    async def run() -> list[Any]:
        with JobDatabase(tmp_path / "jobs.db") as store:
            store.add([ended("1", run_time=100.0), ended("2", run_time=300.0)])
            service = Service(store, predictor_of("last_two"), deadline=20.0)
            servers = await service.serve([listen_at(tmp_path / "s")])
            answers = await asked(tmp_path / "s", ANN)
            store.forget("ann")
            answers += await asked(tmp_path / "s", {"ask": "reload"}, ANN)
            await service.stop(servers)
        return answers

    before, reloaded, after = asyncio.run(run())
    assert (before, reloaded, after["estimate"]) == ({"estimate": 200.0}, {"learned": 0}, None)


def test_the_service_and_predict_give_the_same_estimates(tmp_path: Path) -> None:
    log = tmp_path / "20240301"
    log.write_text("".join(map(accounting_line, range(40))))
    jobs = gather(PbsLog(log)).jobs
    requests, submitted = [], []
    for kind, place in past_jobs(jobs).events(starts=False):
        job = jobs[place]
        if kind == SUBMISSION:
            known = msgspec.to_builtins(msgspec.convert(job, Submission, from_attributes=True))
            requests.append({"ask": "estimate", "job": known})
            submitted.append(job)
        else:
            requests.append(told_ended(job))
    for predictor in PREDICTORS:
        (folder := tmp_path / predictor).mkdir()
        answers = within_a_service(folder, predictor_of(predictor), *requests)
        estimates = [answer["estimate"] for answer in answers if "new" not in answer]
        served = {
            job.id: job.walltime if estimate is None else estimate
            for job, estimate in zip(submitted, estimates, strict=True)
        }
        frame = predict(read_log(log), predictor).frame
        assert served == dict(zip(frame["job_id"], frame["estimate"], strict=True)), predictor
        assert len(set(served.values())) > 5, predictor


def accounting_line(number: int) -> str:
    """Make the record of the end of a job; ends and submissions fall into the same seconds."""
    start = 1000 + 30 * number
    lasted = 30 * (1 + number * 7 % 11)
    return (
        f"03/01/2024 11:00:00;E;{number}.srv;user=u{number % 3} queue=q ctime={start - 30} "
        f"start={start} end={start + lasted} Resource_List.ncpus={1 + number % 2} "
        f"Resource_List.walltime=0{number % 2}:30:00 Exit_status=0 "
        f"resources_used.walltime=00:{lasted // 60:02}:{lasted % 60:02}\n"
    )


def test_a_failing_store_is_an_error_for_the_client_and_a_line_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(*_: object, **__: object) -> list[Job]:
        raise JobStoreError("the disk is full")

    caplog.set_level(logging.INFO, "pred_aware.production")
    monkeypatch.setattr(JobDatabase, "add", refuse)
    requests = [told_ended(ended("1"))] * 50
    health, reload = {"ask": "health"}, {"ask": "reload"}
    *answers, learned, _ = within_a_service(tmp_path, Slow, *requests, health, reload)
    assert answers == [{"error": "the disk is full"}] * 50
    assert learned["learned"] == 0
    told = [one.getMessage() for one in caplog.records if one.name.startswith("pred_aware")]
    assert told == [
        "keeping: the disk is full",
        f"learned again: 0 jobs from {tmp_path / 'jobs.db'}",
        "keeping: 49 more failures, the last: the disk is full",
    ]


def test_the_log_has_a_daily_summary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "pred_aware.production")
    monkeypatch.setattr(service_module, "AGAIN", 0.001)
    monkeypatch.setattr(service_module, "DAY", 0.001)

    async def run() -> None:
        with JobDatabase(tmp_path / "jobs.db") as store:
            service = Service(store, predictor_of("last_two"), deadline=20.0)
            watching = asyncio.create_task(service.watch())
            await asyncio.sleep(0)
            await service.ended([ended("1"), ended("2")])
            async with asyncio.timeout(20):
                while "in a day: 2 ended jobs, 0 estimates" not in caplog.text:  # noqa: ASYNC110
                    await asyncio.sleep(0.001)
            watching.cancel()
            await service.stop([])

    asyncio.run(run())
