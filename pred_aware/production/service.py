"""The prediction service: many clients use one predictor, and get estimates within a deadline."""

import asyncio
import gc
import logging
import math
import socket
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from pred_aware.production.clients import Clients
from pred_aware.production.errors import FeedError, JobStoreError
from pred_aware.production.feed import Feed
from pred_aware.production.learner import Learner, MakePredictor
from pred_aware.production.messages import (
    EstimateRequest,
    FinishedJobs,
    Health,
    JobDescription,
    MessageError,
    PbsEstimate,
    Request,
    read_request,
)
from pred_aware.production.monitoring import AGAIN, Failures, Figures, in_a_day
from pred_aware.production.pbs_requests import job_of_pbs
from pred_aware.production.schema import why_not
from pred_aware.production.store import JobDatabase, Position
from pred_aware.version import __version__
from predictors import PredictorError
from schedulers.errors import SchedulerError
from workload_tools.job import Job

_Value = TypeVar("_Value")

MOST_WAITING = 200
"""Largest number of estimates that wait for the predictor; further requests get no estimate."""

LEARNED_AT_ONCE = 200
"""Number of jobs that are learned in one step, during which requests for estimates wait."""

DAY = 86400.0
"""Seconds between two summaries in the log."""

_logger = logging.getLogger(__name__)


class _FailedError(Exception):
    """A request failed and the failure is recorded; the message goes to the client."""


class Service:
    """Answers requests, and learns ended jobs after they are safely stored.

    Predictor and store have a thread each, so that a slow model or disk does not delay answers that
    do not need it. If the predictor has no estimate in time, the answer says so.

    Parameters
    ----------
    store
        The store of ended jobs.
    make_predictor
        Creates a new predictor without history.
    deadline
        Longest time for an estimate, in seconds.
    """

    def __init__(
        self, store: JobDatabase, make_predictor: MakePredictor, *, deadline: float
    ) -> None:
        self._store = store
        self._make_predictor = make_predictor
        self._deadline = deadline
        self._figures = Figures()
        self._learner = self._warm()
        self._predicting = ThreadPoolExecutor(1, "predictor")
        self._storing = ThreadPoolExecutor(1, "store")
        self._in_order = asyncio.Lock()
        self._clients = Clients(
            self._answered, self._figures.counts, partial(self.failed, "clients")
        )
        self._waiting = 0
        self._begun = time.monotonic()
        self._failures = Failures()
        newest = self._learner.newest_end
        # at most the current date: a future date would hide that learning has stopped
        self._learned_at = None if newest is None else min(newest, time.time())

    def _warm(self) -> Learner:
        learner = Learner(self._make_predictor(), self._figures)
        learner.warm(self._store.jobs())
        return learner

    async def serve(
        self, trusted: Sequence[socket.socket], others: Sequence[socket.socket] = ()
    ) -> list[asyncio.Task[None]]:
        """Start answering on the listening sockets; return the tasks to pass to `stop`.

        Parameters
        ----------
        trusted
            Sockets whose clients may send any request.
        others
            Sockets whose clients may not report ended jobs or reload.
        """
        return self._clients.serve(trusted, others)

    async def stop(self, serving: Sequence[asyncio.Task[None]]) -> None:
        """Stop accepting clients, answer the current requests, and end."""
        await self._clients.stop(serving)
        self._predicting.shutdown(wait=False, cancel_futures=True)
        self._storing.shutdown()
        self._report(math.inf)

    async def ended(self, jobs: Sequence[Job], *, position: Position | None = None) -> int:
        """Store jobs, learn the new ones, and return their number.

        Raises
        ------
        JobStoreError
            The jobs are not stored.
        """
        async with self._in_order:
            new = await self._in(self._storing, partial(self._store.add, jobs, position=position))
            self._failures.succeeded("keeping")
            self._figures.counts["ended"] += len(new)
            if not new:
                return 0
            self._learned_at = time.time()
            try:
                await self._in(self._predicting, partial(self._learner.learn, new))
            except (PredictorError, SchedulerError) as error:
                # the jobs are stored, so a corrected predictor learns them after a reload
                self.failed("learning", error)
            else:
                self._failures.succeeded("learning")
        return len(new)

    async def follow(self, feed: Feed) -> None:
        """Learn the jobs of a feed, for ever; repeat a read or write that fails.

        Parameters
        ----------
        feed
            The feed; reading continues at the position that the store has for it.
        """
        positions: dict[str, int] | None = None
        while True:
            more = False
            try:
                await self._in(self._storing, partial(self._store.claim, feed.name))
                if positions is None:
                    positions = await self._in(
                        self._storing, partial(self._store.positions, feed.name)
                    )
                # read in a separate thread, because the read may block for long
                read = await asyncio.to_thread(feed.read, positions)
                at = None if read is None else positions.get(read.position.file)
                if read is not None and (read.jobs or at != read.position.offset):
                    # learn in small parts, so that estimates do not wait; the last part stores
                    # the position
                    *others, last = _parts(read.jobs)
                    for part in others:
                        await self.ended(part)
                    await self.ended(last, position=read.position)
                    positions[read.position.file] = read.position.offset
                    more = read.more
                if read is not None and read.doubt:
                    self.failed("feed", FeedError(read.doubt))
                else:
                    self._failures.succeeded("feed")
            except (JobStoreError, FeedError, OSError) as error:
                self.failed("feed", error)
                positions = None
            if not more:
                await asyncio.sleep(feed.pause)

    async def watch(self) -> None:
        """Log continuing failures, and a summary each day, for ever."""
        before, since = Counter(self._figures.counts), time.monotonic()
        while True:
            await asyncio.sleep(AGAIN)
            self._report(time.monotonic())
            if time.monotonic() - since >= DAY:
                counts = self._figures.counts
                _logger.info("%s", in_a_day(counts - before, self._figures.outlived))
                before, since = Counter(counts), since + DAY

    async def reload(self) -> int:
        """Let a new predictor learn all stored jobs while the old one answers; return how many."""
        async with self._in_order:
            self._learner = learner = await self._in(self._storing, self._warm)
        self._figures.counts["reloads"] += 1
        self._failures.succeeded("reloading")
        _logger.info("learned again: %s jobs from %s", f"{learner.learned:,}", self._store.place)
        return learner.learned

    def health(self) -> dict[str, Any]:
        """Return the service's health report."""
        return {
            "version": __version__,
            "predictor": repr(self._learner),
            "store": self._store.place,
            "up": time.monotonic() - self._begun,
            "learned": self._learner.learned,
            "learned_at": self._learned_at,
            "clients": len(self._clients),
            "failing": self._failures.failing,
            "last_error": self._failures.last,
            "last_error_date": self._failures.last_date,
            **self._figures.to_dict(time.monotonic()),
        }

    async def _answered(self, line: bytes, received: float, *, trusted: bool) -> dict[str, Any]:
        try:
            return await self._answer(read_request(line), received, trusted=trusted)
        except MessageError as error:
            self._figures.counts["refused"] += 1
            return {"error": str(error)}
        except _FailedError as failed:
            return {"error": failed.args[0]}

    async def _answer(self, request: Request, received: float, *, trusted: bool) -> dict[str, Any]:
        if isinstance(request, EstimateRequest):
            return await self._estimate(request.job, received)
        if isinstance(request, PbsEstimate):
            return await self._estimate(partial(job_of_pbs, request.job), received)
        if isinstance(request, Health):
            return self.health()
        if not trusted:
            raise MessageError("this request is allowed only at the service's Unix socket")
        if isinstance(request, FinishedJobs):
            for job in request.jobs:
                if (reason := why_not(job)) is not None:
                    raise MessageError(f"job '{job.id}' cannot be stored: {reason}")
            with self._noted("keeping"):
                return {"new": await self.ended(request.jobs)}
        with self._noted("reloading"):
            return {"learned": await self.reload()}

    async def _estimate(
        self, job: JobDescription | Callable[[], JobDescription], received: float
    ) -> dict[str, Any]:
        counts = self._figures.counts
        self._figures.count_request(received)
        if self._waiting >= MOST_WAITING:
            counts["too_late"] += 1
            return {"estimate": None, "why": "too many requests are waiting"}
        now = time.time()

        def work() -> float | None:
            # this runs in the predictor's thread, because reading PBS's attributes may take long
            description = job if isinstance(job, JobDescription) else job()
            return self._learner.estimate(description.submission(now))

        self._waiting += 1
        try:
            with self._noted("estimating"):
                estimate = await asyncio.wait_for(
                    self._in(self._predicting, work),
                    self._deadline - (time.monotonic() - received),
                )
        except TimeoutError:
            counts["too_late"] += 1
            return {"estimate": None, "why": f"no estimate within {self._deadline:g} s"}
        finally:
            self._waiting -= 1
        self._failures.succeeded("estimating")
        self._figures.count_answer(time.monotonic() - received)
        if estimate is None:
            counts["unknown"] += 1
            return {"estimate": None, "why": "the predictor has no estimate for this job"}
        return {"estimate": estimate}

    @contextmanager
    def _noted(self, what: str) -> Iterator[None]:
        """Record an error for the operator, and raise it for the client."""
        try:
            yield
        except (JobStoreError, PredictorError, SchedulerError) as error:
            self.failed(what, error)
            raise _FailedError(str(error)) from error

    def failed(self, what: str, error: Exception) -> None:
        """Record a failure, and log it, at most once a minute per operation."""
        self._figures.counts["failed"] += 1
        words = str(error)
        if isinstance(error, OSError):
            words = f"{error.filename or 'a file'}: {error.strerror or error}"
        line = self._failures.add(what, words, date=time.time(), now=time.monotonic())
        if line is not None:
            _logger.error("%s", line)

    def _report(self, now: float) -> None:
        for line in self._failures.due(now=now):
            _logger.error("%s", line)

    async def _in(self, thread: ThreadPoolExecutor, work: Callable[[], _Value]) -> _Value:
        """Run work in a thread; if the caller is cancelled first, the work does not begin."""
        return await asyncio.wrap_future(thread.submit(work))


def _parts(jobs: Sequence[Job]) -> list[Sequence[Job]]:
    """Divide jobs into parts that are stored and learned one after another; at least one part."""
    starts = range(0, max(len(jobs), 1), LEARNED_AT_ONCE)
    return [jobs[start : start + LEARNED_AT_ONCE] for start in starts]


def _answer_soon() -> None:
    """Reduce the delays of the event loop by other threads and garbage collection."""
    sys.setswitchinterval(0.0005)
    gc.freeze()
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, 10_000)


async def run(
    service: Service,
    *,
    trusted: Sequence[socket.socket],
    others: Sequence[socket.socket] = (),
    feed: Feed | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve until SIGTERM or SIGINT; learn all stored jobs again at SIGHUP."""
    import signal

    _answer_soon()
    loop = asyncio.get_running_loop()
    stopped = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    tasks: set[asyncio.Task[None]] = set()
    if feed is not None:
        tasks.add(asyncio.create_task(service.follow(feed)))

    def reload() -> None:
        task = asyncio.create_task(_reloaded(service))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    loop.add_signal_handler(signal.SIGHUP, reload)
    tasks.add(asyncio.create_task(service.watch()))
    serving = await service.serve(trusted, others)
    ready()
    await stopped.wait()
    for task in tasks:
        task.cancel()
    if feed is not None:
        feed.close()
    await service.stop(serving)


async def _reloaded(service: Service) -> None:
    with suppress(asyncio.CancelledError):
        try:
            await service.reload()
        except (JobStoreError, PredictorError, SchedulerError) as error:
            service.failed("reloading", error)
