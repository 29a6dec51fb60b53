"""Small random workloads, the same on every run."""

import random
from collections.abc import Iterator

from schedulers.contract.playing import Spec

PROCESSORS = 4
LARGEST = 8


def workloads(number: int) -> Iterator[list[Spec]]:
    """Make workloads of up to 8 jobs for 4 processors, some denser than others."""
    for seed in range(number):
        rng = random.Random(seed)  # noqa: S311 - a seeded workload
        gap = rng.choice((0, 3, 15))
        date, specs = 0, []
        for place in range(rng.randint(1, LARGEST)):
            date += rng.randint(0, gap)
            walltime = float(rng.choice((rng.randint(1, 20), rng.randint(1, 90))))
            # every fifth or so is killed
            run = float(rng.choice((rng.randint(1, 10), rng.randint(1, 110))))
            size = rng.choice((1, 1, 2, 2, 3, 4))
            specs.append(Spec(f"w0!{place}", float(date), size, run, walltime, rng.choice("ab")))
        yield specs
