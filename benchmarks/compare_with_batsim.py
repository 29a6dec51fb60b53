"""Compare runs of the embedded simulator with recorded runs of the real Batsim, file by file.

Usage: python benchmarks/compare_with_batsim.py [--results FILE.json] RECORDED_FOLDER...

A recorded folder is ``TRACE/SCHEDULER`` with ``out_jobs.csv.gz`` and ``out_schedule.csv`` (gzip or
not); ``platform.xml`` and ``workload.json.gz`` stand in ``TRACE``.
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
# written as it was built: 4.2.1, v4.2.1, or 4.2.0 by Nix, for the same program
NAMED = {"batsim_version"}
ROUNDED = {"time_computing", "time_idle"}
DIGITS = 12


def read_lines(path: Path) -> list[str]:
    """Return the lines of a text file, plain or gzip (then with ``.gz`` behind the name)."""
    packed = path.with_name(path.name + ".gz")
    text = gzip.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes()
    return text.decode().splitlines()


def schedule_differences(recorded: list[str], ours: list[str]) -> list[str]:
    """Compare two schedule files column by column, what is measured and the version aside."""
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
    """Count the jobs that do not start at the same millisecond, or start in one schedule only."""
    theirs, mine = (
        {row["job_id"]: round(float(row["starting_time"]) * 1000) for row in csv.DictReader(lines)}
        for lines in (recorded, ours)
    )
    return sum(theirs.get(job) != mine.get(job) for job in theirs.keys() | mine.keys())


def compare(recorded: Path, *, delays: str = "batsim") -> dict[str, object]:
    """Run what was recorded, and count the rows that differ.

    Returns
    -------
    dict
        `rows` of the jobs file, `different` ones, `first` (the first difference), `starts` (jobs
        that start at another millisecond), `schedule` (the differences of the schedule file) and
        `seconds` of CPU.
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
    parser.add_argument("--results", type=Path, help="a JSON file for what was found")
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
            f"{name}: {result['rows']} rows, {result['different']} differ, {result['starts']} in "
            f"the millisecond of the start; schedule: {result['schedule'] or 'same'}; "
            f"{result['seconds']:.1f} CPU s"
        )
        if result["first"]:
            print("  recorded:", result["first"][0], "  ours:    ", result["first"][1], sep="\n")
    if given.results:
        given.results.write_text(json.dumps(found, indent=1) + "\n")
    sys.exit(different)


if __name__ == "__main__":
    main()
