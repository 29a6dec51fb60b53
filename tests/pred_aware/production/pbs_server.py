"""A PBS server as far as a hook sees it, for any Python from 3.6 on.

It keeps to the interface in the Hooks Guide: `pbs.event()` has `type`, `requestor`, `job` and
`job_o`; a job's resources are read and set by name, are None where not given, and times are set by
durations only. A hook is run anew for each event, in a namespace of its own. Whatever comes out of
it refuses the job, as does a soft walltime above the walltime.

`python pbs_server.py HOOK CONFIGURATION` reads lines of JSON, `[EVENT, NUMBER, PAUSE, {...}]`, and
answers with what became of so many jobs: refused or not, soft walltime, seconds.
"""

import json
import sys
import time
import types
from pathlib import Path


class duration:  # noqa: N801 - PBS calls it so
    def __init__(self, seconds):
        self.seconds = int(seconds)

    def __int__(self):
        return self.seconds

    def __str__(self):
        return f"{self.seconds // 3600:02}:{self.seconds // 60 % 60:02}:{self.seconds % 60:02}"


DURATIONS = ("walltime", "soft_walltime", "min_walltime", "max_walltime")


class Resources:
    def __init__(self, values):
        self.values = {
            name: duration(value) if name in DURATIONS else value for name, value in values.items()
        }

    def __getitem__(self, name):
        return self.values.get(name)

    def __setitem__(self, name, value):
        if name in DURATIONS and value is not None and not isinstance(value, duration):
            raise TypeError(f"{name} must be a duration")
        self.values[name] = value


class Queue:
    def __init__(self, name):
        self.name = name


class Job:
    Job_Name = Account_Name = project = queue = None

    def __init__(self, told):
        self.Resource_List = Resources(told.get("resources", {}))
        self.queue = Queue(told["queue"]) if "queue" in told else None


def server(configuration, logged):
    pbs = types.ModuleType("pbs")
    pbs.QUEUEJOB, pbs.MODIFYJOB, pbs.RUNJOB, pbs.LOG_DEBUG = 1, 2, 16, 7
    pbs.duration = duration
    pbs.hook_config_filename = configuration
    pbs.logmsg = lambda _level, text: logged.append(text)
    return pbs


def happened(pbs, code, kind, told):
    """Let one event happen; return what became of the job."""
    event = types.SimpleNamespace(
        type=getattr(pbs, kind), requestor=told.get("user", "ann"), job=Job(told)
    )
    if kind == "MODIFYJOB":
        event.job_o = Job(told["before"])
    pbs.event = lambda: event
    begun = time.perf_counter()
    refused = None
    try:
        exec(code, {"__name__": "hook"})
    except BaseException as error:
        refused = repr(error)
    took = time.perf_counter() - begun
    soft = event.job.Resource_List["soft_walltime"]
    walltime = event.job.Resource_List["walltime"]
    if soft is not None and (walltime is None or int(soft) > int(walltime)):
        refused = "Illegal attribute or resource value"
    return {"refused": refused, "soft": None if soft is None else int(soft), "took": took}


def main():
    logged = []
    pbs = sys.modules["pbs"] = server(sys.argv[2], logged)
    code = compile(Path(sys.argv[1]).read_text(), sys.argv[1], "exec")
    for line in sys.stdin:
        kind, number, pause, told = json.loads(line)
        became = []
        for _ in range(number):
            became.append(happened(pbs, code, kind, told))
            time.sleep(pause)
        sys.stdout.write(json.dumps({"became": became, "logged": logged}) + "\n")
        sys.stdout.flush()
        del logged[:]


if __name__ == "__main__":
    main()
