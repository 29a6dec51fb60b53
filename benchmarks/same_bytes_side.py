"""Run the commands of one version for `same_bytes.py`, each in its own process.

Usage: PYTHON -P benchmarks/same_bytes_side.py CHECKOUT FOLDER JOBS < SECTIONS.json

PYTHON is the interpreter of the version. The script imports all modules once, then forks for each
command, which is much faster than new processes. In the forks, the clocks that measure durations
stand still, so measured times are 0. Processes that the commands start have normal clocks.
"""

import gc
import importlib
import io
import json
import os
import pkgutil
import shlex
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any

LIBRARIES = (
    *("matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg", "matplotlib.figure"),
    *("msgspec", "pandas", "scipy.special", "sklearn.ensemble", "sklearn.tree", "typer", "zmq"),
)
PACKAGES = ("pred_aware", "predictors", "schedulers", "workload_tools", "reproductions")
PATIENCE = 300
"""The script kills a command after this many seconds."""


def files(folder: Path) -> dict[str, tuple[int, int]]:
    """Return the files below a folder, each with its date of modification (ns) and size."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            seen = path.stat()
            found[str(path.relative_to(folder))] = (seen.st_mtime_ns, seen.st_size)
    return found


def forked(arguments: list[str], folder: Path, output: Path) -> int:
    """Run ``pred-aware`` in a fork that writes its output to files; return the exit code."""
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        for number, stream in ((1, "stdout"), (2, "stderr")):
            os.dup2(os.open(f"{output}.{stream}", os.O_WRONLY | os.O_CREAT), number)
        sys.argv = ["pred-aware", *arguments]
        code = 70
        try:
            importlib.import_module("pred_aware.cli").main()
        except SystemExit as end:
            code = int(end.code or 0)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return -signal.SIGALRM


def section(commands: list[str], folder: Path, outputs: Path) -> list[dict[str, Any]]:
    """Run the commands of a section; return each one's number, exit code, files and seconds."""
    behind: list[subprocess.Popen[bytes]] = []
    steps = []
    outputs.mkdir(parents=True)
    for number, command in enumerate(commands):
        first, *rest = shlex.split(command)
        if first == "&":
            program = str(Path(sys.executable).with_name(rest[0]))
            log = (outputs / f"{number}.behind").open("wb")
            made = subprocess.Popen([program, *rest[1:]], cwd=folder, stdout=log, stderr=log)  # noqa: S603 - our own
            behind.append(made)
        elif first == "until":
            ends = time.monotonic() + PATIENCE
            while not (folder / rest[0]).exists() and time.monotonic() < ends:
                time.sleep(0.05)
        elif first == "stop":
            stop(behind)
        else:
            before = files(folder)
            began = time.monotonic()
            code = forked([first, *rest], folder, outputs / str(number))
            seconds = round(time.monotonic() - began, 2)
            wrote = [name for name, seen in files(folder).items() if before.get(name) != seen]
            steps.append(
                {"number": number, "code": code, "wrote": sorted(wrote), "seconds": seconds}
            )
    stop(behind)
    return steps


def stop(behind: list[subprocess.Popen[bytes]]) -> None:
    """End the section's background processes."""
    while behind:
        process = behind.pop()
        process.terminate()
        process.wait()


def commands_and_helps() -> dict[str, str]:
    """Return the help of each command of the version, by the command's name."""
    line = importlib.import_module("pred_aware.cli").command_line()
    helps = {}

    def walk(group: Any, path: list[str]) -> None:  # noqa: ANN401 - typer's
        text = io.StringIO()
        with redirect_stdout(text), redirect_stderr(text):
            line([*path, "--help"], prog_name="pred-aware", standalone_mode=False)
        helps[" ".join(path)] = text.getvalue()
        for name, command in getattr(group, "commands", {}).items():
            walk(command, [*path, name])

    walk(line, [])
    return helps


def apart(path: Path, made: Any) -> int:  # noqa: ANN401 - any function
    """Fork a process that calls a function and writes the result as JSON; return its id."""
    child = os.fork()
    if not child:
        code = 1
        try:
            path.write_text(json.dumps(made()))
            code = 0
        finally:
            os._exit(code)
    return child


def stop_clocks() -> None:
    """Make measured times 0. Call this before other modules import the clocks."""
    for name, value in (("perf_counter", 1.0), ("process_time", 1.0)):
        setattr(time, name, lambda value=value: value)
        setattr(time, f"{name}_ns", lambda value=value: int(value * 1e9))


def load() -> None:
    """Import the modules that commands need, except those whose import fails."""
    names = [*LIBRARIES, *PACKAGES]
    for package in PACKAGES:
        with suppress(ImportError):
            path = importlib.import_module(package).__path__
            found = pkgutil.walk_packages(path, f"{package}.", onerror=lambda _: None)
            names += [module.name for module in found]
    for name in names:
        if not name.endswith(("__main__", "pbs_hook")) and ".migrations" not in name:
            with suppress(Exception):
                importlib.import_module(name)
    gc.freeze()


def main() -> None:
    """Run the sections, up to JOBS at a time, and write a report of each beside its outputs."""
    checkout, folder, jobs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    sections: dict[str, list[str]] = json.load(sys.stdin)
    stop_clocks()
    load()
    place = importlib.import_module("pred_aware").__file__ or ""
    if not Path(place).is_relative_to(checkout):
        sys.exit(f"{sys.executable} has the pred_aware of {place}, not of {checkout}")
    report = folder / "report"
    report.mkdir()
    running = {apart(report / "helps.json", commands_and_helps)}
    for name, commands in sections.items():
        while len(running) >= jobs:
            running.discard(os.wait()[0])
        made = folder / name, folder / "outputs" / name
        running.add(
            apart(report / f"section-{name}.json", lambda c=commands, m=made: section(c, *m))
        )
    while running:
        running.discard(os.wait()[0])


if __name__ == "__main__":
    main()
