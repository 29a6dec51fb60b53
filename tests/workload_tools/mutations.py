"""Damage done to lines, for tests that feed readers with what no program wrote."""

import random


def mutated(line: bytes, rng: random.Random, *, alphabet: bytes, edits: int, longest: int) -> bytes:
    """Change, insert, delete or repeat bytes of a line, at most so many times and so long."""
    damaged = bytearray(line)
    for _ in range(rng.randint(1, edits)):
        place = rng.randrange(len(damaged))
        match rng.randrange(4):
            case 0:
                damaged[place] = rng.choice(alphabet)
            case 1:
                damaged.insert(place, rng.choice(alphabet))
            case 2:
                del damaged[place : place + rng.randint(1, longest)]
            case _:
                damaged[place:place] = damaged[place : place + rng.randint(1, longest)]
        if not damaged:
            break
    return bytes(damaged)
