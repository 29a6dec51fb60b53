"""The hook for OpenPBS and PBS Professional: asks pred-aware for soft walltimes.

It handles the events queuejob and modifyjob, and needs only the standard library of Python 3.6.
docs/how-to/production.md describes its installation. It never refuses a job, and changes nothing
but the soft walltime. After any error, the job stays as submitted, and the server's log
gets at most one line per minute. The hook waits at most 0.3 s for an answer. After three late
answers, it sends no request for a minute.
"""

import json
import math
import os
import socket
import stat
import sys
import time
import types
from typing import Any, Dict, Optional

try:
    import pbs
except ImportError:  # imported outside of a PBS server
    pbs = None

NAME = "pred-aware"
LONGEST_WAIT = 0.3
MOST_TIMEOUTS = 3
SILENCE = 60.0
LONGEST_ANSWER = 65536
LONGEST_REQUEST = 16384
LONGEST_LINE = 300
SETTINGS = {  # type: Dict[str, Any]
    "socket": "/run/pred-aware/socket",
    "timeout": LONGEST_WAIT,
    "except_queues": [],
    "except_users": [],
    "dry_run": False,
}
ATTRIBUTES = [("queue", "queue"), ("jobname", "Job_Name"), ("account", "Account_Name")]
ATTRIBUTES += [("project", "project")]
RESOURCES = [
    *("select", "nodes", "ncpus", "procs", "mppwidth", "nodect", "mpiprocs", "ngpus"),
    *("mem", "pmem", "vmem", "pvmem", "walltime", "partition", "qos"),
]
STEPS = [(3600.0, 60), (43200.0, 300), (math.inf, 900)]
"""Soft walltimes up to the first number are multiples of the second, both in seconds."""


class HookError(Exception):
    """Why a job does not get a soft walltime, in words for the server's log."""


def log(text: str) -> None:
    """Write a line into the server's log, with unprintable characters escaped."""
    seen = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    if len(seen) > LONGEST_LINE:
        seen = seen[:LONGEST_LINE] + "..."
    pbs.logmsg(pbs.LOG_DEBUG, f"{NAME}: {seen}")


def checked(given: Any) -> Dict[str, Any]:
    """Return all settings, with defaults for missing ones; raise HookError for a wrong one.

    Names that begin with # are comments.
    """
    if not isinstance(given, dict):
        raise HookError("the settings must be a JSON object")
    found = dict(SETTINGS)
    for name, value in given.items():
        if name.startswith("#"):
            continue
        if name not in SETTINGS:
            raise HookError(f"unknown setting {name!r}; known: {', '.join(SETTINGS)}")
        wanted = _wanted(name, value)
        if wanted:
            raise HookError(f"the setting {name!r} must be {wanted}, not {json.dumps(value)}")
        found[name] = value
    return found


def _wanted(name: str, value: Any) -> str:
    """Return what a setting must be, or "" if the value is valid."""
    if name == "socket":
        right = isinstance(value, str) and value.startswith("/")
        return "" if right else "the absolute path of the service's socket"
    if name == "timeout":
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return "" if number and 0.0 < value < math.inf else "a number of seconds above 0"
    if name == "dry_run":
        return "" if isinstance(value, bool) else "true or false"
    names = isinstance(value, list) and all(isinstance(one, str) for one in value)
    return "" if names else 'a list of names, such as ["ann"]'


def settings() -> Dict[str, Any]:
    """Return the settings: defaults, replaced by those of the hook's configuration."""
    path = getattr(pbs, "hook_config_filename", None)
    if not path:
        return checked({})
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - PBS gives a text
        return read_settings(file.read())


def read_settings(text: str) -> Dict[str, Any]:
    """Return the settings in a JSON text; raise HookError if they are invalid."""
    try:
        return checked(json.loads(text))
    except ValueError as error:
        raise HookError(f"the settings are not JSON: {error}") from error


class HookMemory:
    """State that lasts from one job to the next.

    PBS runs the whole file for each job, and restarts Python after a hundred jobs. The state is
    therefore kept in a file next to the settings, if only the server's user can write there, and
    otherwise in the Python process. Times are of the monotonic clock. A damaged state counts as
    empty.
    """

    def __init__(self) -> None:
        self.timeouts = 0.0
        self.silent_since = self.logged_at = -SILENCE
        self.left_alone = 0.0
        try:
            numbers = [float(word) for word in self._read().split()]
        except ValueError:
            return
        if len(numbers) == 4 and all(map(math.isfinite, numbers)):  # noqa: PLR2004 - the four numbers below
            self.timeouts, self.silent_since, self.logged_at, self.left_alone = numbers

    def keep(self) -> None:
        """Store the state for the next job."""
        numbers = (self.timeouts, self.silent_since, self.logged_at, self.left_alone)
        text = " ".join(map(str, numbers))
        try:
            file = self._open(os.O_RDWR | os.O_CREAT)
            try:
                os.ftruncate(file, 0)
                os.write(file, text.encode())
            finally:
                os.close(file)
        except OSError:
            kept = sys.modules.setdefault("_pred_aware_hook", types.ModuleType("_"))  # type: Any
            kept.text = text

    def _read(self) -> str:
        try:
            file = self._open(os.O_RDONLY)
        except OSError:
            return str(getattr(sys.modules.get("_pred_aware_hook"), "text", ""))
        try:
            return os.read(file, 1000).decode("ascii", "replace")
        finally:
            os.close(file)

    def _open(self, flags: int) -> int:
        """Open the file; raise OSError if another user could have changed it."""
        path = getattr(pbs, "hook_config_filename", None)
        if not path:
            raise OSError("the folder of settings is unknown")
        folder = os.stat(os.path.dirname(path))  # noqa: PTH116, PTH120 - the fastest way
        if folder.st_uid != os.geteuid() or folder.st_mode & 0o022:
            raise OSError("other users can write to the folder")
        flags |= os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        file = os.open(path + ".state", flags, 0o600)
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            os.close(file)
            raise OSError("the file belongs to another user")
        return file


def within(since: float, now: float) -> bool:
    """Return True if less than a minute has passed since a time."""
    return 0.0 <= now - since < SILENCE


def left_alone(why: str) -> None:
    """Count a job that the hook leaves unchanged; log the count at most once a minute."""
    kept = HookMemory()
    now = time.monotonic()
    kept.left_alone += 1
    if not within(kept.logged_at, now):
        jobs = "the job" if kept.left_alone == 1 else f"{kept.left_alone:.0f} jobs"
        log(f"left {jobs} unchanged: {why}")
        kept.logged_at, kept.left_alone = now, 0.0
    kept.keep()


def left(end: float) -> float:
    """Return the remaining seconds; raise socket.timeout if none remain."""
    seconds = end - time.monotonic()
    if seconds <= 0.0:
        raise socket.timeout("timed out")
    return seconds


def ask(request: Dict[str, Any], place: str, patience: float) -> Dict[str, Any]:
    """Return the service's answer; raise OSError without an answer in time."""
    end = time.monotonic() + patience
    received = b""
    with socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(patience)
        asking.connect(place)
        asking.settimeout(left(end))
        asking.sendall(json.dumps(request, allow_nan=False).encode() + b"\n")
        while not received.endswith(b"\n") and len(received) < LONGEST_ANSWER:
            asking.settimeout(left(end))
            part = asking.recv(LONGEST_ANSWER)
            if not part:
                raise HookError(f"{place}: the service closed the connection")
            received += part
    try:
        answer = json.loads(received.decode())
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise HookError(f"{place}: the service's answer is not a JSON object")
    return answer


def ask_in_time(request: Dict[str, Any], place: str, patience: float) -> Dict[str, Any]:
    """Ask the service, unless recent requests were not answered in time."""
    kept = HookMemory()
    if within(kept.silent_since, time.monotonic()):
        raise HookError(f"{place}: no request was sent, because recent answers were late")
    try:
        answer = ask(request, place, patience)
    except socket.timeout:
        kept.timeouts += 1
        if kept.timeouts >= MOST_TIMEOUTS:
            kept.timeouts, kept.silent_since = 0.0, time.monotonic()
            log(f"{MOST_TIMEOUTS} late answers: no requests to the service for {SILENCE:g} s")
        kept.keep()
        raise HookError(f"{place}: no answer within {patience:g} s") from None
    except OSError as error:
        raise HookError(f"{place}: {error.strerror or error}") from error
    if kept.timeouts or kept.left_alone:
        if kept.left_alone:
            log(f"the service answers; before, {kept.left_alone:.0f} more jobs were left unchanged")
        kept.timeouts = kept.left_alone = 0.0
        kept.keep()
    return answer


def text_of(value: Any) -> Optional[str]:
    """Return a name, or the name of a queue object, as text; None without a name."""
    if value is None:
        return None
    return str(getattr(value, "name", value)) or None


def resource(wanted: Any, name: str) -> Any:
    """Return a requested resource; None if it is not requested or the server does not have it.

    PBS's class has an attribute for each resource that the server defines.
    """
    try:
        return wanted[name]
    except AttributeError:
        if hasattr(type(wanted), name):
            raise
        return None


def attributes(event: Any) -> Dict[str, str]:
    """Return the job's known attributes, named as in PBS's accounting log."""
    job = event.job
    known = {"user": text_of(event.requestor)}
    for called, name in ATTRIBUTES:
        known[called] = text_of(getattr(job, name, None))
    for name in RESOURCES:
        known["Resource_List." + name] = text_of(resource(job.Resource_List, name))
    found = {name: value for name, value in known.items() if value is not None}
    if too_long(found):
        raise HookError(f"the job's attributes are longer than {LONGEST_REQUEST} characters")
    return found


def too_long(known: Dict[str, str]) -> bool:
    """Return True if attributes are too long to send, such as a long node list."""
    return sum(map(len, known.values())) > LONGEST_REQUEST


def read_estimate(answer: Dict[str, Any]) -> Optional[float]:
    """Return the estimate in an answer; None without one."""
    if "error" in answer:
        raise HookError(f"the service reports: {answer['error']}")
    estimate = answer.get("estimate")
    number = isinstance(estimate, (int, float)) and not isinstance(estimate, bool)
    if estimate is not None and not (number and 0.0 < estimate < math.inf):
        raise HookError(f"the service's estimate is {estimate!r}")
    return estimate


def soft_walltime(estimate: Optional[float], walltime: float) -> Optional[int]:
    """Return an estimate, rounded up, as soft walltime; None if it is not below the walltime.

    Soft walltimes are multiples of 1 minute up to an hour, of 5 minutes up to 12 hours, and of 15
    minutes above, so that they have few different values.
    """
    if estimate is None:
        return None
    step = next(step for limit, step in STEPS if estimate <= limit)
    soft = math.ceil(estimate / step) * step
    return soft if soft < walltime else None


def queued(event: Any) -> None:
    """Set the soft walltime of a job that is being submitted."""
    wanted = event.job.Resource_List
    walltime = resource(wanted, "walltime")
    if not walltime or int(walltime) <= 0:
        return
    if resource(wanted, "min_walltime") or resource(wanted, "soft_walltime"):
        return
    chosen = settings()
    known = attributes(event)
    if known.get("queue") in chosen["except_queues"] or known.get("user") in chosen["except_users"]:
        return
    patience = min(float(chosen["timeout"]), LONGEST_WAIT)
    answer = ask_in_time({"ask": "pbs", "job": known}, chosen["socket"], patience)
    soft = soft_walltime(read_estimate(answer), int(walltime))
    if soft is None:
        return
    if chosen["dry_run"]:
        user = known.get("user")
        log(f"would set soft_walltime={soft} for a job of {user}, walltime {walltime}")
        return
    wanted["soft_walltime"] = pbs.duration(soft)


def modified(event: Any) -> None:
    """Lower a soft walltime to a new walltime; otherwise PBS refuses this walltime."""
    walltime = resource(event.job.Resource_List, "walltime")
    soft = resource(event.job_o.Resource_List, "soft_walltime")
    if not walltime or not soft:
        return
    changed = resource(event.job.Resource_List, "soft_walltime")
    if not changed and int(soft) > int(walltime):
        event.job.Resource_List["soft_walltime"] = pbs.duration(int(walltime))


def main() -> None:
    """Handle the event; no exception leaves this function."""
    try:
        event = pbs.event()
        if event.type == pbs.QUEUEJOB:
            queued(event)
        elif event.type == pbs.MODIFYJOB:
            modified(event)
    # PBS's alarm raises KeyboardInterrupt; after an uncaught exception PBS would refuse the job
    except BaseException as error:  # noqa: BLE001
        try:
            kind = "" if isinstance(error, HookError) else f"{type(error).__name__}: "
            left_alone(f"{kind}{error}")
        except BaseException:  # noqa: BLE001 - it cannot be reported
            return


if pbs is not None:
    main()
