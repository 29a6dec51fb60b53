"""Compare runs of the embedded simulator with recorded runs of the real Batsim, file by file.

Usage: python benchmarks/compare_with_batsim.py [--results FILE.json] RECORDED_FOLDER...

A recorded folder is ``TRACE/SCHEDULER`` with ``out_jobs.csv`` and ``out_schedule.csv``, plain or as
``.gz``. The folder ``TRACE`` has ``platform.xml`` and ``workload.json.gz``.
"""

import argparse
import csv
import gzip
import json
import sys
import tempfile
from pathlib import Path
from time import process_time

from pred_aware import read_workload, simulate

MEASURED = {"scheduling_time", "simulation_time"}
# the same program calls itself 4.2.1, v4.2.1 or (built by Nix) 4.2.0
NAMED = {"batsim_version"}
ROUNDED = {"time_computing", "time_idle"}
DIGITS = 12


def read_lines(path: Path) -> list[str]:
    """Return the lines of a text file, or of its gzip file with ``.gz`` after the name."""
    packed = path.with_name(path.name + ".gz")
    text = gzip.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes()
    return text.decode().splitlines()


def schedule_differences(recorded: list[str], ours: list[str]) -> list[str]:
    """Return the differences of two schedule files, except measured times and the version."""
    theirs = dict(zip(recorded[0].split(","), recorded[1].split(","), strict=True))
    mine = dict(zip(ours[0].split(","), ours[1].split(","), strict=True))
    differences = [] if theirs.keys() == mine.keys() else ["columns"]
    for name in theirs.keys() - MEASURED - NAMED:
        if name in ROUNDED:
            same = f"{float(theirs[name]):.{DIGITS}g}" == f"{float(mine[name]):.{DIGITS}g}"
        else:
            same = theirs[name] == mine[name]
        if not same:
            differences.append(f"{name}: {mine[name]} instead of {theirs[name]}")
    return differences


def starts_apart(recorded: list[str], ours: list[str]) -> int:
    """Count the jobs that start at different milliseconds, or in only one of the schedules."""
    theirs, mine = (
        {row["job_id"]: round(float(row["starting_time"]) * 1000) for row in csv.DictReader(lines)}
        for lines in (recorded, ours)
    )
    return sum(theirs.get(job) != mine.get(job) for job in theirs.keys() | mine.keys())


def compare(recorded: Path, *, delays: str = "batsim") -> dict[str, object]:
    """Repeat a recorded run in the embedded simulator, and count the rows that differ.

    Returns
    -------
    dict
        Numbers of `rows` in the jobs file and of `different` rows, `first` (the first difference),
        `starts` (jobs that start at another millisecond), `schedule` (the differences of the
        schedule file) and `seconds` of CPU.
    """
    trace, scheduler = recorded.parent, recorded.name
    with tempfile.TemporaryDirectory() as folder:
        prefix = Path(folder) / "out"
        began = process_time()
        simulate(
            read_workload(trace / "workload.json.gz"),
            scheduler,
            platform=trace / "platform.xml",
            write_to=prefix,
            delays=delays,
        )
        seconds = process_time() - began
        mine = read_lines(Path(f"{prefix}_jobs.csv"))
        theirs = read_lines(recorded / "out_jobs.csv")
        schedule = schedule_differences(
            read_lines(recorded / "out_schedule.csv"), read_lines(Path(f"{prefix}_schedule.csv"))
        )
    pairs = [(a, b) for a, b in zip(theirs, mine, strict=True) if a != b]
    return {
        "rows": len(theirs) - 1,
        "different": len(pairs),
        "first": pairs[0] if pairs else None,
        "starts": starts_apart(theirs, mine),
        "schedule": schedule,
        "seconds": seconds,
    }


def main() -> None:
    """Compare the folders named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recorded", nargs="+", help="TRACE/SCHEDULER")
    parser.add_argument("--results", type=Path, help="a JSON file for the results")
    given = parser.parse_args()
    different = False
    found = []
    for name in given.recorded:
        result = compare(Path(name))
        trace, scheduler = Path(name).parts[-2:]
        told = {one: result[one] for one in ("rows", "different", "schedule")}
        found.append({"trace": trace, "scheduler": scheduler, **told})
        different = different or bool(result["different"] or result["schedule"])
        print(
            f"{name}: {result['rows']} rows, {result['different']} differ; {result['starts']} jobs "
            f"start at another millisecond; schedule: {result['schedule'] or 'same'}; "
            f"{result['seconds']:.1f} CPU s"
        )
        if result["first"]:
            print("  recorded:", result["first"][0], "  ours:    ", result["first"][1], sep="\n")
    if given.results:
        given.results.write_text(json.dumps(found, indent=1) + "\n")
    sys.exit(different)


if __name__ == "__main__":
    main()
