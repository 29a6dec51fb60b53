"""The clock of the real Batsim, to the last bit of a double.

Actors sleep and send messages to one mailbox. A step of the clock is the smallest rest of all that
is under way, and that rest is subtracted, in double arithmetic, from each of them: the rounding of
these subtractions decides which of two events of "the same" date comes first.
"""

from collections import deque
from collections.abc import Generator
from operator import itemgetter
from typing import Generic, TypeVar

import numpy as np

Working = TypeVar("Working")

SHARE_PRECISION = 1e-14
"""Work of which a smaller share than this is left is over."""


class Works(Generic[Working]):
    """The shares that are left of the work of each actor that computes.

    Unlike a sleep, a work is not kept in seconds: of each a share of 1 is left at first, and a step
    of the clock takes off its rate times the step, rounded as doubles are. So what ends at the same
    date as a sleep on paper may end a step before or after it.
    """

    def __init__(self) -> None:
        self.actors: list[Working] = []
        """The actors that compute, earliest begun first."""
        self._numbers: list[int] = []
        self._rates = np.empty(0)
        self._shares = np.empty(0)

    def begin(self, actor: Working, rate: float, *, number: int) -> None:
        """Begin an actor's work, of which the share `rate` is done in a second."""
        self.actors.append(actor)
        self._numbers.append(number)
        self._rates = np.append(self._rates, rate)
        self._shares = np.append(self._shares, 1.0)

    def rest(self) -> float:
        """Return the seconds that are left of the work that is over first."""
        return float((self._shares / self._rates).min())

    def advance(self, step: float) -> bool:
        """Let some seconds pass, and say whether a work is over."""
        self._shares -= self._rates * step
        return bool((self._shares < SHARE_PRECISION).any())

    def over(self) -> list[tuple[int, Working]]:
        """Return the numbers and actors of the works that are over, earliest begun first."""
        places = np.flatnonzero(self._shares < SHARE_PRECISION).tolist()
        return [(self._numbers[place], self.actors[place]) for place in places]

    def end(self, actor: Working) -> None:
        """Forget an actor's work, if it has any."""
        if actor not in self.actors:
            return
        place = self.actors.index(actor)
        del self.actors[place], self._numbers[place]
        self._rates = np.delete(self._rates, place)
        self._shares = np.delete(self._shares, place)


SLEEP, SEND, RECEIVE, CREATE, COMPUTE = range(5)
"""The requests of an actor: see `Kernel`."""

ActorRequest = tuple[int, float, float, object]

TIME_PRECISION = 1e-9
"""A rest of fewer seconds than this is over."""

BYTE_PRECISION = 1e-14
"""A rest of fewer bytes than this is over."""

NEVER = float("inf")


class Actor:
    """An actor, whose `life` is a generator of requests, each of which it waits for.

    ``(SLEEP, seconds, 0, None)``, ``(SEND, latency, rate, message)`` with the rate in bytes per
    second, ``(RECEIVE, 0, 0, None)`` which is answered with the message, ``(CREATE, 0, 0, actor)``,
    ``(COMPUTE, limit, rate, None)`` with the share of the work that is done in a second and with a
    limit in seconds, which is answered with whether the work was done by then.
    """

    __slots__ = ("answer", "life", "resume")

    def __init__(self, life: Generator[ActorRequest, object, None]) -> None:
        self.life = life
        self.resume = life.send
        self.answer: object = None


class Kernel:
    """Runs actors, and keeps the time.

    At one date there are rounds: all actors that can run do so up to their next request, then the
    requests are served in that same order, and so on until none can run. A created actor runs in
    the next round, before its creator. There is one mailbox with one receiver; a sender waits until
    its message has arrived, and messages travel one after another, those of waiting senders first
    come first served: the latency, then one byte.
    """

    def __init__(self) -> None:
        self.now = 0.0
        self.waiting_senders: deque[tuple[Actor, float, float, object]] = deque()
        """The actors whose messages have not been received yet."""
        self._rate = 0.0
        self._receiver: Actor | None = None
        # The message under way
        self._sender: Actor | None = None
        self._met: tuple[Actor, ...] = ()
        self._message_number = 0
        self._latency_left = 0.0
        self._bytes_left = 0.0
        # The sleeps, in the order in which they began: rest, who, number
        self._rests = np.empty(64)
        self._view = self._rests[:0]
        self._sleepers: list[Actor] = []
        self._numbers: list[int] = []
        self._works: Works[Actor] = Works()
        # What is still to be subtracted from each rest, and what will then be the smallest
        self._steps: list[float] = []
        self._smallest = NEVER
        self._number = 0

    def run(self, actors: list[Actor]) -> None:
        """Run until nobody can act any more."""
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
        # both act when it is delivered, whoever came first first
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
        """Let time go on until somebody can act."""
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
        """End works, sleeps and the message that are over, by their numbers."""
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
            works.end(actor)  # if this was its limit
            self._remove(index)
        if delivered:
            ended.append((self._message_number, self._met))
            self._sender = None
        if len(ended) > 1:
            ended.sort(key=itemgetter(0))
        return [actor for _, actors in ended for actor in actors]

    def _forget(self, actor: Actor) -> None:
        """End an actor's work and its sleep, of which there may be none."""
        self._works.end(actor)
        if actor in self._sleepers:
            self._remove(self._sleepers.index(actor))
