"""CPU seconds of simulations in Python and in arrays: ``python -P engine.py LOG [POLICY ...]``.

In turns, medians of five, of `simulate` and of its figures, after one of each that is not counted;
and what a process takes to load the engine when it is compiled already. Needs the extra ``fast``;
without ``-P`` numba would take a neighbour for the package coverage.
"""

import os
import statistics
import subprocess
import sys
import time

import pred_aware as pa

TIMES = 5
LOAD = """
import os, time
os.environ["PRED_AWARE_ENGINE"] = "arrays"
import numpy
from pred_aware.engine.loading import Engine
began = time.process_time()
Engine(os.environ).load()
from pred_aware.engine import simulating
simulating.compile_all()
print(time.process_time() - began)
"""


def measured(workload: pa.Workload, policy: str, engine: str) -> tuple[float, float]:
    """Return the CPU seconds of a simulation, and of its figures."""
    os.environ["PRED_AWARE_ENGINE"] = engine
    began = time.process_time()
    run = pa.simulate(workload, policy)
    simulated = time.process_time()
    assert run.figures["jobs"] > 0
    return simulated - began, time.process_time() - simulated


def main() -> None:
    """Measure."""
    path, *policies = sys.argv[1:]
    began = time.process_time()
    log = pa.read_log(path)
    read = time.process_time() - began
    workload = log.workload
    print(f"{len(workload)} jobs; read_log {read:.2f} s, workload "
          f"{time.process_time() - began - read:.2f} s")  # fmt: skip
    loads = [
        float(subprocess.run([sys.executable, "-c", LOAD], capture_output=True, check=True).stdout)  # noqa: S603
        for _ in range(TIMES)
    ]
    print(f"loading the engine, beyond numpy: {statistics.median(loads):.2f} s")
    for policy in policies or ["easy"]:
        taken: dict[str, list[tuple[float, float]]] = {"python": [], "arrays": []}
        for turn in range(TIMES + 1):
            for engine, found in taken.items():
                one = measured(workload, policy, engine)
                if turn:
                    found.append(one)
        told = ", ".join(
            f"{engine} {statistics.median(one for one, _ in found):.3f} "
            f"+ figures {statistics.median(other for _, other in found):.3f}"
            for engine, found in taken.items()
        )
        print(f"{policy}: {told}")


if __name__ == "__main__":
    main()
