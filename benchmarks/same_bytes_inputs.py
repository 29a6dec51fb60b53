"""The input files of the commands of `same_bytes.py`: synthetic logs and small files."""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from random import Random

HOUR = 3600
WINTER, SUMMER = "UnixStartTime: 1072915200", "UnixStartTime: 1245974400"
"""The start dates of the synthetic logs, and of the log for blocks, which begins in June 2009."""

FAILS = 0.07
"""The share of jobs that fail."""


def write_log(path: Path, *, jobs: int, weeks: int = 6) -> None:
    """Write a log of users who repeat similar jobs. No two jobs have the same submission date."""
    chance = Random(29)  # noqa: S311 - a made log
    sessions = chance.sample(range(weeks * 7 * 86400), 70)
    dates = sorted({begin + chance.randrange(7200) for begin in sessions for _ in range(6)})[:jobs]
    users = [
        (user, chance.choice([2, 4, 8, 16, 32]), chance.choice([1800, 7200, 28800, 86400]))
        for user in range(1, 13)
    ]
    lines = ["; MaxProcs: 64", f"; {WINTER}", "; TimeZoneString: Europe/Prague"]
    for number, date in enumerate(dates, 1):
        user, size, usual = chance.choice(users)
        limit = usual * chance.choice([1, 2, 2, 3])
        run = min(max(1, int(usual * chance.lognormvariate(0, 0.7))), limit)
        wait = chance.choice([0, 0, 0, 60, 600, chance.randrange(7200)])
        status = int(chance.random() > FAILS)
        lines.append(
            f"{number} {date} {wait} {run} {size} {run * 0.9:.1f} {chance.randrange(1, 9000)} "
            f"{size} {limit} 9000 {status} {user} {user % 3 + 1} {user * 2} "
            f"{1 + (usual > HOUR)} 1 -1 -1"
        )
    path.write_text("\n".join(lines) + "\n")


def write_accounting(path: Path) -> None:
    """Write a PBS server's accounting records of forty ended jobs and of one queued job."""
    chance = Random(30)  # noqa: S311 - a made log
    lines = ["03/01/2024 11:00:00;Q;0.srv;queue=q"]
    date = 1709290800
    for number in range(1, 41):
        date += chance.randrange(1, 2000)
        start, nodes, cores = date + chance.randrange(600), chance.randrange(1, 5), 4
        run = chance.randrange(60, 7200)
        hosts = "+".join(f"n{node}/0*{cores}" for node in range(nodes))
        lines.append(
            f"03/{1 + number // 20:02}/2024 {number % 20:02}:59:59;E;{number}.srv;"
            f"user={chance.choice(['ann', 'bob', 'eve'])} group=lab queue=q ctime={date} "
            f"etime={date} start={start} exec_host={hosts} Resource_List.nodes={nodes}:ppn={cores} "
            f"Resource_List.walltime=02:00:00 end={start + run} Exit_status=0 "
            f"resources_used.walltime={run // HOUR:02}:{run // 60 % 60:02}:{run % 60:02}"
        )
    path.write_text("\n".join(lines) + "\n")


def write_inputs(folder: Path, texts: Mapping[str, str], copies: Mapping[str, str]) -> None:
    """Write the input files of a section into a folder.

    Parameters
    ----------
    texts
        Contents of small files by name.
    copies
        Additional names, each with the synthetic log that is copied to this name.
    """
    folder.mkdir(parents=True)
    write_log(folder / "log.swf", jobs=400)
    write_log(folder / "short.swf", jobs=80)
    write_accounting(folder / "accounting")
    short = (folder / "short.swf").read_text()
    short = short.replace("MaxProcs: 64", "MaxProcs: 163840").replace(WINTER, SUMMER)
    large = re.sub(r"(?m)^(\d+ \d+ \d+ \d+) \d+ (\S+ \d+) (\d+)", _of_blocks, short)
    (folder / "blocks.swf").write_text(large)
    for name, text in texts.items():
        (folder / name).write_text(text)
    for name, made in copies.items():
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(folder / made, folder / name)


def _of_blocks(found: re.Match[str]) -> str:
    size = int(found[3]) * 2048
    return f"{found[1]} {size} {found[2]} {size}"
