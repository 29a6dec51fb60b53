"""The messages of Batsim's protocol, versions 4 and 5: dated events in JSON.

The JSON of version 5 has other names for an event's type and data. The Python classes of both
versions have the same attribute names. The simulator, the adapter and the relay read messages with
this module. This module does not check whether an event is allowed at a given moment.
"""

import sys
from typing import Any, TypeVar

import msgspec

from workload_tools.expected import in_words

SHOWN = 200
"""Number of characters that an error quotes from the start of a message."""


class Head(msgspec.Struct, gc=False):
    """An event's date in seconds and its type, without its data, which the relay does not need."""

    timestamp: float
    type: str


class Event(Head, gc=False):
    """An event with its data."""

    data: dict[str, Any]


class Heads(msgspec.Struct, gc=False):
    """A message without the data of its events, which the relay does not need."""

    now: float
    events: list[Head]


class Message(msgspec.Struct, gc=False):
    """A message: its date in seconds, and its events by date."""

    now: float
    events: list[Event]


class Head5(Head, gc=False):
    """An event of version 5 without its data."""

    type: str = msgspec.field(name="event_type")


class Event5(Event, gc=False):
    """An event of version 5."""

    type: str = msgspec.field(name="event_type")
    data: dict[str, Any] = msgspec.field(name="event")


class Heads5(msgspec.Struct, gc=False):
    """A message of version 5 without the data of its events."""

    now: float
    events: list[Head5]


class Message5(msgspec.Struct, gc=False):
    """A message of version 5: its date in seconds, and its events by date."""

    now: float
    events: list[Event5]


class JobCompleted(msgspec.Struct, gc=False):
    """The data of the event JOB_COMPLETED."""

    job_id: str
    job_state: str
    return_code: int
    alloc: str


class ProtocolError(ValueError):
    """A text is not a message of Batsim's protocol. The error quotes the text's beginning."""


AnyMessage = TypeVar("AnyMessage", Heads, Message, Heads5, Message5)

_WITH_NUL = frozenset({Heads5, Message5})
"""Message types of version 5, whose messages may end with a NUL byte."""

_SIZE = 4
JSON_FORMAT = 2
"""The code for JSON. A decision process of version 5 sends it before its first message."""


def init_frame(text: str) -> bytes:
    """Return Batsim 5's first frame: the length of a text, and the text for the scheduler."""
    content = text.encode()
    return len(content).to_bytes(_SIZE, sys.byteorder) + content


def is_init_frame(frame: bytes) -> bool:
    """Return True if a frame is Batsim 5's first frame, which is never JSON.

    Examples
    --------
    >>> is_init_frame(init_frame("")), is_init_frame(init_frame("a text"))
    (True, True)
    >>> is_init_frame(b'{"now": 0.0, "events": []}')
    False
    """
    return len(frame) - _SIZE == int.from_bytes(frame[:_SIZE], sys.byteorder)


def hello_frame(message: bytes) -> bytes:
    """Return the frame with which a decision process answers Batsim 5's first frame.

    Parameters
    ----------
    message
        The first JSON message of the decision process.
    """
    return JSON_FORMAT.to_bytes(_SIZE, sys.byteorder) + message


def hello_of(frame: bytes) -> dict[str, Any]:
    """Read a decision process's answer to the first frame, and return the data of its event.

    Raises
    ------
    ProtocolError
        The format is not JSON, or the message is invalid or has other events than EDCHelloEvent.
    """
    form = int.from_bytes(frame[:_SIZE], sys.byteorder)
    if len(frame) < _SIZE or form != JSON_FORMAT:
        raise ProtocolError(
            f"it must begin with the number {JSON_FORMAT}, which means JSON: {_quoted(frame)}"
        )
    events = read(frame[_SIZE:], Message5).events
    kinds = [event.type for event in events]
    if kinds != ["EDCHelloEvent"]:
        raise ProtocolError(f"it must have one event, EDCHelloEvent, but has {kinds}")
    return events[0].data


def read(content: bytes | str, kind: type[AnyMessage]) -> AnyMessage:
    """Read a message, with or without the data of its events.

    Raises
    ------
    ProtocolError
        The text is not a message of type `kind`.

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
