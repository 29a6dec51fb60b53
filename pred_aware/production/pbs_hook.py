"""The hook for OpenPBS and PBS Professional: asks pred-aware for soft walltimes.

For the events queuejob and modifyjob. It needs nothing but the standard library of Python 3.6, and
docs/production.md says how it is installed. A job is never refused, changed otherwise or held up by
it: whatever goes wrong, the job stays as its user has submitted it, and a line in the server's log
says so. An answer is waited for at most 0.3 s, and after three that did not come in time nobody is
asked for a minute.
"""

import json
import math
import socket
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
SETTINGS = {  # type: Dict[str, Any]
    "socket": "/run/pred-aware/socket",
    "timeout": LONGEST_WAIT,
    "except_queues": [],
    "except_users": [],
    "dry_run": False,
}
RESOURCES = [
    *("select", "nodes", "ncpus", "procs", "mppwidth", "nodect", "mpiprocs", "ngpus"),
    *("mem", "pmem", "vmem", "pvmem", "walltime", "partition", "qos"),
]


def log(text: str) -> None:
    """Write a line into the server's log."""
    pbs.logmsg(pbs.LOG_DEBUG, f"{NAME}: {text}")


def settings() -> Dict[str, Any]:
    """Return the settings, those of the hook's configuration before the others."""
    found = dict(SETTINGS)
    path = getattr(pbs, "hook_config_filename", None)
    if path:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - PBS gives its name
            told = json.load(file)
        unknown = sorted(set(told) - set(SETTINGS))
        if unknown:
            raise ValueError(f"unknown setting '{unknown[0]}' in its configuration")
        found.update(told)
    return found


def memory() -> Any:
    """Return what is remembered from one job to the next, as long as the server runs.

    PBS runs the whole file anew for each job, so that no variable of it would do.
    """
    kept = sys.modules.get("_pred_aware_hook")  # type: Any
    if kept is None:
        kept = types.ModuleType("_pred_aware_hook")
        kept.timeouts = 0
        kept.silent_until = -math.inf
        sys.modules["_pred_aware_hook"] = kept
    return kept


def ask(request: Dict[str, Any], place: str, patience: float) -> Dict[str, Any]:
    """Return the service's answer; raise OSError where there is none in time."""
    end = time.monotonic() + patience
    received = b""
    with socket.socket(socket.AF_UNIX) as asking:
        asking.settimeout(patience)
        asking.connect(place)
        asking.sendall(json.dumps(request).encode() + b"\n")
        while not received.endswith(b"\n") and len(received) < LONGEST_ANSWER:
            left = end - time.monotonic()
            if left <= 0.0:
                raise socket.timeout("timed out")
            asking.settimeout(left)
            part = asking.recv(LONGEST_ANSWER)
            if not part:
                raise OSError("hung up")
            received += part
    return dict(json.loads(received.decode()))


def asked_in_time(request: Dict[str, Any], place: str, patience: float) -> Dict[str, Any]:
    """Ask, unless nobody has answered lately; return nothing then."""
    kept = memory()
    if time.monotonic() < kept.silent_until:
        return {}
    try:
        answer = ask(request, place, patience)
    except socket.timeout:
        kept.timeouts += 1
        if kept.timeouts >= MOST_TIMEOUTS:
            kept.timeouts = 0
            kept.silent_until = time.monotonic() + SILENCE
            log(f"no answer in time {MOST_TIMEOUTS} times: silent for {SILENCE:g} s")
        raise
    kept.timeouts = 0
    return answer


def text_of(value: Any) -> Optional[str]:
    """Return a name, None for nothing; a queue is told by its name."""
    if value is None:
        return None
    return str(getattr(value, "name", value)) or None


def attributes(event: Any) -> Dict[str, str]:
    """Return what is known of the job, called as in PBS's accounting log."""
    job = event.job
    known = {
        "user": text_of(event.requestor),
        "queue": text_of(job.queue),
        "jobname": text_of(job.Job_Name),
        "account": text_of(job.Account_Name),
        "project": text_of(job.project),
    }
    for name in RESOURCES:
        known["Resource_List." + name] = text_of(job.Resource_List[name])
    return {name: value for name, value in known.items() if value is not None}


def queued(event: Any) -> None:
    """Give a job that is being submitted its soft walltime."""
    wanted = event.job.Resource_List
    walltime = wanted["walltime"]
    if walltime is None or wanted["min_walltime"] or wanted["soft_walltime"]:
        return
    told = settings()
    known = attributes(event)
    if known.get("queue") in told["except_queues"] or known.get("user") in told["except_users"]:
        return
    patience = min(float(told["timeout"]), LONGEST_WAIT)
    answer = asked_in_time({"ask": "pbs", "job": known}, told["socket"], patience)
    if "error" in answer:
        said = answer["error"]
        log(f"the service says: {said}")
    estimate = answer.get("estimate")
    if estimate is None:
        return
    soft = max(1, math.ceil(float(estimate)))
    if soft >= int(walltime):
        return
    if told["dry_run"]:
        user = known.get("user")
        log(f"would set soft_walltime={soft} for a job of {user}, walltime {walltime}")
        return
    wanted["soft_walltime"] = pbs.duration(soft)


def modified(event: Any) -> None:
    """Bring a soft walltime down with the walltime, which PBS would refuse to set below it."""
    walltime = event.job.Resource_List["walltime"]
    soft = event.job_o.Resource_List["soft_walltime"]
    if walltime is None or soft is None:
        return
    if event.job.Resource_List["soft_walltime"] is None and int(soft) > int(walltime):
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
            kind = type(error).__name__
            log(f"left the job alone: {kind}: {error}")
        except BaseException:  # noqa: BLE001 - there is no place left to say it
            return


if pbs is not None:
    main()
