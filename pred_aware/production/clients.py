"""The clients of the service: how many are let in, for how long, and that each gets its answers."""

import asyncio
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from pred_aware.production.messages import LONGEST, write_answer
from pred_aware.production.sockets import ClientLimits, client_limits

IDLE = 60.0
"""After how many seconds without a request a client is let go."""

HALF = 5.0
"""After how many seconds with half a request a client is let go."""

UNREAD = 5.0
"""After how many seconds a client that does not read its answer is let go."""

_AGAIN = 1.0


class Responder(Protocol):
    """Answers a request."""

    def __call__(self, line: bytes, received: float, *, trusted: bool) -> Awaitable[dict[str, Any]]:
        """Return the answer to a line that was there at a date of the monotonic clock."""
        ...


class Clients:
    """Lets clients in at sockets that listen, and answers each of their lines.

    Those who are trusted and the others have a limit each, so that nobody who is not keeps out
    those who are.

    Parameters
    ----------
    answer
        What answers.
    counts
        Where it is counted who was turned away, lost, or too long.
    failed
        Told of what keeps clients from being let in.
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
        """How many are connected."""
        return sum(map(len, self._connected.values()))

    def serve(
        self, trusted: Sequence[socket.socket], others: Sequence[socket.socket]
    ) -> list[asyncio.Task[None]]:
        """Begin to let clients in at sockets that listen already; return who does, for `stop`."""
        room = client_limits()
        return [
            asyncio.create_task(self._let_in(place, room, trusted=place in trusted))
            for place in (*trusted, *others)
        ]

    async def stop(self, serving: Sequence[asyncio.Task[None]]) -> None:
        """Let nobody in, answer the requests that are there, and end."""
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
                # others have their turn, too, however many come at once
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
            # only `stop` does that, to those who wait for no answer
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
        """Answer one request after the other."""
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
    """Wait for a request; not as long for the rest of one as for its first byte."""
    async with asyncio.timeout(IDLE) as limit:
        first = await reader.readexactly(1)
        if first == b"\n":
            return first
        limit.reschedule(asyncio.get_running_loop().time() + HALF)
        return first + await reader.readuntil()
