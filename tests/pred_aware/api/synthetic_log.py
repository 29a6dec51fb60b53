"""A small log in the Standard Workload Format: users with repeated jobs, some without names."""

import random
from pathlib import Path


def write_log(path: Path, jobs: int = 120, processors: int = 8, missing: float = 0.0) -> Path:
    """Write a log; a share of its jobs has no requested time."""
    chance = random.Random(1)  # noqa: S311 - a made log
    lines = [f"; MaxProcs: {processors}", "; UnixStartTime: 0"]
    date = 0
    for number in range(1, jobs + 1):
        date += chance.randrange(120)
        user = chance.randrange(1, 5)
        run_time = user * 100 + chance.randrange(60)
        asked = -1 if chance.random() < missing else user * 300
        size = chance.randrange(1, processors + 1)
        lines.append(
            f"{number} {date} 5 {run_time} {size} -1 -1 {size} {asked} -1 1 {user} 1 -1 1 -1 -1 -1"
        )
    path.write_text("\n".join(lines) + "\n")
    return path
