"""What a command leaves, for the tests that run one with the fixture `command`."""

from collections.abc import Callable
from typing import NamedTuple


class Ended(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str


Command = Callable[..., Ended]
