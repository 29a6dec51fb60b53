"""Guess fields and units from column names."""

import re

# Patterns of column names for each field, the best pattern first. A pattern must match the whole
# name after `plain` has converted it.
PATTERNS: dict[str, tuple[str, ...]] = {
    "id": (
        "job_?id_?raw",
        "job_?id",
        "(cobalt_)?job_?(id|number|no|nr)",
        "id_job",
        "jid",
        "job",
        "id",
        ".*_job_?id",
    ),
    "submit_time": (
        "submit(_?time|ted(_at)?|_?date|_?ts|_?timestamp)?",
        "(job_)?submi(t|ssion)_?(time|date)",
        "(time_submit|adt|qtime|queued_?(time(stamp)?|at)|arrival(_?time)?|created(_at)?)",
        "(submi|queued|arriv).*",
    ),
    "start_time": (
        "(start|begin)(_?time(stamp)?|ed(_at)?|_?date)?",
        "(time_start|sdt|dispatch(_?time)?)",
        "(job_)?(start|begin)_.*",
    ),
    "end_time": (
        "(end|finish|completion|stop)(_?time(stamp)?|ed(_at)?|_?date)?",
        "(time_end|edt|completed_at)",
        "(job_)?(end|finish)_.*",
    ),
    "run_time": (
        "run_?time(_.*)?",
        "(elapsed|duration)(_.*)?",
        "(used_|actual_)?(run|elapsed|duration).*",
        "wallclock_used|walltime_used",
    ),
    "walltime": (
        "(req_?|requested_?)?(wall_?time|time_?limit|wallclock)(_?(req|limit|seconds|min.*|s|h))?",
        "(limit|elpl|time_?req|req(uested)?_?time)(_.*)?",
        ".*(time_?limit|wall_?(time|clock)).*",
    ),
    "wait_time": ("(queue_?|eligible_?)?wait(ed|ing)?(_?time)?(_.*)?",),
    "soft_walltime": ("soft_?wall_?time.*",),
    "cores": (
        "(n_?|num_?)?(cores?|cpus?|procs?|processors)(_?(num|req.*|n|alloc.*|count))?",
        "(req_?|alloc_?|requested_|allocated_)(cores?|cpus?|procs?|processors|ncpus)",
        "(cnumr|slots|ncpus|size)",
    ),
    "nodes": (
        "(n_?|num_?)?nodes?(_?(num|req.*|n|alloc.*|count|used))?",
        "(req_?|alloc_?|requested_|allocated_)n?nodes",
        "nnumr",
    ),
    "gpus": ("(n_?|num_?)?gpus?(_?(num|req.*|n|alloc.*|count))?", "(req_?|alloc_?)gpus"),
    "memory": (
        "(req_?)?mem(ory)?(_?(req.*|limit|gb|mb|kb|gib|mib|kib|b|bytes))?",
        "requested_mem.*",
        "(req_?)?mem(ory)?_per_(nodes?|hosts?|cpus?|cores?|processors?)(_.*)?",
    ),
    "used_memory": ("(used_?|max_?)(mem(ory)?|rss|vm)(_.*)?", "maxrss|mem(ory)?_used"),
    "user": ("user(_?(name|id|hash))?", "(uid|usr|owner|login|id_user)", "(hashed_)?user.*"),
    "group": ("(unix_?)?group(_?(name|id))?", "gid|id_group"),
    "project": ("project(_?(name|id))?|account(_?(name|id))?|acct", "(project|account).*"),
    "queue": ("queue(_?(name|id))?", "class"),
    "partition": ("partition(_?(name|id))?",),
    "qos": ("qos|quality_of_service",),
    "name": ("job_?name", "name|jnam"),
    "executable": ("(executable|exe|app(lication)?)(_.*)?",),
    "array": ("array(_?(job|id))*", "id_array_job"),
    "state": (
        "(job_?)?(state|status)",
        "(end|final)_state|exit_?state|new_status",
        "exit_?(status|code)",
    ),
}
"""Regular expressions of column names for each field, the best expression first."""

_UNITS_IN_NAMES = (
    ("minutes", r"(^|_)(min|mins|minutes?)(_|$)"),
    ("hours", r"(^|_)(h|hr|hrs|hours?)(_|$)"),
    ("milliseconds", r"(^|_)(ms|millis|milliseconds?)(_|$)"),
    ("seconds", r"(^|_)(s|sec|secs|seconds?)(_|$)"),
)
_MEMORY_IN_NAMES = {"kb": "KiB", "mb": "MiB", "gb": "GiB", "b": "bytes", "bytes": "bytes"} | {
    unit.lower(): unit for unit in ("KiB", "MiB", "GiB")
}


_EACH = "workers?|tasks?|instances?|insts?|replicas?|pods?|ranks?|process(es)?|nodes?|hosts?"
_COUNT = rf"(n_?|num_?|number_of_)?({_EACH})(_?(num|count|n))?"
_PER = rf"(.+?)_?(?:per_?|each_?)({_EACH})"


def plain(name: str) -> str:
    """Return a column name in lower case with ``_`` between its words, for comparisons.

    Examples
    --------
    >>> plain("jobs.SubmitTime (UTC)")
    'submit_time_utc'
    """
    worded = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.rpartition(".")[2])
    return re.sub(r"[^a-z0-9]+", "_", worded.lower()).strip("_")


def unit_in(name: str) -> str | None:
    """Return the unit of time that a column's name contains, or None.

    Examples
    --------
    >>> unit_in("wait (min)"), unit_in("wait")
    ('minutes', None)
    """
    words = plain(name)
    return next((unit for unit, pattern in _UNITS_IN_NAMES if re.search(pattern, words)), None)


def memory_unit_in(name: str) -> str | None:
    """Return the unit of memory that a column's name contains, or None.

    Examples
    --------
    >>> memory_unit_in("req_mem_gb")
    'GiB'
    """
    words = plain(name).split("_")
    return next((_MEMORY_IN_NAMES[word] for word in words if word in _MEMORY_IN_NAMES), None)


def each_in(name: str) -> tuple[str, str] | None:
    """Split the name of a size into the size and the word after "per"; None if it has no "per".

    Examples
    --------
    >>> each_in("cpusPerTask"), each_in("cpus")
    (('cpus', 'task'), None)
    """
    found = re.fullmatch(_PER, plain(name))
    return None if found is None else (found[1], _common_word(found[2]))


def counted_in(name: str) -> str | None:
    """Return what a column counts according to its name, such as workers; None if unknown.

    Examples
    --------
    >>> counted_in("num_workers"), counted_in("inst_num"), counted_in("cpus")
    ('worker', 'instance', None)
    """
    found = re.fullmatch(_COUNT, plain(name))
    return None if found is None else _common_word(found[2])


def _common_word(word: str) -> str:
    """Return one word for all synonyms of a part of a job: ``host`` becomes ``node``."""
    word = word.removesuffix("es") if word == "processes" else word.removesuffix("s")
    return {"inst": "instance", "host": "node", "proces": "process"}.get(word, word)
