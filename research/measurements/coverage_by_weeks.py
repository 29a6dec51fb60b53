"""How often intervals over weeks and resamples hold what they are to hold, by weeks of the log.

    python research/measurements/coverage_by_weeks.py
    python research/measurements/coverage_by_weeks.py --worlds 2 --years 10 --windows 2
    python research/measurements/coverage_by_weeks.py --series

A world is a made machine with its users (the demo's model, 4 processors, some 400 jobs a week),
and one log of it that goes on for many years, under EASY and another policy. Cut into pieces of so
many weeks that do not overlap, each piece is what somebody may have:

- an interval over its weeks is to hold the change in the mean wait of the whole log (95 %);
- percentiles over its resamples are to hold the change in another piece of the same world, of as
  many weeks (93.5 % of 30 resamples): in which share of all others, on the mean of the pieces that
  are resampled.

Prints the Markdown table of research/docs/intervals-measured.md; with ``--series`` the other one:
weeks drawn from a made series (the logarithms of their sums depend on the week before), also with
two intervals that were not taken, and the widths of all three.
"""

import argparse
import statistics
from collections.abc import Iterator
from itertools import pairwise

import numpy as np

import pred_aware as pa
from pred_aware.demo import LogModel, model_log
from pred_aware.statistics import by_weeks, other_years

BASELINE, OTHER = "easy", "easy_plus_plus"
SIZES = (8, 13, 26, 52)
RESAMPLED = (8, 26, 52)
RESAMPLES = 30
MODEL = LogModel(jobs=1, processors=4, load=0.85, users=25)
JOBS_A_WEEK = 300
WEEK = 7 * 86400.0


def world(seed: int, weeks: int) -> pa.Workload:
    """Make a log of about so many weeks."""
    model = LogModel(
        jobs=weeks * JOBS_A_WEEK, processors=MODEL.processors, load=MODEL.load, users=MODEL.users
    )
    return _workload(
        [
            {
                "id": str(number), "subtime": job.submit_time, "res": job.processors,
                "walltime": job.walltime, "user_id": job.user, "profile": str(job.run_time),
            }
            for number, job in enumerate(model_log(model, np.random.default_rng(seed)))
        ],
        f"world {seed}",
    )  # fmt: skip


def _workload(jobs: list[dict[str, object]], name: str) -> pa.Workload:
    times = {str(job["profile"]) for job in jobs}
    profiles = {time: {"type": "delay", "delay": int(time)} for time in times}
    content = {"nb_res": MODEL.processors, "jobs": jobs, "profiles": profiles}
    return pa.Workload.of(content, name)


def piece(log: pa.Workload, first: int, weeks: int) -> pa.Workload:
    """Return so many weeks of a log as a log of its own."""
    jobs = log.jobs
    begin, end = first * WEEK, (first + weeks) * WEEK
    some = jobs[(jobs["submit_time"] >= begin) & (jobs["submit_time"] < end)]
    return _workload(
        [
            {
                "id": job.Index, "subtime": job.submit_time - begin, "res": job.processors,
                "walltime": job.walltime, "user_id": job.user, "profile": str(int(job.run_time)),
            }
            for job in some.itertuples()
        ],
        f"{log.name}, weeks {first} to {first + weeks}",
    )  # fmt: skip


def by_week(run: pa.Run) -> np.ndarray:
    """Return the sum of all waits of each week's submissions."""
    jobs = run.ran
    week = (jobs["submission_time"] // WEEK).to_numpy().astype(int)
    return np.bincount(week, jobs["waiting_time"])


def change(baseline: np.ndarray, other: np.ndarray) -> float:
    """Return by what share of the baseline's sum the other's differs."""
    return float(other.sum() / baseline.sum() - 1.0)


def pieces(weeks: int, size: int) -> Iterator[slice]:
    """Yield pieces of so many weeks, without the log's first and last."""
    return (slice(a, b) for a, b in pairwise(range(1, weeks, size)))


def in_resamples(log: pa.Workload, some: slice) -> tuple[float, float]:
    """Return the ends between which another year of a piece is to be."""
    own = piece(log, some.start, some.stop - some.start)
    waits: dict[str, list[float | None]] = {BASELINE: [], OTHER: []}
    for seed in range(1, RESAMPLES + 1):
        resampled = own.resampled(seed)
        for policy, values in waits.items():
            values.append(pa.simulate(resampled, policy).figures["mean_waiting_time"])
    found = other_years(waits[BASELINE], waits[OTHER])
    assert found.low is not None
    assert found.high is not None
    return found.low, found.high


def series(weeks: int, *, correlation: float, deviation: float) -> tuple[np.ndarray, np.ndarray]:
    """Return heavy-tailed sums of many weeks under both, less by a share that differs."""
    rng = np.random.default_rng(5)
    shocks = np.sqrt(1 - correlation**2) * rng.standard_normal(weeks)
    crowd = np.zeros(weeks)
    for week in range(1, weeks):
        crowd[week] = correlation * crowd[week - 1] + shocks[week]
    baseline = np.exp(deviation * crowd)
    return baseline, baseline * np.exp(-0.2 + 0.3 * rng.standard_normal(weeks) - 0.1 * crowd)


def not_taken(baseline: np.ndarray, other: np.ndarray, block: int) -> list[tuple[float, float]]:
    """Return the percentiles of the drawn changes, and those of BCa."""
    weeks = len(baseline)
    begins = np.random.default_rng(1).integers(weeks, size=(1000, -(-weeks // block), 1))
    places = (begins + np.arange(block)) % weeks
    drawn = other[places].sum(axis=(1, 2)) / baseline[places].sum(axis=(1, 2)) - 1.0
    left_out = [np.delete(np.arange(weeks), slice(a, a + block)) for a in range(0, weeks, block)]
    without = np.array([change(baseline[one], other[one]) for one in left_out])
    off = without.mean() - without
    skew = (off**3).sum() / (6.0 * (off**2).sum() ** 1.5)
    normal = statistics.NormalDist()
    middle = normal.inv_cdf(min(max((drawn < change(baseline, other)).mean(), 0.001), 0.999))
    ends = [middle + normal.inv_cdf(one) for one in (0.025, 0.975)]
    levels = [normal.cdf(middle + one / (1.0 - skew * one)) for one in ends]
    return [tuple(np.quantile(drawn, one).tolist()) for one in ([0.025, 0.975], levels)]


def on_series() -> None:
    """Print how often each interval holds the change of a whole series, by weeks."""
    heads = "series | weeks | pieces | studentised | percentiles | BCa | widths | | "
    print(f"| {heads}|\n|" + "---|" * 9)
    for correlation, deviation in ((0.3, 1.0), (0.6, 1.2)):
        baseline, other = series(400_000, correlation=correlation, deviation=deviation)
        truth, rng = change(baseline, other), np.random.default_rng(6)
        for size in (*SIZES, 104):
            held, widths = [], []
            for first in rng.integers(len(baseline) - size, size=400).tolist():
                one, two = baseline[first : first + size], other[first : first + size]
                found = by_weeks(one.tolist(), two.tolist(), draws=1000)
                # where so few weeks tell nothing, there is none
                if found.low is None or found.high is None:
                    continue
                ends = [(found.low, found.high), *not_taken(one, two, found.block)]
                held.append([low <= truth <= high for low, high in ends])
                widths.append([high - low for low, high in ends])
            figures = [*np.mean(held, axis=0), *np.median(widths, axis=0)]
            cells = [f"{len(held)}", *(f"{figure:.0%}" for figure in figures)]
            label = f"correlation {correlation}, deviation {deviation}"
            print(f"| {label} | {size} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Simulate the worlds, and print what was held."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--worlds", type=int, default=3)
    parser.add_argument("--years", type=int, default=20, help="of each world")
    parser.add_argument("--windows", type=int, default=2, help="pieces of each size resampled")
    parser.add_argument("--series", action="store_true", help="the made series instead")
    given = parser.parse_args()
    if given.series:
        on_series()
        return
    held: dict[int, list[bool]] = {size: [] for size in SIZES}
    widths: dict[int, list[float]] = {size: [] for size in SIZES}
    years: dict[int, list[float]] = {size: [] for size in RESAMPLED}
    spans: dict[int, list[float]] = {size: [] for size in RESAMPLED}
    for seed in range(1, given.worlds + 1):
        log = world(seed, 52 * given.years)
        baseline, other = (by_week(pa.simulate(log, policy)) for policy in (BASELINE, OTHER))
        truth = change(baseline[1:-1], other[1:-1])
        print(
            f"{log.name}: {len(log):,} jobs in {len(baseline)} weeks, change {truth:+.1%}",
            flush=True,
        )
        for size in SIZES:
            cut = list(pieces(len(baseline) - 1, size))
            changes = [change(baseline[one], other[one]) for one in cut]
            for one in cut:
                found = by_weeks(baseline[one].tolist(), other[one].tolist())
                if found.low is None or found.high is None:
                    continue
                held[size].append(found.low <= truth <= found.high)
                widths[size].append(found.high - found.low)
            chosen = np.linspace(0, len(cut) - 1, given.windows).astype(int).tolist()
            for number in chosen if size in RESAMPLED else ():
                low, high = in_resamples(log, cut[number])
                others = [one for place, one in enumerate(changes) if place != number]
                years[size].append(statistics.fmean(low <= one <= high for one in others))
                spans[size].append(high - low)
                print(
                    f"  {size} weeks: {low:+.1%} to {high:+.1%}: {years[size][-1]:.0%}", flush=True
                )
    print("\n| weeks | pieces | held by *weeks* | width | resampled | held by *resample* | width |")
    print("|---|---|---|---|---|---|---|")
    for size in SIZES:
        cells = [f"{size}", f"{len(held[size])}", f"{statistics.fmean(held[size]):.0%}"]
        cells.append(f"{statistics.median(widths[size]):.0%}")
        if years.get(size):
            share, span = statistics.fmean(years[size]), statistics.median(spans[size])
            cells += [f"{len(years[size])}", f"{share:.0%}", f"{span:.0%}"]
        else:
            cells += ["", "", ""]
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
