"""Convert every log of a folder and print what became of its jobs and the CPU seconds it took.

    python benchmarks/convert_logs.py FOLDER_OF_LOGS

Each conversion is the whole command `pred-aware convert swf`, start of Python included. Ends with 1
if a log's lines are not those kept and dropped, or a conversion fails.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from children import cpu_seconds


def convert(log: Path, folder: Path, suffix: str) -> tuple[dict[str, int], dict[str, int], float]:
    """Convert one log; return its counts, the reasons of what was dropped, and the CPU seconds."""
    workload, report = folder / f"workload{suffix}", folder / "report.json"
    command = [str(Path(sys.executable).with_name("pred-aware")), "convert", "swf", str(log)]
    before = cpu_seconds()
    subprocess.run(  # noqa: S603 - the command is ours
        [*command, "-o", str(workload), "--report", str(report), "--quiet"], check=True
    )
    used = cpu_seconds() - before
    content = json.loads(report.read_text())
    return {key: content[key] for key in ("read", "kept")}, content["dropped"], used


def main() -> int:
    """Convert the logs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of logs, *.swf and *.swf.gz")
    parser.add_argument("--gzip", action="store_true", help="write compressed workloads")
    options = parser.parse_args()
    logs = sorted(
        path for path in options.folder.iterdir() if path.name.endswith((".swf", ".swf.gz"))
    )
    if not logs:
        parser.error(f"no logs in {options.folder}")
    right = True
    print(f"{'log':40}{'read':>9}{'kept':>9}{'dropped':>9}{'CPU s':>8}  reasons")
    with tempfile.TemporaryDirectory() as name:
        for log in logs:
            suffix = ".json.gz" if options.gzip else ".json"
            counts, dropped, used = convert(log, Path(name), suffix)
            lost = sum(dropped.values())
            right &= counts["read"] == counts["kept"] + lost
            reasons = ", ".join(f"{reason}: {count}" for reason, count in dropped.items())
            print(
                f"{log.name:40}{counts['read']:9}{counts['kept']:9}{lost:9}{used:8.2f}  {reasons}"
            )
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())
