"""Damage done to lines, for tests that feed readers with what no program wrote."""

import random
from collections.abc import Sequence

from workload_tools.job import Job
from workload_tools.log import Log


def mutated(
    line: bytes, rng: random.Random, *, alphabet: Sequence[bytes], edits: int, longest: int
) -> bytes:
    """Change, insert, delete or repeat parts of a line, at most so many times and so long.

    What is put in is of the alphabet, which has signs and words.
    """
    damaged = bytearray(line)
    for _ in range(rng.randint(1, edits)):
        place = rng.randrange(len(damaged))
        match rng.randrange(4):
            case 0:
                damaged[place : place + 1] = rng.choice(alphabet)
            case 1:
                damaged[place:place] = rng.choice(alphabet)
            case 2:
                del damaged[place : place + rng.randint(1, longest)]
            case _:
                damaged[place:place] = damaged[place : place + rng.randint(1, longest)]
        if not damaged:
            break
    return bytes(damaged)


def signs(text: bytes) -> list[bytes]:
    """Return an alphabet of single bytes."""
    return [bytes([sign]) for sign in text]


def counted(log: Log) -> list[Job]:
    """Read a log; each record must be kept or dropped, and each job needs a unique name."""
    jobs = list(log.jobs())
    report = log.report
    assert report.read == report.kept + report.dropped.total()
    assert report.kept == len(jobs) == len({job.id for job in jobs})
    return jobs
