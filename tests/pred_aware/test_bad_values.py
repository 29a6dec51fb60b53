"""Every option and argument of every command with bad values: an answer, or one plain line.

PRED_AWARE_FUZZ=8000 tries all of them, which takes seven minutes.
"""

import os
import random
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from pred_aware.cli import command_line
from tests.cpu_guard import cpu_guard
from tests.pred_aware.command import Command
from tests.pred_aware.simulator.world import job, write_inputs

VALUES = (
    "", " ", "nan", "inf", "1e400", "-1", "-0", "0", "1.5", "[]", "{}", "null", "true", '"', "[1,2",
    '{"name": null}', '{"name": "x", "k": NaN}', '{"name": 5}', "x=", "=1", "@nosuch", "@.",
    "9" * 5000, "x" * 5000, "[" * 3000, "a\nb", "\x1b[2J", "\udcff\udcfe", "é€",
    "nosuch/x.json", "1-",
)  # fmt: skip
PYTHONS_WORDS = re.compile(
    r"invalid literal|Value error|could not convert|Traceback|\w+Error\b|has no attribute|NoneType|"
    r"object at 0x|<class|not subscriptable|unsupported operand|positional argument|codec can't|"
    r"Errno|byte position|surrogates not allowed|`(int|str|float|object|array|bool|null)`|"
    r"embedded null|recursion depth|PosixPath|list index|[ {\[(](True|False|None)\b"
)
NO_NUMBERS = ("", " ", "nan", "[]", "{}", "null", "x=", "9" * 5000, "1e400", "inf")
ONE_LINE = re.compile(r"pred-aware: error: [^\n]+\n")
REFUSED = 2
LONGEST = 6000
"""Characters of a message: a value may be 5,000 itself."""
SAMPLE = int(os.environ.get("PRED_AWARE_FUZZ", "100"))

SWF = "; UnixStartTime: 1700000000\n; MaxProcs: 8\n" + "".join(
    f"{n} {60 * n} {n % 3} 100 {1 + n % 4} -1 -1 {1 + n % 4} 600 -1 1 {n % 2} 1 1 1 1 -1 -1\n"
    for n in range(1, 12)
)
CAMPAIGN = """
baseline = "easy"
[logs.log]
file = "log.swf"
[policies.easy]
"""

WORKING: dict[str, list[str]] = {
    "study": ["nosuch.swf", "-q"],
    "demo": ["--shakes", "x"],
    "inspect": ["log.swf"],
    "convert any": ["log.swf", "-o", "new.json"],
    "convert recipes": [],
    "log fetch": ["nosuch", "--url", "http://127.0.0.1:9/"],
    "log sacct-command": ["--start", "2024-01-01", "--end", "2024-02-01"],
    "log infer": ["log.swf", "--training", "log.swf", "-o", "new.json"],
    "log raps": ["out", "-w", "workload.json", "-o", "raps"],
    "log map suggest": ["jobs.csv", "-o", "new.toml"],
    "log map list": [],
    "log model twin": ["log.swf", "-o", "new.json"],
    "log model scale": ["log.swf", "-o", "new.json", "--load", "0.5"],
    "predict": ["log.swf", "--predictor", "last_two"],
    "predictors": [],
    "platform": ["-n", "4", "-o", "new.xml"],
    "site snapshot": ["slurm", "-o", "snap", "--timeout", "5", "-q"],
    "site slurm": ["slurm"],
    "site pbs": ["pbs"],
    "site infer": ["log.swf"],
    "site show": ["site.toml"],
    "site check": ["site.toml"],
    "site machine": ["frontier"],
    "run": ["-s", "easy", "-p", "platform.xml", "-w", "workload.json", "-e", "new"],
    "batsim": ["-p", "platform.xml", "-w", "workload.json", "--timeout", "0.05"],
    "compare": ["out", "two=out"],
    "explain": ["out", "--job", "1"],
    "campaign plan": ["c.toml"],
    "campaign run": ["c.toml", "--on", "dask-nosuch"],
    "campaign status": ["c.toml"],
    "campaign table": ["c.toml"],
    "campaign report": ["c.toml", "-o", "new.html"],
    "campaign show": ["c.toml", "1"],
    "campaign export": ["c.toml", "-o", "new.csv"],
    "campaign gc": ["c.toml", "--dry-run"],
    "schedulers": [],
    "service shadow": ["log.swf", "--predictor", "last_two"],
    "service serve": ["--store", ".", "--socket", "nosuch/s.sock", "--predictor", "last_two"],
    "service health": ["nosuch.sock"],
    "service files": ["files", "--system", "pbs"],
    "service pbs-hook": ["-o", "new.py"],
    "service pbs-check": [],
    "service pbs-waiting": ["nosuch.sock", "--once", "--dry-run"],
    "service store info": ["store.db"],
    "service store add": ["store.db", "log.swf"],
    "service store export": ["store.db", "-o", "new.csv"],
    "service store prune": ["store.db", "--days", "9"],
    "service store forget": ["store.db", "ann"],
    "service store backup": ["store.db", "new.db"],
    "doctor": ["--timeout", "0.1"],
}
"""A command line of each command to which values are added: it works, or ends soon."""


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, Any]]:  # noqa: ANN401
    if not hasattr(command, "commands"):
        yield " ".join(path), command
        return
    for name, inner in command.commands.items():
        yield from commands(inner, (*path, name))


def cases() -> list[tuple[str, str, str]]:
    """Return each command with each place of a value and each value."""
    found = []
    for path, command in commands(command_line()):
        if path not in WORKING and not path.startswith("convert"):
            continue
        for parameter in command.params:
            if not getattr(parameter, "is_flag", False):
                where = parameter.opts[-1] if parameter.param_type_name == "option" else ""
                found += [(path, where, value) for value in VALUES]
    return found


def takes_a_number(path: str, where: str) -> bool:
    """Say whether an option's values are numbers, by what its help shows for them."""
    command = dict(commands(command_line()))[path]
    found = next((one for one in command.params if where in one.opts), None)
    if found is None:
        return False
    kind = found.type_descriptor.annotation
    return {int, float} & {kind, *get_args(kind)} != set()


def arguments(path: str, where: str, value: str) -> list[str]:
    """Return a command line in which a value stands at a place, and nowhere else."""
    line = [*WORKING.get(path, ["log.swf", "-o", "new.json"])]
    if where and where in line:
        line[line.index(where) + 1] = value
    elif where:
        line += [where, value]
    elif line and not line[0].startswith("-"):
        line[0] = value
    else:
        line = [value, *line]
    return [*path.replace("convert any", "convert").split(), *line]


@pytest.fixture
def folder(here: Path, command: Command) -> Path:
    # what is said once of packages that cannot be loaded is said now
    command("--help")
    write_inputs(here, [job(1, 0, 4, 10, 60)])
    (here / "log.swf").write_text(SWF)
    (here / "jobs.csv").write_text("job,submit,run,cpus\n1,5,60,4\n")
    (here / "c.toml").write_text(CAMPAIGN)
    for system in ("slurm", "pbs"):
        shutil.copytree(Path(__file__).parent / "site_configuration" / system, here / system)
    assert command("site", "slurm", "slurm", "-o", "site.toml", "-q").code == 0
    assert (
        command(
            "run", "-s", "easy", "-p", "platform.xml", "-w", "workload.json", "-e", "out", "-q"
        ).code
        == 0
    )
    command("service", "store", "add", "store.db", "log.swf", "-q")
    return here


def test_every_command_has_a_sample_command_line() -> None:
    known = {path for path, _ in commands(command_line()) if not path.startswith("convert ")}
    assert known - set(WORKING) == set()


def test_a_bad_value_gives_a_result_or_a_one_line_error(folder: Path, command: Command) -> None:
    everything = cases()
    random.Random(0).shuffle(everything)  # noqa: S311 - a choice of cases, not a secret
    before = {*folder.rglob("*")}
    wrong = []
    for path, where, value in everything[:SAMPLE]:
        line = arguments(path, where, value)
        with cpu_guard(20.0):
            ended = command(*line)
        left = {*folder.rglob("*")} - before
        refused = ended.code == REFUSED
        for what, is_so in (
            ("exit code", ended.code not in (0, 1, REFUSED)),
            ("long message", len(ended.err) > LONGEST),
            ("lines", refused and (ended.out or not ONE_LINE.fullmatch(ended.err))),
            ("words", refused and PYTHONS_WORDS.search(ended.err)),
            # what another program said stays, to be read
            ("left", refused and any(one.suffix != ".log" for one in left)),
            ("taken", not refused and value in NO_NUMBERS and takes_a_number(path, where)),
        ):
            if is_so:
                wrong.append((what, *(one[:40] for one in line), ended.code, ended.err[:200]))
        for one in sorted(left, reverse=True):
            one.unlink() if one.is_file() else shutil.rmtree(one)
    assert wrong == []
