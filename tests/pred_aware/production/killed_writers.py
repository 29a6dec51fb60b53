"""Writers of a store that are killed at any moment: what they had acknowledged is counted.

`python killed_writers.py STORE TIMES` prints JSON. The writers are forks, so that a hundred of them
take seconds.
"""

import json
import os
import random
import signal
import sys
from collections import Counter

from pred_aware.production.store import JobDatabase
from workload_tools.job import Job


def job(number: int) -> Job:
    """Make a job."""
    return Job(id=str(number), submit_time=float(number), processors=1, run_time=1.0)


def write(name: str, begin: int, acknowledged: int) -> None:
    """Add jobs three at a time, for ever; say which are safe."""
    store = JobDatabase(name)
    number = begin
    while True:
        # the first job is reported for the second time
        store.add([job(one) for one in range(max(0, number - 1), number + 3)])
        number += 3
        os.write(acknowledged, f"{number}\n".encode())


def killed(name: str, begin: int, *, after: int, later: float) -> int:
    """Run a writer until it has acknowledged so often; return how far it was at least."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        write(name, begin, writing)
    os.close(writing)
    with open(reading) as told:  # noqa: PTH123 - a descriptor
        lines = [told.readline() for _ in range(after)]
        signal.sigtimedwait([], later)
        os.kill(child, signal.SIGKILL)
        lines += told.readlines()
    os.waitpid(child, 0)
    return int(lines[-1])


def main() -> None:
    """Kill writers; print what was lost."""
    name, times = sys.argv[1], int(sys.argv[2])
    chance = random.Random(0)  # noqa: S311 - no secret
    safe = 0
    for _ in range(times):
        safe = killed(name, safe, after=chance.randint(1, 9), later=chance.uniform(0.0, 0.005))
    with JobDatabase(name, create=False) as store:
        found = Counter(one.id for one in store.jobs())
    lost = sum(str(number) not in found for number in range(safe))
    twice = sum(number > 1 for number in found.values())
    sys.stdout.write(json.dumps({"acknowledged": safe, "lost": lost, "twice": twice}))


if __name__ == "__main__":
    main()
