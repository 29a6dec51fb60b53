"""The hook for OpenPBS and PBS Professional: asks pred-aware for soft walltimes.

For the events queuejob and modifyjob. It needs nothing but the standard library of Python 3.6, and
docs/how-to/production.md says how it is installed. A job is never refused, changed otherwise or
held up by it: whatever goes wrong, the job stays as its user has submitted it, and a line in the
server's log says so, once a minute at most. An answer is waited for at most 0.3 s, and after three
that did not come in time nobody is asked for a minute.
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
except ImportError:  # read by somebody outside of a PBS server
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
"""Up to so many seconds, soft walltimes are whole multiples of so many."""


class HookError(Exception):
    """What keeps a job from getting its soft walltime, in words for the server's log."""


def log(text: str) -> None:
    """Write a line into the server's log, with nothing in it that is no sign to be seen."""
    seen = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
    if len(seen) > LONGEST_LINE:
        seen = seen[:LONGEST_LINE] + "..."
    pbs.logmsg(pbs.LOG_DEBUG, f"{NAME}: {seen}")


def checked(told: Any) -> Dict[str, Any]:
    """Return all settings where some are told; raise HookError for one that is wrong.

    Names that begin with # are comments.
    """
    if not isinstance(told, dict):
        raise HookError("the settings must be a JSON object")
    found = dict(SETTINGS)
    for name, value in told.items():
        if name.startswith("#"):
            continue
        if name not in SETTINGS:
            raise HookError(f"unknown setting {name!r}; there are {', '.join(SETTINGS)}")
        wanted = _wanted(name, value)
        if wanted:
            raise HookError(f"the setting {name!r} must be {wanted}, not {json.dumps(value)}")
        found[name] = value
    return found


def _wanted(name: str, value: Any) -> str:
    """Say what a setting must be, nothing where it is that."""
    if name == "socket":
        right = isinstance(value, str) and value.startswith("/")
        return "" if right else "the whole path of the service's socket"
    if name == "timeout":
        number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return "" if number and 0.0 < value < math.inf else "a number of seconds above 0"
    if name == "dry_run":
        return "" if isinstance(value, bool) else "true or false"
    names = isinstance(value, list) and all(isinstance(one, str) for one in value)
    return "" if names else 'a list of names, such as ["ann"]'


def settings() -> Dict[str, Any]:
    """Return the settings, those of the hook's configuration before the others."""
    path = getattr(pbs, "hook_config_filename", None)
    if not path:
        return checked({})
    with open(path, encoding="utf-8") as file:  # noqa: PTH123 - PBS gives its name
        return read_settings(file.read())


def read_settings(text: str) -> Dict[str, Any]:
    """Return the settings that a text has; raise HookError for what is none."""
    try:
        return checked(json.loads(text))
    except ValueError as error:
        raise HookError(f"the settings are no JSON: {error}") from error


class HookMemory:
    """What is known from one job to the next.

    PBS runs the whole file anew for each job, and restarts its Python after a hundred, so it is
    kept in a file beside the settings, where only the server's own user can write; where others
    can, in the running Python as long as that lasts. Dates are of the clock that runs since the
    machine was started; what cannot be understood counts as nothing.
    """

    def __init__(self) -> None:
        self.timeouts = 0.0
        self.silent_since = self.told = -SILENCE
        self.left_alone = 0.0
        try:
            numbers = [float(word) for word in self._read().split()]
        except ValueError:
            return
        if len(numbers) == 4 and all(map(math.isfinite, numbers)):  # noqa: PLR2004 - as below
            self.timeouts, self.silent_since, self.told, self.left_alone = numbers

    def keep(self) -> None:
        """Keep it for the next job."""
        numbers = (self.timeouts, self.silent_since, self.told, self.left_alone)
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
        """Open the file; raise OSError where somebody else may have had a hand in it."""
        path = getattr(pbs, "hook_config_filename", None)
        if not path:
            raise OSError("there is no folder of settings")
        folder = os.stat(os.path.dirname(path))  # noqa: PTH116, PTH120 - as quick as can be
        if folder.st_uid != os.geteuid() or folder.st_mode & 0o022:
            raise OSError("others can write there")
        flags |= os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        file = os.open(path + ".state", flags, 0o600)
        found = os.fstat(file)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            os.close(file)
            raise OSError("somebody else's file")
        return file


def within(since: float, now: float) -> bool:
    """Say whether less than a minute has gone by."""
    return 0.0 <= now - since < SILENCE


def left_alone(why: str) -> None:
    """Count a job that is left alone; say so unless that was said in the last minute."""
    kept = HookMemory()
    now = time.monotonic()
    kept.left_alone += 1
    if not within(kept.told, now):
        jobs = "the job" if kept.left_alone == 1 else f"{kept.left_alone:.0f} jobs"
        log(f"left {jobs} alone: {why}")
        kept.told, kept.left_alone = now, 0.0
    kept.keep()


def left(end: float) -> float:
    """Return how many seconds are left; raise socket.timeout where none is."""
    seconds = end - time.monotonic()
    if seconds <= 0.0:
        raise socket.timeout("timed out")
    return seconds


def ask(request: Dict[str, Any], place: str, patience: float) -> Dict[str, Any]:
    """Return the service's answer; raise OSError where there is none in time."""
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
                raise HookError(f"{place}: the service has hung up")
            received += part
    try:
        answer = json.loads(received.decode())
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise HookError(f"{place}: what the service says is no answer")
    return answer


def asked_in_time(request: Dict[str, Any], place: str, patience: float) -> Dict[str, Any]:
    """Ask, unless nobody has answered lately."""
    kept = HookMemory()
    if within(kept.silent_since, time.monotonic()):
        raise HookError(f"{place}: nobody is asked, since there was no answer in time")
    try:
        answer = ask(request, place, patience)
    except socket.timeout:
        kept.timeouts += 1
        if kept.timeouts >= MOST_TIMEOUTS:
            kept.timeouts, kept.silent_since = 0.0, time.monotonic()
            log(f"no answer in time {MOST_TIMEOUTS} times: nobody is asked for {SILENCE:g} s")
        kept.keep()
        raise HookError(f"{place}: no answer within {patience:g} s") from None
    except OSError as error:
        raise HookError(f"{place}: {error.strerror or error}") from error
    if kept.timeouts or kept.left_alone:
        if kept.left_alone:
            log(f"the service answers; {kept.left_alone:.0f} more jobs were left alone before")
        kept.timeouts = kept.left_alone = 0.0
        kept.keep()
    return answer


def text_of(value: Any) -> Optional[str]:
    """Return a name, None for nothing; a queue is told by its name."""
    if value is None:
        return None
    return str(getattr(value, "name", value)) or None


def resource(wanted: Any, name: str) -> Any:
    """Return what a job asks for, None where it does not, or where the server knows no such thing.

    PBS has an attribute of its class for each resource that the server defines.
    """
    try:
        return wanted[name]
    except AttributeError:
        if hasattr(type(wanted), name):
            raise
        return None


def attributes(event: Any) -> Dict[str, str]:
    """Return what is known of the job, called as in PBS's accounting log."""
    job = event.job
    known = {"user": text_of(event.requestor)}
    for called, name in ATTRIBUTES:
        known[called] = text_of(getattr(job, name, None))
    for name in RESOURCES:
        known["Resource_List." + name] = text_of(resource(job.Resource_List, name))
    found = {name: value for name, value in known.items() if value is not None}
    if too_long(found):
        raise HookError(f"what it asks for is longer than {LONGEST_REQUEST} characters")
    return found


def too_long(known: Dict[str, str]) -> bool:
    """Say whether attributes are more than is sent: a long list of nodes takes long to read."""
    return sum(map(len, known.values())) > LONGEST_REQUEST


def read_estimate(answer: Dict[str, Any]) -> Optional[float]:
    """Return the estimate of an answer, None where it has none."""
    if "error" in answer:
        raise HookError(f"the service says: {answer['error']}")
    estimate = answer.get("estimate")
    number = isinstance(estimate, (int, float)) and not isinstance(estimate, bool)
    if estimate is not None and not (number and 0.0 < estimate < math.inf):
        raise HookError(f"the service's estimate is {estimate!r}")
    return estimate


def soft_walltime(estimate: Optional[float], walltime: float) -> Optional[int]:
    """Return an estimate, rounded up, as soft walltime; None where it is not below the walltime.

    Whole minutes up to an hour, 5 minutes up to 12 hours, 15 minutes above: jobs share few values.
    """
    if estimate is None:
        return None
    step = next(step for limit, step in STEPS if estimate <= limit)
    soft = math.ceil(estimate / step) * step
    return soft if soft < walltime else None


def queued(event: Any) -> None:
    """Give a job that is being submitted its soft walltime."""
    wanted = event.job.Resource_List
    walltime = resource(wanted, "walltime")
    if not walltime or int(walltime) <= 0:
        return
    if resource(wanted, "min_walltime") or resource(wanted, "soft_walltime"):
        return
    told = settings()
    known = attributes(event)
    if known.get("queue") in told["except_queues"] or known.get("user") in told["except_users"]:
        return
    patience = min(float(told["timeout"]), LONGEST_WAIT)
    answer = asked_in_time({"ask": "pbs", "job": known}, told["socket"], patience)
    soft = soft_walltime(read_estimate(answer), int(walltime))
    if soft is None:
        return
    if told["dry_run"]:
        user = known.get("user")
        log(f"would set soft_walltime={soft} for a job of {user}, walltime {walltime}")
        return
    wanted["soft_walltime"] = pbs.duration(soft)


def modified(event: Any) -> None:
    """Bring a soft walltime down with the walltime, which PBS would refuse to set below it."""
    walltime = resource(event.job.Resource_List, "walltime")
    soft = resource(event.job_o.Resource_List, "soft_walltime")
    if not walltime or not soft:
        return
    changed = resource(event.job.Resource_List, "soft_walltime")
    if not changed and int(soft) > int(walltime):
        event.job.Resource_List["soft_walltime"] = pbs.duration(int(walltime))


def main() -> None:
    """Do what the event asks for; nothing gets out of here."""
    try:
        event = pbs.event()
        if event.type == pbs.QUEUEJOB:
            queued(event)
        elif event.type == pbs.MODIFYJOB:
            modified(event)
    # an alarm is a KeyboardInterrupt, and anything that got out would refuse the job
    except BaseException as error:  # noqa: BLE001
        try:
            kind = "" if isinstance(error, HookError) else f"{type(error).__name__}: "
            left_alone(f"{kind}{error}")
        except BaseException:  # noqa: BLE001 - there is no place left to say it
            return


if pbs is not None:
    main()
