"""The prediction service: many clients, one predictor, an answer in time or none."""

import asyncio
import logging
import socket
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from pred_aware.production.errors import FeedError, StoreError
from pred_aware.production.figures import Figures
from pred_aware.production.learner import Learner, MakePredictor
from pred_aware.production.messages import (
    LONGEST,
    Asked,
    Ended,
    Estimate,
    Health,
    MessageError,
    OfPbs,
    Request,
    read_request,
    write_answer,
)
from pred_aware.production.pbs_feed import Feed
from pred_aware.production.pbs_requests import asked_by_pbs
from pred_aware.production.sockets import WAITING
from pred_aware.production.store import Position, Store
from pred_aware.version import __version__
from predictors import PredictorError
from schedulers.errors import SchedulerError
from workload_tools.job import Job

_Value = TypeVar("_Value")

MOST_CLIENTS = 1000
"""How many may be connected at once; any further one is turned away."""

MOST_WAITING = 200
"""How many estimates may wait for the predictor; any further request gets no estimate at once."""

IDLE = 60.0
"""After how many seconds without a whole request a client is let go."""

UNREAD = 5.0
"""After how many seconds a client that does not read its answer is let go."""

_logger = logging.getLogger(__name__)


class Service:
    """Answers requests; learns what it is told has ended, when that is safe in the store.

    The predictor and the store have a thread each, so that neither a slow model nor a slow disk
    keeps anybody from an answer; where the predictor has none in time, the answer is that there is
    none.

    Parameters
    ----------
    store
        Where ended jobs are kept.
    make_predictor
        Makes it new, without history.
    deadline
        For how many seconds an estimate may be waited for.
    """

    def __init__(self, store: Store, make_predictor: MakePredictor, *, deadline: float) -> None:
        self._store = store
        self._make_predictor = make_predictor
        self._deadline = deadline
        self._figures = Figures()
        self._learner = self._warm()
        self._predicting = ThreadPoolExecutor(1, "predictor")
        self._storing = ThreadPoolExecutor(1, "store")
        self._in_order = asyncio.Lock()
        self._clients: set[asyncio.Task[None]] = set()
        self._busy: set[asyncio.Task[None]] = set()
        self._waiting = 0
        self._stopping = False
        self._begun = time.monotonic()
        self._last_error: str | None = None

    def _warm(self) -> Learner:
        learner = Learner(self._make_predictor(), self._figures)
        learner.warm(self._store.jobs())
        return learner

    async def serve(
        self, trusted: Sequence[socket.socket], others: Sequence[socket.socket] = ()
    ) -> list[asyncio.Server]:
        """Begin to answer at sockets that listen already.

        Parameters
        ----------
        trusted
            Whoever can open them may do anything.
        others
            There, nobody can tell of ended jobs, or reload.
        """
        return [
            await asyncio.start_server(
                partial(self._client, trusted=place in trusted),
                sock=place,
                limit=LONGEST,
                backlog=WAITING,
            )
            for place in (*trusted, *others)
        ]

    async def stop(self, servers: Sequence[asyncio.Server]) -> None:
        """Take no further clients, answer the requests that are there, and end."""
        self._stopping = True
        for server in servers:
            server.close()
        for client in self._clients - self._busy:
            client.cancel()
        if self._clients:
            await asyncio.wait(self._clients)
        self._predicting.shutdown(wait=False, cancel_futures=True)
        self._storing.shutdown()

    async def ended(self, jobs: Sequence[Job], *, position: Position | None = None) -> int:
        """Keep jobs and learn those that are new; return how many these are.

        Raises
        ------
        StoreError
            They are not kept.
        """
        async with self._in_order:
            new = await self._in(self._storing, partial(self._store.add, jobs, position=position))
            self._figures.counts["ended"] += len(new)
            try:
                await self._in(self._predicting, partial(self._learner.learn, new))
            except (PredictorError, SchedulerError) as error:
                # they are kept, so that a reload with a predictor that is mended has them
                self._failed(error)
        return len(new)

    async def follow(self, feed: Feed) -> None:
        """Learn what a feed tells, for ever; what can't be read or kept is tried again.

        Parameters
        ----------
        feed
            Which is read on from where it was read to, also by a service before this one.
        """
        while True:
            more = False
            try:
                position = await self._in(self._storing, partial(self._store.position, feed.name))
                # in a thread of its own: what it asks may not answer for long
                read = await asyncio.to_thread(feed.read, position)
                if read is not None and read.position != position:
                    await self.ended(read.jobs, position=read.position)
                    more = read.more
            except (StoreError, FeedError, OSError) as error:
                self._failed(error)
            if not more:
                await asyncio.sleep(feed.pause)

    async def reload(self) -> int:
        """Learn everything anew, while the old predictor answers; return how many jobs."""
        async with self._in_order:
            self._learner = learner = await self._in(self._storing, self._warm)
        self._figures.counts["reloads"] += 1
        return learner.learned

    def health(self) -> dict[str, Any]:
        """Return how the service is."""
        return {
            "version": __version__,
            "predictor": repr(self._learner),
            "store": self._store.place,
            "up": time.monotonic() - self._begun,
            "learned": self._learner.learned,
            "clients": len(self._clients),
            "last_error": self._last_error,
            **self._figures.told(),
        }

    async def _client(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, trusted: bool
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._clients) >= MOST_CLIENTS:
            self._figures.counts["turned_away"] += 1
            writer.transport.abort()
            return
        self._clients.add(task)
        try:
            await self._talk(reader, writer, task, trusted=trusted)
        except asyncio.CancelledError:
            # only `stop` does that, to those who wait for no answer
            pass
        except (OSError, TimeoutError):
            self._figures.counts["lost"] += 1
        finally:
            self._clients.discard(task)
            self._busy.discard(task)
            if writer.transport.get_write_buffer_size():
                writer.transport.abort()
            else:
                writer.close()

    async def _talk(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        task: "asyncio.Task[None]",
        *,
        trusted: bool,
    ) -> None:
        """Answer one request after the other."""
        while not self._stopping:
            self._busy.discard(task)
            try:
                line = await asyncio.wait_for(reader.readuntil(), IDLE)
            except asyncio.IncompleteReadError:
                return
            except asyncio.LimitOverrunError:
                self._figures.counts["refused"] += 1
                writer.write(write_answer({"error": f"a request is longer than {LONGEST:,} bytes"}))
                await asyncio.wait_for(writer.drain(), UNREAD)
                return
            received = time.monotonic()
            self._busy.add(task)
            writer.write(write_answer(await self._answered(line, received, trusted=trusted)))
            await asyncio.wait_for(writer.drain(), UNREAD)

    async def _answered(self, line: bytes, received: float, *, trusted: bool) -> dict[str, Any]:
        try:
            return await self._answer(read_request(line), received, trusted=trusted)
        except MessageError as error:
            self._figures.counts["refused"] += 1
            return {"error": str(error)}
        except (StoreError, PredictorError, SchedulerError) as error:
            self._failed(error)
            return {"error": str(error)}

    async def _answer(self, request: Request, received: float, *, trusted: bool) -> dict[str, Any]:
        if isinstance(request, Estimate):
            return await self._estimate(request.job, received)
        if isinstance(request, OfPbs):
            return await self._estimate(asked_by_pbs(request.job), received)
        if isinstance(request, Health):
            return self.health()
        if not trusted:
            raise MessageError("this can be asked at the service's Unix socket only")
        if isinstance(request, Ended):
            return {"new": await self.ended(request.jobs)}
        return {"learned": await self.reload()}

    async def _estimate(self, job: Asked, received: float) -> dict[str, Any]:
        counts = self._figures.counts
        counts["estimates"] += 1
        if self._waiting >= MOST_WAITING:
            counts["too_late"] += 1
            return {"estimate": None, "why": "too many wait for an estimate"}
        submission = job.submission(time.time())
        self._waiting += 1
        try:
            estimate = await asyncio.wait_for(
                self._in(self._predicting, partial(self._learner.estimate, submission)),
                self._deadline - (time.monotonic() - received),
            )
        except TimeoutError:
            counts["too_late"] += 1
            return {"estimate": None, "why": f"no estimate within {self._deadline:g} s"}
        finally:
            self._waiting -= 1
        self._figures.answered(time.monotonic() - received)
        if estimate is None:
            counts["unknown"] += 1
            return {"estimate": None, "why": "nothing is known of such jobs"}
        return {"estimate": estimate}

    def _failed(self, error: Exception) -> None:
        self._figures.counts["failed"] += 1
        self._last_error = str(error)
        _logger.error("%s", error)

    async def _in(self, thread: ThreadPoolExecutor, work: Callable[[], _Value]) -> _Value:
        """Wait for what a thread does; what has not begun when nobody waits is not done."""
        return await asyncio.wrap_future(thread.submit(work))


async def run(
    service: Service,
    *,
    trusted: Sequence[socket.socket],
    others: Sequence[socket.socket] = (),
    feed: Feed | None = None,
    ready: Callable[[], None] = lambda: None,
) -> None:
    """Serve until SIGTERM or SIGINT; learn everything anew at SIGHUP."""
    import signal

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
    servers = await service.serve(trusted, others)
    ready()
    await stopped.wait()
    for task in tasks:
        task.cancel()
    if feed is not None:
        feed.close()
    await service.stop(servers)


async def _reloaded(service: Service) -> None:
    with suppress(asyncio.CancelledError):
        try:
            await service.reload()
        except (StoreError, PredictorError, SchedulerError) as error:
            _logger.error("the old predictor stays: %s", error)  # noqa: TRY400 - not ours to trace
