"""The work of actors that compute, as shares that are left."""

from typing import Generic, TypeVar

import numpy as np

Actor = TypeVar("Actor")

SHARE_PRECISION = 1e-14
"""Work of which a smaller share than this is left is over."""


class Works(Generic[Actor]):
    """The shares that are left of the work of each actor that computes.

    Unlike a sleep, a work is not kept in seconds: of each a share of 1 is left at first, and a step
    of the clock takes off its rate times the step, rounded as doubles are. So what ends at the same
    date as a sleep on paper may end a step before or after it.
    """

    def __init__(self) -> None:
        self.actors: list[Actor] = []
        """The actors that compute, earliest begun first."""
        self._numbers: list[int] = []
        self._rates = np.empty(0)
        self._shares = np.empty(0)

    def begin(self, actor: Actor, rate: float, *, number: int) -> None:
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

    def over(self) -> list[tuple[int, Actor]]:
        """Return the numbers and actors of the works that are over, earliest begun first."""
        places = np.flatnonzero(self._shares < SHARE_PRECISION).tolist()
        return [(self._numbers[place], self.actors[place]) for place in places]

    def end(self, actor: Actor) -> None:
        """Forget an actor's work, if it has any."""
        if actor not in self.actors:
            return
        place = self.actors.index(actor)
        del self.actors[place], self._numbers[place]
        self._rates = np.delete(self._rates, place)
        self._shares = np.delete(self._shares, place)
