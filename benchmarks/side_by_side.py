"""Compare the CPU seconds and output bytes of two versions, which run in turns on one machine.

Usage: python benchmarks/side_by_side.py --before PYTHON PLATFORM WORKLOAD SCHEDULER...

PYTHON is the interpreter of an environment with the other version, such as
``../before/.venv/bin/python`` after ``pip install -e ../before`` there. The interpreter that runs
the script has this version. Each scheduler is run by the whole command or, with `--warm`, by calls
of `simulate` in a process that has already called it.
"""

import argparse
import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import process_time

from children import seconds_of

COMPARED = ("jobs", "machine_states", "estimates")
"""The compared output files. The schedule's figures are omitted: two of them are measured times."""


def warm_seconds(python: str, platform: Path, workload: Path, *, scheduler: str) -> float:
    """Call `simulate` repeatedly with the interpreter `python`; return CPU seconds per call."""
    command = [python, "-P", __file__, "--inside", platform, workload, scheduler]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603
    return float(done.stdout)


def inside(platform: Path, workload: Path, scheduler: str) -> float:
    """Return the CPU seconds of a call of `simulate`, with reading and writing of files."""
    import pred_aware

    with tempfile.TemporaryDirectory() as folder:

        def once() -> None:
            if hasattr(pred_aware, "read_workload"):
                jobs = pred_aware.read_workload(workload)
                pred_aware.simulate(jobs, scheduler, platform=platform, write_to=f"{folder}/out")
            else:
                # up to commit f426f3c, `simulate` took only paths
                pred_aware.simulate(  # type: ignore[call-arg]
                    platform=platform, workload=workload, scheduler=scheduler,
                    prefix=Path(folder, "out"),
                )  # fmt: skip

        times = 3 if workload.stat().st_size > 1 << 16 else 100
        once()
        began = process_time()
        for _ in range(times):
            once()
        return (process_time() - began) / times


def digest(prefix: str) -> list[str | None]:
    """Return the SHA-256 of each of a run's `COMPARED` files; ``None`` for a missing file."""
    paths = [Path(f"{prefix}_{kind}.csv") for kind in COMPARED]
    return [hashlib.sha256(p.read_bytes()).hexdigest() if p.exists() else None for p in paths]


def show(what: str, seconds: list[tuple[float, float]], note: str) -> None:
    """Print the medians of both versions, and the median and range of the ratios."""
    before, now = (median(times) for times in zip(*seconds, strict=True))
    ratios = sorted(b / a for a, b in seconds)
    print(
        f"{what}: {before:.3f} -> {now:.3f} CPU s, ratio {median(ratios):.2f} "
        f"({ratios[0]:.2f} to {ratios[-1]:.2f}), {note}",
        flush=True,
    )


def main() -> None:
    """Measure each scheduler `--rounds` times, alternating between both versions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", help="the Python of an environment with the other version")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--warm", action="store_true", help="measure `simulate` in a warm process")
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("platform", type=Path)
    parser.add_argument("workload", type=Path)
    parser.add_argument("schedulers", nargs="+")
    given = parser.parse_args()
    if given.inside:
        print(inside(given.platform, given.workload, given.schedulers[0]))
        return
    if given.before is None:
        parser.error("give the other version's Python with --before")
    pythons = (given.before, sys.executable)
    for scheduler in given.schedulers:
        if given.warm:
            warm: list[tuple[float, float]] = []
            for _ in range(given.rounds):
                before, now = (
                    warm_seconds(python, given.platform, given.workload, scheduler=scheduler)
                    for python in pythons
                )
                warm.append((before, now))
            show(f"{scheduler}, simulate", warm, "a call in a warm process")
            continue
        with tempfile.TemporaryDirectory() as folder:
            seconds: list[tuple[float, float]] = []
            for _ in range(given.rounds):
                pair = [
                    seconds_of(
                        "run", "-q", "-p", given.platform, "-w", given.workload,
                        "-e", f"{folder}/{side}", "-s", scheduler, python=python,
                    )
                    for side, python in enumerate(pythons)
                ]  # fmt: skip
                seconds.append((pair[0], pair[1]))
            same = digest(f"{folder}/0") == digest(f"{folder}/1")
            show(scheduler, seconds, "the same bytes" if same else "DIFFERENT BYTES")


if __name__ == "__main__":
    main()
