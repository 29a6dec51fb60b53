"""Convert a made log of many lines, and print the CPU seconds and the memory that it took.

    python research/measurements/many_jobs.py --lines 10000000
    python many_jobs.py --lines 10000000 -- --anonymise key.json --clean warm-up=1%

What stands behind ``--`` goes to `pred-aware convert swf`. One line in a thousand comes 100 s too
early for its place. Files go to `--folder`, which needs about 600 bytes a line.
"""

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path


def write_log(path: Path, lines: int) -> None:
    """Write a log of jobs of 500 users over years."""
    rng = random.Random(1)  # noqa: S311 - a made log, not a secret
    now = 0
    with path.open("w") as file:
        file.write("; UnixStartTime: 1000000000\n; MaxProcs: 4096\n")
        for number in range(1, lines + 1):
            now += rng.randrange(8)
            submit = now - 100 if now > 100 and rng.random() < 0.001 else now  # noqa: PLR2004 - above
            run, size = rng.randrange(1, 86400), 1 << rng.randrange(8)
            file.write(
                f"{number} {submit} {rng.randrange(5000)} {run} {size} -1 -1 {size} "
                f"{min(86400, 3 * run)} -1 1 {rng.randrange(500)} {rng.randrange(20)} -1 "
                f"{rng.randrange(5)} -1 -1 -1\n"
            )


def main() -> int:
    """Make the log and convert it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="where the files go; a temporary one otherwise")
    parser.add_argument("--output", default="workload.json", help="its name; x.swf for an SWF")
    parser.add_argument("changes", nargs="*", help="options of `pred-aware convert swf`")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        log = Path(folder) / "log.swf"
        write_log(log, options.lines)
        command = [str(Path(sys.executable).with_name("pred-aware")), "convert", "swf", log.name]
        subprocess.run(  # noqa: S603 - the command is ours
            [*command, "-o", options.output, *options.changes], check=True, cwd=folder
        )
        written = (Path(folder) / options.output).stat().st_size
    used, memory = os.times(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"{options.lines} lines, {written / 1e6:.0f} MB written")
    print(f"{used.children_user + used.children_system:.1f} CPU s, at most {memory / 1e3:.0f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
