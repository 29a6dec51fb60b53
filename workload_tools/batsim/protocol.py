"""Batsim's protocol, versions 4 and 5, as it is on the wire: messages of dated events, in JSON.

Version 5 calls an event's type and data otherwise; here both have one name. Whoever reads a
message, simulator, adapter or relay, reads these; what each then expects of it at that moment is
for each to check.
"""

import sys
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


class Head5(Head, gc=False):
    """The same of version 5."""

    type: str = msgspec.field(name="event_type")


class Event5(Event, gc=False):
    """An event of version 5."""

    type: str = msgspec.field(name="event_type")
    data: dict[str, Any] = msgspec.field(name="event")


class Heads5(msgspec.Struct, gc=False):
    """A message of version 5, as far as it matters to who passes it on."""

    now: float
    events: list[Head5]


class Message5(msgspec.Struct, gc=False):
    """A message of version 5: its date in seconds, and its events, by date."""

    now: float
    events: list[Event5]


class JobCompleted(msgspec.Struct, gc=False):
    """What JOB_COMPLETED says."""

    job_id: str
    job_state: str
    return_code: int
    alloc: str


class ProtocolError(ValueError):
    """Something is no message of Batsim's protocol; the text says why, and quotes its beginning."""


AnyMessage = TypeVar("AnyMessage", Heads, Message, Heads5, Message5)

_WITH_NUL = frozenset({Heads5, Message5})
"""The messages at the end of which a NUL may stand."""

_SIZE = 4
JSON_FORMAT = 2
"""How a decision process of version 5 says that it speaks JSON, before its first message."""


def init_frame(text: str) -> bytes:
    """Return how Batsim 5 begins: a text for the decision process, and its length before it."""
    content = text.encode()
    return len(content).to_bytes(_SIZE, sys.byteorder) + content


def is_init_frame(frame: bytes) -> bool:
    """Say whether a frame is how Batsim 5 begins; no JSON is.

    Examples
    --------
    >>> is_init_frame(init_frame("")), is_init_frame(init_frame("a text"))
    (True, True)
    >>> is_init_frame(b'{"now": 0.0, "events": []}')
    False
    """
    return len(frame) - _SIZE == int.from_bytes(frame[:_SIZE], sys.byteorder)


def hello_frame(message: bytes) -> bytes:
    """Return how a decision process answers that, with its first message, JSON."""
    return JSON_FORMAT.to_bytes(_SIZE, sys.byteorder) + message


def hello_of(frame: bytes) -> dict[str, Any]:
    """Read how a decision process answers that, and return the data of its one event.

    Raises
    ------
    ProtocolError
        It does not speak JSON, or its message is none, or has other events.
    """
    form = int.from_bytes(frame[:_SIZE], sys.byteorder)
    if len(frame) < _SIZE or form != JSON_FORMAT:
        raise ProtocolError(
            f"it must begin with the number {JSON_FORMAT}, for JSON: {_quoted(frame)}"
        )
    events = read(frame[_SIZE:], Message5).events
    kinds = [event.type for event in events]
    if kinds != ["EDCHelloEvent"]:
        raise ProtocolError(f"it must have one event, EDCHelloEvent, and has {kinds}")
    return events[0].data


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
    if kind in _WITH_NUL and isinstance(content, bytes):
        content = content.removesuffix(b"\0")
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise ProtocolError(f"{in_words(error)}: {_quoted(content)}") from error


def _quoted(content: bytes | str) -> str:
    beginning = content[:SHOWN]
    text = beginning if isinstance(beginning, str) else beginning.decode("utf-8", "replace")
    return repr(text) if len(content) <= SHOWN else f"{text!r}..."
