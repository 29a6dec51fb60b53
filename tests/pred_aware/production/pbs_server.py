"""An OpenPBS 23.06 server as far as a hook sees it, for any Python from 3.6 on.

To be held against a real server, this is where each behaviour comes from.

Seen on OpenPBS 23.06.06:

- `Resource_List[name]` raises AttributeError, "'pbs_resource' object has no attribute 'procs'", for
  a resource that the server does not define (`procs`, `mppwidth`, `ngpus`, `qos` among them), and
  raises nothing for one that it defines and the job has not;
- QUEUEJOB is 1, MODIFYJOB 2, RUNJOB 16; at modifyjob `job` has only what changes, `job_o` the job;
- an exception that gets out of the hook refuses the job, and so does an alarm; what the hook does
  within 30 s by itself does not;
- a soft walltime above the walltime is refused with "Illegal attribute or resource value", be it
  the hook or a user's qalter of the walltime that brings it about; without a walltime it is taken;
- hooks may set `soft_walltime`, which users may not; they run as root, each time anew;
- the Python of the hooks is restarted after 100 calls, at most each 30 s: `sys.modules` is new.

Read in its source:

- the names of the built-in resources (`RESOURCES`) and their types; resources are attributes of the
  class `pbs_resource`, so that those of all jobs are the same; one without a value is None;
- a value of another type is made into the resource's type where it is set; None unsets it, as "";
- a resource that the server does not define cannot be set either: UnsetResourceNameError;
- a duration is an int whose text is what it was made from ("600" or "00:10:00");
- `soft_walltime` beside `min_walltime` is refused with the text below (`SHRINK_TO_FIT`);
- what belongs to an event cannot be set: BadAttributeValueError; a job has no other attributes than
  PBS's: reading one raises AttributeError, setting one UnsetAttributeNameError;
- `logmsg` takes the levels LOG_DEBUG = 5, LOG_WARNING = 6, LOG_ERROR = 7 and those of events, and
  nothing else (TypeError), and only text that UTF-8 can encode;
- an alarm is a KeyboardInterrupt in the hook, and one that the hook has caught refuses nothing;
- `hook_config_filename` is a path, or None where no configuration was imported;
- `accept` and `reject` raise SystemExit.

Assumed: `queue`, `Job_Name`, `Account_Name` and `project` are None where nothing is said of them;
nothing else of the job matters to a hook.

`python pbs_server.py HOOK CONFIGURATION` reads lines of JSON, `[EVENT, NUMBER, PAUSE, {...}]`, and
answers with what became of so many jobs: refused or not, soft walltime, seconds. The event RESTART
is that of the hooks' Python.
"""

import json
import signal
import sys
import time
import types
from pathlib import Path

ILLEGAL = "Illegal attribute or resource value"
SHRINK_TO_FIT = "soft_walltime is not supported with Shrink to Fit jobs"
RESTART_AFTER, RESTART_PAUSE = 100, 30.0


class BadAttributeValueError(Exception):
    pass


class UnsetAttributeNameError(Exception):
    pass


class UnsetResourceNameError(Exception):
    pass


class duration(int):  # noqa: N801 - PBS calls it so
    def __new__(cls, value):
        parts = [int(part) for part in str(value).split(":")]
        made = int.__new__(cls, sum(part * 60**place for place, part in enumerate(reversed(parts))))
        made.text = str(value)
        return made

    def __str__(self):
        return self.text


class size:  # noqa: N801 - PBS calls it so
    def __init__(self, value):
        self.text = str(value)

    def __str__(self):
        return self.text


class select(size):  # noqa: N801 - PBS calls it so
    pass


DURATIONS = ("cput", "walltime", "soft_walltime", "min_walltime", "max_walltime", "pcput")
RESOURCES = dict.fromkeys(DURATIONS, duration)
RESOURCES.update(dict.fromkeys(
    ("mem", "file", "pmem", "vmem", "pvmem", "accelerator_memory", "hbmem"), size
))  # fmt: skip
RESOURCES.update(dict.fromkeys(
    ("ncpus", "naccelerators", "nodect", "nchunk", "mpiprocs", "ompthreads", "cpupercent", "nice",
     "hpm", "ssinodes", "start_time", "pcap_node", "pcap_accelerator"), int,
))  # fmt: skip
RESOURCES.update(dict.fromkeys(
    ("nodes", "arch", "vntype", "nodemask", "host", "vnode", "resc", "software", "site",
     "exec_vnode", "pe_mask", "partition", "aoe", "eoe", "preempt_targets", "accelerator_model",
     "accelerator_group", "pstate", "pgov"), str,
))  # fmt: skip
RESOURCES.update(select=select, place=size, energy=float, accelerator=bool)


def resources_of(server_has):
    """Make the class with a server's resources as attributes."""

    class pbs_resource:  # noqa: N801 - PBS calls it so
        def __init__(self, values):
            for name, value in values.items():
                self[name] = value

        def __getitem__(self, name):
            return getattr(self, name)

        def __contains__(self, name):
            return hasattr(self, name)

        def __setitem__(self, name, value):
            found = {known.lower(): known for known in server_has}.get(name.lower())
            if found is None:
                raise UnsetResourceNameError(f"resource attribute '{name}' not found")
            kind = server_has[found]
            if value is None:
                value = ""
            elif value != "" and not isinstance(value, kind):
                value = kind(value)
            setattr(self, found, value)

    for name in server_has:
        setattr(pbs_resource, name, None)
    return pbs_resource


class Queue:
    def __init__(self, name):
        self.name = name


class Job:
    Job_Name = Account_Name = project = queue = None
    Resource_List = None

    def __init__(self, told, resources):
        self.Resource_List = resources(told.get("resources", {}))
        self.queue = Queue(told["queue"]) if "queue" in told else None

    def __setattr__(self, name, value):
        if not hasattr(Job, name):
            raise UnsetAttributeNameError(f"job attribute '{name}' not found")
        object.__setattr__(self, name, value)


class Event:
    def __init__(self, **told):
        self.__dict__.update(told)

    def __setattr__(self, name, value):
        raise BadAttributeValueError(f"event attribute '{name}' is readonly")

    def accept(self, ecode=0):
        raise SystemExit(str(ecode))

    def reject(self, emsg="", ecode=255):
        self.__dict__["refused"] = emsg
        raise SystemExit(str(ecode))


def server(configuration, logged, *, more=()):
    """Make the module `pbs`; a site may have defined more resources, which are texts."""
    pbs = types.ModuleType("pbs")
    pbs.QUEUEJOB, pbs.MODIFYJOB, pbs.RUNJOB = 1, 2, 16
    pbs.LOG_DEBUG, pbs.LOG_WARNING, pbs.LOG_ERROR = 5, 6, 7
    pbs.duration, pbs.size, pbs.select = duration, size, select
    pbs.hook_config_filename = configuration
    pbs.resources = resources_of(dict(dict.fromkeys(more, str), **RESOURCES))

    def logmsg(level, text):
        if level not in {5, 6, 7}:
            raise TypeError(f"Invalid severity or eventtype value <{level}>")
        text.encode()
        logged.append(text)

    pbs.logmsg = logmsg
    return pbs


def happened(pbs, code, kind, told):
    """Let one event happen; return what became of the job."""
    event = Event(type=getattr(pbs, kind), requestor=told.get("user", "ann"), refused=None,
                  job=Job(told, pbs.resources))  # fmt: skip
    if kind == "MODIFYJOB":
        event.__dict__["job_o"] = Job(told["before"], pbs.resources)
    pbs.event = lambda: event
    begun = time.perf_counter()
    refused = None
    if "alarm" in told:
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, told["alarm"])
    try:
        exec(code, {"__name__": "hook"})
    except SystemExit:
        refused = event.refused
    except BaseException as error:
        refused = repr(error)
    took = time.perf_counter() - begun
    if "alarm" in told:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
    wanted, before = event.job.Resource_List, getattr(event, "job_o", event.job).Resource_List
    soft, walltime, least = (
        wanted[name] or before[name] for name in ("soft_walltime", "walltime", "min_walltime")
    )
    if soft and walltime and soft > walltime:
        refused = ILLEGAL
    elif soft and least:
        refused = SHRINK_TO_FIT
    soft = wanted["soft_walltime"]
    return {"refused": refused, "soft": None if not soft else int(soft), "took": took}


class Restarted:
    """Restarts the hooks' Python after each so many calls."""

    def __init__(self):
        self.at_start = set(sys.modules)
        self.calls, self.last = 0, time.monotonic()

    def called(self):
        self.calls += 1
        if self.calls >= RESTART_AFTER and time.monotonic() - self.last >= RESTART_PAUSE:
            self.now()

    def now(self):
        for name in set(sys.modules) - self.at_start:
            del sys.modules[name]
        self.calls, self.last = 0, time.monotonic()


def main():
    logged = []
    more = sys.argv[3:]
    pbs = sys.modules["pbs"] = server(sys.argv[2], logged, more=more)
    code = compile(Path(sys.argv[1]).read_text(), sys.argv[1], "exec")
    python = Restarted()
    for line in sys.stdin:
        kind, number, pause, told = json.loads(line)
        became = []
        if kind == "RESTART":
            python.now()
        else:
            for _ in range(number):
                became.append(happened(pbs, code, kind, told))
                python.called()
                time.sleep(pause)
        sys.stdout.write(json.dumps({"became": became, "logged": logged}) + "\n")
        sys.stdout.flush()
        del logged[:]


if __name__ == "__main__":
    main()
