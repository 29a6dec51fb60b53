"""Is `--minutes` kept, and how many shakes fit in? On a machine that does nothing else.

Usage: python benchmarks/study_minutes.py [--minutes 2] [--before PYTHON] LOG...

With --before, the Python of an environment that has another version, its `study` runs in turns
with this one.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path
from time import monotonic


def main() -> None:
    """Print a row for each log and version."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="+", type=Path)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--before")
    arguments = parser.parse_args()
    pythons = [sys.executable, *([arguments.before] if arguments.before else [])]
    print("| log | version | seconds | shakes | ended because | answer |")
    print("|---|---|---|---|---|---|")
    for log in arguments.logs:
        for name, python in zip(("this", "before"), pythons, strict=False):
            with tempfile.TemporaryDirectory() as folder:
                seconds, told = study(python, log, Path(folder) / "out", arguments.minutes)
            said = [f"{told['shakes']}", told["ended_because"], told["answer"]["headline"]]
            print(f"| {log.name} | {name} | {seconds:.0f} | {' | '.join(said)} |", flush=True)


def study(python: str, log: Path, folder: Path, minutes: float) -> tuple[float, dict]:
    """Study a log; return the seconds until the page was there, and what was found."""
    began = monotonic()
    subprocess.run(  # noqa: S603 - ourselves
        [python, "-m", "pred_aware", "study", log, "-o", folder, "--minutes", str(minutes), "-q"],
        check=True,
    )
    return monotonic() - began, json.loads((folder / "study.json").read_text())


if __name__ == "__main__":
    main()
