"""The clients of the service: limits of their number and time, and their answers."""

import asyncio
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from pred_aware.production.messages import LONGEST, write_answer
from pred_aware.production.sockets import ClientLimits, client_limits

IDLE = 60.0
"""Seconds without a request after which a client is disconnected."""

HALF = 5.0
"""Seconds with an incomplete request after which a client is disconnected."""

UNREAD = 5.0
"""Seconds after which a client that does not read its answer is disconnected."""

_AGAIN = 1.0


class Responder(Protocol):
    """Answers a request."""

    def __call__(self, line: bytes, received: float, *, trusted: bool) -> Awaitable[dict[str, Any]]:
        """Return the answer to a line; `received` is its arrival in seconds of `time.monotonic`."""
        ...


class Clients:
    """Accepts clients on listening sockets, and answers each of their lines.

    Trusted and other clients have separate limits, so that other clients cannot exclude trusted
    clients.

    Parameters
    ----------
    answer
        The function that answers requests.
    counts
        Receives the numbers of rejected clients, lost clients, and requests that were too long.
    failed
        Called with each error while accepting clients.
    """

    def __init__(
        self, answer: Responder, counts: Counter[str], failed: Callable[[OSError], None]
    ) -> None:
        self._answer = answer
        self._counts = counts
        self._failed = failed
        self._connected: dict[bool, set[asyncio.Task[None]]] = {True: set(), False: set()}
        self._busy: set[asyncio.Task[None]] = set()
        self._stopping = False

    def __len__(self) -> int:
        """Return the number of connected clients."""
        return sum(map(len, self._connected.values()))

    def serve(
        self, trusted: Sequence[socket.socket], others: Sequence[socket.socket]
    ) -> list[asyncio.Task[None]]:
        """Start accepting clients on the listening sockets; return the tasks to pass to `stop`."""
        room = client_limits()
        return [
            asyncio.create_task(self._let_in(place, room, trusted=place in trusted))
            for place in (*trusted, *others)
        ]

    async def stop(self, serving: Sequence[asyncio.Task[None]]) -> None:
        """Stop accepting clients, answer the current requests, and disconnect."""
        self._stopping = True
        clients = self._connected[True] | self._connected[False]
        for task in (*serving, *(clients - self._busy)):
            task.cancel()
        if clients:
            await asyncio.wait(clients)

    async def _let_in(self, place: socket.socket, room: ClientLimits, *, trusted: bool) -> None:
        most = room.trusted if trusted else room.others
        connected = self._connected[trusted]
        place.setblocking(False)
        with place:
            while True:
                try:
                    connection, _ = await asyncio.get_running_loop().sock_accept(place)
                except OSError as error:
                    self._failed(error)
                    await asyncio.sleep(_AGAIN)
                    continue
                if len(connected) >= most:
                    self._counts["turned_away"] += 1
                    connection.close()
                else:
                    task = asyncio.create_task(self._client(connection, trusted=trusted))
                    connected.add(task)
                    task.add_done_callback(connected.discard)
                # let other tasks run, even if many clients connect simultaneously
                await asyncio.sleep(0)

    async def _client(self, connection: socket.socket, *, trusted: bool) -> None:
        task = asyncio.current_task()
        assert task is not None
        try:
            reader, writer = await asyncio.open_connection(sock=connection, limit=LONGEST)
        except OSError:
            self._counts["lost"] += 1
            connection.close()
            return
        try:
            await self._talk(reader, writer, task, trusted=trusted)
        except asyncio.CancelledError:
            # only `stop` cancels, and only clients without a current request
            pass
        except (OSError, TimeoutError):
            self._counts["lost"] += 1
        finally:
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
        """Answer requests one after another."""
        while not self._stopping:
            self._busy.discard(task)
            try:
                line = await _line(reader)
            except asyncio.IncompleteReadError:
                return
            except asyncio.LimitOverrunError:
                self._counts["refused"] += 1
                writer.write(write_answer({"error": f"a request is longer than {LONGEST:,} bytes"}))
                await asyncio.wait_for(writer.drain(), UNREAD)
                return
            received = time.monotonic()
            self._busy.add(task)
            writer.write(write_answer(await self._answer(line, received, trusted=trusted)))
            await asyncio.wait_for(writer.drain(), UNREAD)


async def _line(reader: asyncio.StreamReader) -> bytes:
    """Return the next request; after its first byte, the rest must arrive within `HALF` seconds."""
    async with asyncio.timeout(IDLE) as limit:
        first = await reader.readexactly(1)
        if first == b"\n":
            return first
        limit.reschedule(asyncio.get_running_loop().time() + HALF)
        return first + await reader.readuntil()
