"""The clock of the real Batsim, exact to the last bit of a double.

Actors sleep and send messages to one mailbox. Each sleep and message has a remaining time. A step
of the clock is the smallest remaining time, and it is subtracted from all others in double
arithmetic. The rounding errors decide which of two events with mathematically equal dates comes
first.
"""

from collections import deque
from collections.abc import Generator
from operator import itemgetter
from typing import Generic, TypeVar

import numpy as np

Working = TypeVar("Working")

SHARE_PRECISION = 1e-14
"""Work is done when less than this fraction is left."""


class RemainingWork(Generic[Working]):
    """The remaining fraction of work of each actor that computes.

    Unlike a sleep, work is not stored in seconds. The fraction begins at 1, and each step of the
    clock subtracts rate x step, rounded to a double. So work and a sleep that mathematically end
    together can end one step apart.
    """

    def __init__(self) -> None:
        self.actors: list[Working] = []
        """The actors that compute, in the order in which they began."""
        self._numbers: list[int] = []
        self._rates = np.empty(0)
        self._shares = np.empty(0)

    def begin(self, actor: Working, rate: float, *, number: int) -> None:
        """Begin an actor's work. `rate` is the fraction that is done per second."""
        self.actors.append(actor)
        self._numbers.append(number)
        self._rates = np.append(self._rates, rate)
        self._shares = np.append(self._shares, 1.0)

    def rest(self) -> float:
        """Return the remaining seconds of the work that ends first."""
        return float((self._shares / self._rates).min())

    def advance(self, step: float) -> bool:
        """Advance by `step` seconds; return whether some work is done."""
        self._shares -= self._rates * step
        return bool((self._shares < SHARE_PRECISION).any())

    def over(self) -> list[tuple[int, Working]]:
        """Return numbers and actors of all finished work, in the order in which it began."""
        places = np.flatnonzero(self._shares < SHARE_PRECISION).tolist()
        return [(self._numbers[place], self.actors[place]) for place in places]

    def end(self, actor: Working) -> None:
        """Remove an actor's work, if it has any."""
        if actor not in self.actors:
            return
        place = self.actors.index(actor)
        del self.actors[place], self._numbers[place]
        self._rates = np.delete(self._rates, place)
        self._shares = np.delete(self._shares, place)


SLEEP, SEND, RECEIVE, CREATE, COMPUTE = range(5)
"""The requests of an actor; see `Actor`."""

ActorRequest = tuple[int, float, float, object]

TIME_PRECISION = 1e-9
"""A sleep is over when less than this is left, in seconds."""

BYTE_PRECISION = 1e-14
"""A message has arrived when fewer bytes than this are left."""

NEVER = float("inf")


class Actor:
    """An actor. Its `life` is a generator of requests; the actor waits until each is served.

    The requests are:

    - ``(SLEEP, seconds, 0, None)``
    - ``(SEND, latency, rate, message)``, with the rate in bytes per second
    - ``(RECEIVE, 0, 0, None)``: returns the message
    - ``(CREATE, 0, 0, actor)``
    - ``(COMPUTE, limit, rate, None)``, with the limit in seconds and the fraction of work that is
      done per second: returns whether the work was done before the limit
    """

    __slots__ = ("answer", "life", "resume")

    def __init__(self, life: Generator[ActorRequest, object, None]) -> None:
        self.life = life
        self.resume = life.send
        self.answer: object = None


class Kernel:
    """Runs actors and keeps the time.

    Each date has rounds. In a round, all actors that can run proceed to their next request. Then
    their requests are served in the order of these actors. The date ends when no actor can run. A
    created actor runs in the next round, before its creator. There is one mailbox with one
    receiver. A sender waits until its message has arrived. Messages travel one after another, in
    the order of sending. Each message takes the latency, and then the time for one byte.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self.waiting_senders: deque[tuple[Actor, float, float, object]] = deque()
        """The actors whose messages have not been received yet."""
        self._rate = 0.0
        self._receiver: Actor | None = None
        # The state of the message that is under way
        self._sender: Actor | None = None
        self._met: tuple[Actor, ...] = ()
        self._message_number = 0
        self._latency_left = 0.0
        self._bytes_left = 0.0
        # The sleeps, in the order in which they began: remaining time, actor, number
        self._rests = np.empty(64)
        self._view = self._rests[:0]
        self._sleepers: list[Actor] = []
        self._numbers: list[int] = []
        self._works: RemainingWork[Actor] = RemainingWork()
        # The steps still to be subtracted from each remaining time, and the smallest result
        self._steps: list[float] = []
        self._smallest = NEVER
        self._number = 0

    def run(self, actors: list[Actor]) -> None:
        """Run until no actor can act any more."""
        runnable = actors
        while True:
            while runnable:
                runnable = self._round(runnable)
            if self._sender is None and not self._sleepers and not self._works.actors:
                return
            runnable = self._advance()

    def kill(self, actor: Actor) -> None:
        """End an actor that sleeps or computes."""
        self._flush()
        self._forget(actor)
        actor.life.close()

    def _round(self, runnable: list[Actor]) -> list[Actor]:
        requests = []
        for actor in runnable:
            try:
                requests.append((actor, actor.resume(actor.answer)))
            except StopIteration:
                continue
            actor.answer = None
        following: list[Actor] = []
        for actor, (kind, amount, rate, what) in requests:
            if kind == SEND:
                if self._receiver is not None:
                    self._begin(actor, amount, rate, what, receiver_first=True)
                else:
                    self.waiting_senders.append((actor, amount, rate, what))
            elif kind == SLEEP:
                self._sleep(actor, amount)
            elif kind == COMPUTE:
                self._number += 1
                self._works.begin(actor, rate, number=self._number)
                if amount < NEVER:
                    self._sleep(actor, amount)
            elif kind == RECEIVE:
                self._receiver = actor
                if self.waiting_senders:
                    self._begin(*self.waiting_senders.popleft(), receiver_first=False)
            else:
                assert isinstance(what, Actor)
                following.append(what)
                following.append(actor)
        return following

    def _begin(
        self, sender: Actor, latency: float, rate: float, message: object, *, receiver_first: bool
    ) -> None:
        self._number += 1
        assert self._receiver is not None
        self._receiver.answer = message
        self._sender = sender
        # sender and receiver act when the message is delivered, in the order of their requests
        self._met = (self._receiver, sender) if receiver_first else (sender, self._receiver)
        self._receiver = None
        self._message_number = self._number
        self._latency_left = latency
        self._rate = rate
        self._bytes_left = 1.0

    def _sleep(self, actor: Actor, seconds: float) -> None:
        self._number += 1
        if self._steps:
            self._flush()
        size = len(self._sleepers)
        if size == len(self._rests):
            self._rests = np.concatenate((self._rests, np.empty(size)))
        self._rests[size] = seconds
        self._view = self._rests[: size + 1]
        self._sleepers.append(actor)
        self._numbers.append(self._number)
        if seconds < self._smallest:
            self._smallest = seconds

    def _flush(self) -> None:
        view = self._view
        for step in self._steps:
            np.subtract(view, step, view)
        self._steps.clear()

    def _remove(self, index: int) -> None:
        rests = self._rests
        size = len(self._sleepers)
        rests[index : size - 1] = rests[index + 1 : size]
        self._view = view = rests[: size - 1]
        del self._sleepers[index]
        del self._numbers[index]
        self._smallest = view.item(view.argmin()) if size > 1 else NEVER

    def _advance(self) -> list[Actor]:
        works, computing = self._works, self._works.actors
        while True:
            first = smallest = self._smallest
            delivered = done = False
            if computing:
                first = min(smallest, works.rest())
            if self._sender is None:
                step = first
            elif self._latency_left > 0.0:
                step = self._latency_left
                if first < step:
                    step = first
                self._latency_left -= step
                if self._latency_left < TIME_PRECISION:
                    self._latency_left = 0.0
            else:
                step = self._bytes_left / self._rate
                if first < step:
                    step = first
                self._bytes_left -= self._rate * step
                delivered = self._bytes_left < BYTE_PRECISION
            self.now += step
            if self._sleepers:
                self._steps.append(step)
                self._smallest = smallest = smallest - step
            if computing:
                done = works.advance(step)
            if done or smallest < TIME_PRECISION:
                return self._awake(delivered=delivered)
            if delivered:
                self._sender = None
                return list(self._met)

    def _awake(self, *, delivered: bool) -> list[Actor]:
        """End work, sleeps and the message that are over; return the actors, the earliest first."""
        self._flush()
        works = self._works
        ended: list[tuple[int, tuple[Actor, ...]]] = []
        if works.actors:
            for number, actor in works.over():
                actor.answer = True
                ended.append((number, (actor,)))
                self._forget(actor)
        over = np.flatnonzero(self._view < TIME_PRECISION).tolist()
        for index in reversed(over):
            actor = self._sleepers[index]
            ended.append((self._numbers[index], (actor,)))
            works.end(actor)  # if it computed up to its limit
            self._remove(index)
        if delivered:
            ended.append((self._message_number, self._met))
            self._sender = None
        if len(ended) > 1:
            ended.sort(key=itemgetter(0))
        return [actor for _, actors in ended for actor in actors]

    def _forget(self, actor: Actor) -> None:
        """Remove an actor's work and sleep, if any."""
        self._works.end(actor)
        if actor in self._sleepers:
            self._remove(self._sleepers.index(actor))
