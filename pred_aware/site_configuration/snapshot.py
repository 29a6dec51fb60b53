"""Snapshots of a batch system: a folder of files with the output of its read-only commands."""

import os
import selectors
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic
from typing import IO, Any, BinaryIO, Literal, cast

import msgspec

from pred_aware.process_group import end_group
from pred_aware.site_configuration.folder import SNAPSHOT
from pred_aware.version import __version__
from schedulers.site.site import SiteError

System = Literal["slurm", "pbs"]
MOST_BYTES = 1 << 29
"""Commands with more bytes of output are ended; the output for a queue of 150,000 jobs is
shorter."""
_BLOCK = 1 << 16
_LOCAL_TIME = "/etc/localtime"
_ZONES = "zoneinfo/"


@dataclass(frozen=True, slots=True)
class SnapshotFile:
    """A command or a copied file of a snapshot, with the name of its output file."""

    file: str
    command: tuple[str, ...]
    tells: str
    """What is unknown without this file."""
    needed: bool = False
    """True if the site needs this file, or another file with the same content."""

    @property
    def copies(self) -> bool:
        """True if the file is copied; False if a command writes it."""
        return self.command[0] == "cat"


_SLURM = (
    SnapshotFile(
        "config.txt", ("scontrol", "show", "config"), "the scheduler's configuration", True
    ),
    SnapshotFile("partitions.txt", ("scontrol", "show", "partition", "--all"), "partitions", True),
    SnapshotFile("nodes.txt", ("scontrol", "show", "node"), "nodes", True),
    SnapshotFile("reservations.txt", ("scontrol", "show", "reservation"), "future reservations"),
    SnapshotFile("licenses.txt", ("scontrol", "show", "licenses"), "the numbers of licences"),
    SnapshotFile("qos.txt", ("sacctmgr", "-P", "show", "qos"), "QOS and their limits"),
    SnapshotFile(
        "associations.txt", ("sacctmgr", "-P", "show", "assoc", "tree"),
        "shares, and limits of users and accounts",
    ),
    SnapshotFile("sshare.txt", ("sshare", "-l", "-a", "-P"), "past usage, for fair share"),
    SnapshotFile("queue.json", ("squeue", "--json"), "the jobs that wait and run now"),
)  # fmt: skip

_PBS = (
    SnapshotFile("server.txt", ("qstat", "-Bf"), "the server's limits and settings", True),
    SnapshotFile("queues.txt", ("qstat", "-Qf"), "queues", True),
    SnapshotFile("nodes.json", ("pbsnodes", "-av", "-F", "json"), "nodes", True),
    SnapshotFile("qmgr.txt", ("qmgr", "-c", "print server"), "the server's limits and settings"),
)
_SCHED_PRIV = ("sched_config", "resource_group", "holidays")
_OF_SCHED_PRIV = {
    "sched_config": "the scheduler's order and backfilling",
    "resource_group": "shares",
    "holidays": "prime time",
}


def commands_of(system: System, environment: Mapping[str, str]) -> tuple[SnapshotFile, ...]:
    """Return the commands to run and the files to copy for a snapshot.

    Parameters
    ----------
    system
        The batch system.
    environment
        Environment variables, as in ``os.environ``; ``SLURM_CONF`` and ``PBS_HOME`` give paths of
        files.
    """
    if system == "slurm":
        conf = environment.get("SLURM_CONF") or "/etc/slurm/slurm.conf"
        file = SnapshotFile("slurm.conf", ("cat", conf), "settings as in the file, and comments")
        return (*_SLURM[:3], file, *_SLURM[3:])
    home = Path(environment.get("PBS_HOME") or _pbs_home()) / "sched_priv"
    files = (
        SnapshotFile(name, ("cat", str(home / name)), _OF_SCHED_PRIV[name]) for name in _SCHED_PRIV
    )
    return (*_PBS, *files)


def _pbs_home() -> str:
    """Return the value of PBS_HOME in PBS's configuration file, or its default."""
    try:
        text = Path("/etc/pbs.conf").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "/var/spool/pbs"
    found = [line.partition("=")[2].strip() for line in text.split("\n") if "PBS_HOME=" in line]
    return found[-1] if found else "/var/spool/pbs"


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """How a command of a snapshot ended."""

    request: SnapshotFile
    code: int | None
    """The exit code; ``None`` if the command did not run or was ended early."""
    error: str | None
    """Why there is no output, in one line; ``None`` if there is output."""
    seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return the values for JSON."""
        return {
            "file": self.request.file, "command": " ".join(self.request.command), "code": self.code,
            "error": self.error, "tells": self.request.tells, "seconds": round(self.seconds, 3),
        }  # fmt: skip


def take_snapshot(
    system: System,
    folder: Path,
    *,
    environment: Mapping[str, str],
    timeout: float,
    now: Callable[[], datetime],
    report: Callable[[CommandOutput], object] = lambda _: None,
) -> tuple[CommandOutput, ...]:
    """Run the commands of a snapshot, and store their output in a new folder.

    If an error occurs, no folder is created. The folder's file `SNAPSHOT` lists the commands.

    Parameters
    ----------
    system
        The batch system.
    folder
        The folder to create.
    environment
        Environment variables of the commands.
    timeout
        Time limit of each command and each file, in seconds.
    now
        Returns the current date with its time zone.
    report
        Called with the result of each command.

    Raises
    ------
    SiteError
        The folder exists already or cannot be written, or all required commands failed.
    """
    if folder.exists():
        raise SiteError(f"{folder} exists already: give a new folder for the snapshot")
    if not folder.absolute().parent.is_dir():
        raise SiteError(f"cannot write {folder}: the folder {folder.parent} does not exist")
    begun = now()
    half = Path(mkdtemp(prefix=f".{folder.name}.", dir=folder.absolute().parent))
    try:
        answers = []
        for one in commands_of(system, environment):
            answers.append(_ask(one, half, environment=environment, timeout=timeout, now=now))
            report(answers[-1])
        needed = [one for one in answers if one.request.needed]
        if all(one.error for one in needed):
            why = needed[0]
            raise SiteError(
                f"the commands of {'Slurm' if system == 'slurm' else 'PBS'} failed: "
                f"{' '.join(why.request.command)}: {why.error}; no file was written"
            )
        record = {
            "system": system,
            "taken": begun.isoformat(timespec="seconds"),
            "time_zone": _time_zone(environment),
            "complete": not any(one.error for one in answers),
            "pred_aware": __version__,
            "commands": [one.to_dict() for one in answers],
        }
        text = msgspec.json.format(msgspec.json.encode(record)) + b"\n"
        (half / SNAPSHOT).write_bytes(text)
        half.chmod(0o755 & ~_umask())
        half.rename(folder)
    except OSError as error:
        raise SiteError(f"cannot write {folder}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(half, ignore_errors=True)
    return tuple(answers)


def _umask() -> int:
    old = os.umask(0o077)
    os.umask(old)
    return old


def _ask(
    request: SnapshotFile,
    folder: Path,
    *,
    environment: Mapping[str, str],
    timeout: float,
    now: Callable[[], datetime],
) -> CommandOutput:
    began = now()

    def answer(code: int | None, error: str | None) -> CommandOutput:
        if error is not None:
            (folder / request.file).unlink(missing_ok=True)
        return CommandOutput(request, code, error, (now() - began).total_seconds())

    name, *arguments = request.command
    path = os.defpath if request.copies else environment.get("PATH")
    program = shutil.which(name, path=path)
    if program is None:
        return answer(None, "the program is not on PATH")
    with (folder / request.file).open("wb") as file:
        code, said, why = _run(
            (program, *arguments), file, environment=environment, timeout=timeout
        )
    if code is None:
        return answer(None, why)
    if code:
        error = _last_line(why, said) or f"exit code {code}"
        # the error message of cat begins with the program's name
        return answer(code, error.removeprefix(f"{program}: ") if request.copies else error)
    if not said.strip() and not request.copies:
        return answer(0, _last_line(why, "") or "no output")
    return answer(0, None)


def _run(
    command: Sequence[str], file: BinaryIO, *, environment: Mapping[str, str], timeout: float
) -> tuple[int | None, str, str]:
    """Run a command, write its output to a file, and end all processes that the command started.

    Returns
    -------
    tuple
        The exit code, and the last part of the output and of the error messages. If the command was
        ended early, the code is ``None`` and the last text is the reason.
    """
    until = monotonic() + timeout
    try:
        process = subprocess.Popen(  # noqa: S603 - a command of the batch system
            command, env=dict(environment), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        return None, "", error.strerror or str(error)
    assert process.stdout is not None
    ends = {process.stdout: bytearray(), process.stderr: bytearray()}
    left = MOST_BYTES
    with process, selectors.DefaultSelector() as waiting:
        try:
            for pipe in ends:
                waiting.register(cast("BinaryIO", pipe), selectors.EVENT_READ)
            while waiting.get_map():
                ready = waiting.select(max(until - monotonic(), 0.0))
                if not ready or monotonic() > until:
                    return None, "", f"no answer within {timeout:g} s"
                for key, _ in ready:
                    block = os.read(key.fd, _BLOCK)
                    if not block:
                        waiting.unregister(key.fileobj)
                    elif key.fileobj is process.stdout:
                        file.write(block)
                    left -= len(block)
                    end = ends[cast("IO[bytes]", key.fileobj)]
                    end += block
                    del end[:-_BLOCK]
                if left < 0:
                    return None, "", f"the output is longer than {MOST_BYTES >> 20} MiB"
            code = process.wait(max(until - monotonic(), 0.0))
        except subprocess.TimeoutExpired:
            return None, "", f"no answer within {timeout:g} s"
        finally:
            end_group(process)
    said, errors = (bytes(end).decode(errors="replace") for end in ends.values())
    return code, said, errors


def _last_line(error: str, said: str) -> str:
    lines = [line.strip() for text in (said, error) for line in text.split("\n")]
    texts = [line for line in lines if line]
    return texts[-1] if texts else ""


def _time_zone(environment: Mapping[str, str]) -> str | None:
    """Return the name of the machine's time zone; ``None`` if it is unknown."""
    path_or_name = environment.get("TZ", "").lstrip(":")
    if not path_or_name:
        path_or_name = os.path.realpath(_LOCAL_TIME)
    _, found, name = path_or_name.rpartition(_ZONES)
    name = name if found or not path_or_name.startswith("/") else ""
    return "UTC" if name in ("Etc/UTC", "UCT") else name or None


def printed(system: System, environment: Mapping[str, str]) -> Iterator[str]:
    """Yield the commands of a snapshot as lines for a shell, to run on another machine."""
    for one in commands_of(system, environment):
        yield f"{_shell(one.command)} > {one.file}"


def _shell(command: Sequence[str]) -> str:
    import shlex

    return shlex.join(command)
