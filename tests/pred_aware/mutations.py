"""Messages of Batsim's protocol with something wrong in them."""

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 5, 1e300, -1e300, 10**400, 0.5, "", "x", "0", "0-3", "9-10", "3-0",
    "0 0", "w0!1", "w0!2", "w0!77", "!", "a!b", "\u0000", "\ud800", ",", '"', "\n", "é" * 300, [],
    {}, [[]], {"a": 1}, ["w0!1"], ["w0!2", "w0!2"], float("nan"), float("inf"), "NaN",
    "EXECUTE_JOB", "REGISTER_JOB", "JOB_COMPLETED", "SIMULATION_ENDS", "SIMULATION_BEGINS",
    "CALL_ME_LATER", "REQUESTED_CALL", "COMPLETED_KILLED", "RUNNING",
)  # fmt: skip
"""What a value becomes; some are no JSON, as Python's own writer has them."""


def places(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:  # noqa: ANN401
    """Yield the way to each part of a message."""
    yield place
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*place, key))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from places(part, (*place, index))


def mutated(message: dict[str, Any], random: Random) -> bytes:
    """Return a message with one to three things changed: a part, or some bytes."""
    copy: Any = json.loads(json.dumps(message))
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        way = random.choice(list(places(copy)))
        if not way:
            continue
        inside = copy
        for key in way[:-1]:
            inside = inside[key]
        match random.randrange(5):
            case 0:
                del inside[way[-1]]
            case 1 if isinstance(inside, list):
                inside.append(deepcopy(inside[way[-1]]))
            case 2 if isinstance(inside, list):
                random.shuffle(inside)
            case 3 if isinstance(inside[way[-1]], float):
                inside[way[-1]] += random.choice((-1e9, -1, -1e-9, 1e-9, 1, 1e9))
            case _:
                inside[way[-1]] = deepcopy(random.choice(VALUES))
    text = json.dumps(copy).encode()
    if random.random() < 0.1:
        at = random.randrange(len(text))
        text = random.choice(
            (text[:at], text[:at] + random.randbytes(3) + text[at:], text[:at] + text[at + 1 :])
        )
    return text
