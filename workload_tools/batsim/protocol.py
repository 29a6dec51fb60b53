"""Batsim's protocol, version 4, as it is on the wire: messages of dated events, in JSON.

Whoever reads a message, simulator, adapter or relay, reads these; what each then expects of it at
that moment is for each to check.
"""

from typing import Any, TypeVar

import msgspec

from workload_tools.expected import in_words

SHOWN = 200
"""How much of a message an error quotes, in characters."""


class Head(msgspec.Struct, gc=False):
    """What an event is called, and its date in seconds: all that matters to who passes it on."""

    timestamp: float
    type: str


class Event(Head, gc=False):
    """An event, with what it says."""

    data: dict[str, Any]


class Heads(msgspec.Struct, gc=False):
    """A message, as far as it matters to who passes it on."""

    now: float
    events: list[Head]


class Message(msgspec.Struct, gc=False):
    """A message: its date in seconds, and its events, by date."""

    now: float
    events: list[Event]


class JobCompleted(msgspec.Struct, gc=False):
    """What JOB_COMPLETED says."""

    job_id: str
    job_state: str
    return_code: int
    alloc: str


class ProtocolError(ValueError):
    """Something is no message of Batsim's protocol; the text says why, and quotes its beginning."""


AnyMessage = TypeVar("AnyMessage", Heads, Message)


def read(content: bytes | str, kind: type[AnyMessage]) -> AnyMessage:
    """Read a message, or the heads of one.

    Raises
    ------
    ProtocolError
        It is none.

    Examples
    --------
    >>> read('{"now": 1.5, "events": [{"timestamp": 1, "type": "NOTIFY", "data": {}}]}', Heads)
    Heads(now=1.5, events=[Head(timestamp=1.0, type='NOTIFY')])
    """
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise ProtocolError(f"{in_words(error)}: {_quoted(content)}") from error


def _quoted(content: bytes | str) -> str:
    beginning = content[:SHOWN]
    text = beginning if isinstance(beginning, str) else beginning.decode("utf-8", "replace")
    return repr(text) if len(content) <= SHOWN else f"{text!r}..."
