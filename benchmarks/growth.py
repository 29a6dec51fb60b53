"""How the CPU seconds of EASY grow with jobs, queue and machine: ``python growth.py PICTURE``.

By `simulate` and by bare counting, on made jobs, the same each time: more of them on one
machine, more that are all submitted at one date, as many on larger machines. Medians of three, in
turns; a curve ends where one takes `MOST` seconds.
"""

import statistics
import sys
from time import process_time

import numpy as np
from bare_counting import easy, rows_of
from matplotlib.figure import Figure

import pred_aware as pa

TIMES = 3
MOST = 15.0
LOAD = 0.9
SIZES = (1, 1, 2, 2, 3, 4, 8, 16)
WAYS = {"pred-aware": "#0072B2", "bare counting": "#404040"}
JOBS, QUEUE, MACHINE = (
    "jobs on 256 processors", "jobs submitted at once, on 16 processors", "processors, 50,000 jobs"
)  # fmt: skip
PANELS = {
    JOBS: (1_000, 4_000, 16_000, 64_000, 256_000),
    QUEUE: (500, 1_000, 2_000, 4_000, 8_000, 16_000),
    MACHINE: (64, 256, 1_024, 4_096, 16_384, 65_536),
}


def made(panel: str, number: int) -> pa.Workload:
    """Make the workload of a point of a panel."""
    jobs, processors = {JOBS: (number, 256), QUEUE: (number, 16)}.get(panel, (50_000, number))
    rng = np.random.default_rng(1)
    run_times = np.maximum(1, rng.lognormal(7.0, 2.0, jobs)).astype(int)
    walltimes = 60 + (run_times * rng.uniform(1.0, 20.0, jobs)).astype(int)
    sizes = rng.choice(SIZES, jobs)
    apart = float(np.mean(run_times * sizes)) / (processors * LOAD)
    dates = np.cumsum(rng.exponential(apart, jobs)).round() * (panel != QUEUE)
    columns = (dates, sizes, run_times, walltimes)
    rows = [
        {"id": f"{job}", "subtime": date, "res": size, "profile": f"d{run}", "walltime": walltime}
        for job, (date, size, run, walltime) in enumerate(
            zip(*(column.tolist() for column in columns), strict=True)
        )
    ]
    profiles = {row["profile"]: {"type": "delay", "delay": int(row["profile"][1:])} for row in rows}
    return pa.Workload.of({"nb_res": processors, "jobs": rows, "profiles": profiles})


def seconds(workload: pa.Workload, way: str) -> float:
    """Return the CPU seconds of a simulation."""
    if way == "bare counting":
        return easy(workload.raw.nb_res or 0, rows_of(workload.raw))[1]
    began = process_time()
    pa.simulate(workload, "easy")
    return process_time() - began


def main() -> None:
    """Measure and draw."""
    figure = Figure(figsize=(11, 3.6), layout="constrained")
    for axes, (panel, numbers) in zip(
        figure.subplots(1, 3, sharey=True), PANELS.items(), strict=True
    ):
        curves: dict[str, list[float]] = {way: [] for way in WAYS}
        for number in numbers:
            workload = made(panel, number)
            ways = [way for way, curve in curves.items() if not curve or curve[-1] < MOST]
            taken: dict[str, list[float]] = {way: [] for way in ways}
            for _ in range(TIMES):
                for way in ways:
                    taken[way].append(seconds(workload, way))
            for way in ways:
                curves[way].append(statistics.median(taken[way]))
            told = ", ".join(f"{way} {curves[way][-1]:.3f}" for way in ways)
            print(f"{number} {panel}: {told}", flush=True)
        for way, curve in curves.items():
            drawn = numbers[: len(curve)]
            axes.loglog(drawn, curve, "o-", markersize=3, color=WAYS[way], label=way)
        axes.set_xlabel(panel)
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.spines[["top", "right"]].set_visible(False)
    figure.axes[0].set_ylabel("CPU seconds")
    figure.axes[0].legend(frameon=False)
    figure.savefig(sys.argv[1], dpi=150, metadata={"Software": None})


if __name__ == "__main__":
    main()
