"""A first map of a table, with what it is not sure of."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from workload_tools.errors import LogError
from workload_tools.table.cells import Numbers
from workload_tools.table.sample import SampledColumn, sampled
from workload_tools.table.states import STATUS, outcome_of
from workload_tools.table.table_map import COUNTS, DATES, DURATIONS, MEMORY
from workload_tools.table.units import CLOCK, SECONDS, SUFFIX

# The names of columns by field, best first; matched against the whole name in lower case, with one
# "_" for anything that is neither letter nor digit.
_PATTERNS: dict[str, tuple[str, ...]] = {
    "id": (
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

_UNITS_IN_NAMES = (
    ("minutes", r"(^|_)(min|mins|minutes?)(_|$)"),
    ("hours", r"(^|_)(h|hr|hrs|hours?)(_|$)"),
    ("milliseconds", r"(^|_)(ms|millis|milliseconds?)(_|$)"),
    ("seconds", r"(^|_)(s|sec|secs|seconds?)(_|$)"),
)
_MEMORY_IN_NAMES = {"kb": "KiB", "mb": "MiB", "gb": "GiB", "b": "bytes", "bytes": "bytes"} | {
    unit.lower(): unit for unit in ("KiB", "MiB", "GiB")
}
_WORDS = {
    "completed": "completed|complete|done|pass(ed)?|ok|success(ful)?|finished|cd|normal",
    "failed": "fail(ed)?|error|node_fail|out_of_memory|oom|boot_fail|f|nf",
    "cancelled": "cancel.*|killed|deleted|removed|aborted|ca",
    "timeout": "timeout|time_?out|to|deadline|walltime",
    "running": "running|run|r|started",
    "waiting": "pending|queued|waiting|pd|q|held",
}
_SAME = 0.02
_NEARLY_ALL = 0.8
_ORDER = (
    *("id", "submit_time", "start_time", "end_time", "run_time", "wait_time", "walltime"),
    *("soft_walltime", "user", "group", "project", "queue", "partition", "qos", "name"),
    *("executable", "array", "memory", "used_memory", "state"),
)
_SIZES = ("nodes", "cores", "gpus")
_MOST_STATES = 40


@dataclass(slots=True)
class Suggestion:
    """A map that is being written.

    Parameters
    ----------
    columns
        What was seen of the table.
    chosen
        The column of each field.
    doubts
        What is not sure, by field.
    """

    columns: list[SampledColumn]
    chosen: dict[str, SampledColumn] = field(default_factory=dict)
    doubts: dict[str, list[str]] = field(default_factory=dict)

    def doubt(self, name: str, why: str) -> None:
        """Note what is not sure of a field."""
        self.doubts.setdefault(name, []).append(why)


def suggest(path: Path, others: Iterable[Path] = (), *, delimiter: str | None = None) -> str:
    """Look at a table's first rows and write a first map for it.

    Parameters
    ----------
    path
        The table.
    others
        Tables beside it, of which each row adds to one of it.
    delimiter
        What stands between the cells of a CSV; by default told by the first line.

    Returns
    -------
    str
        The map, in TOML, with a comment where it is not sure.

    Raises
    ------
    LogError
        A file can't be read or has no rows, or has no key in common with the table.
    """
    columns = sampled(path, delimiter=delimiter)
    joins = []
    for other in others:
        more = sampled(other, prefix=f"{_plain(other.name.split('.')[0])}.", delimiter=delimiter)
        key, there = _key(columns, more, path, other)
        joins.append((other, key, there))
        columns = [*columns, *(column for column in more if column is not there)]
    suggestion = Suggestion(columns)
    _choose(suggestion)
    lines = [f"# A first map of {path.name}: look at each line with '# not sure'.", ""]
    if delimiter is not None:
        lines += ["[table]", f"delimiter = {_quoted(delimiter)}", ""]
    lines += _machine(suggestion)
    lines += ["[columns]", *_fields(suggestion)]
    lines += _sizes(suggestion)
    lines += _states(suggestion)
    for other, key, there in joins:
        prefix, _, name = there.name.partition(".")
        lines += ["", "[[join]]", f"name = {_quoted(prefix)}", f"file = {_quoted(other.name)}"]
        lines += [f"on = {_quoted(key.name)}", f"to = {_quoted(name)}"]
    used = {column.name for column in suggestion.chosen.values()}
    unused = [column.name for column in columns if column.name not in used]
    if unused:
        lines += ["", "# not used: " + ", ".join(_shown(name) for name in unused)]
    return "\n".join(lines) + "\n"


def _plain(name: str) -> str:
    """Return a name as it is compared: in lower case, with ``_`` between its words."""
    worded = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.rpartition(".")[2])
    return re.sub(r"[^a-z0-9]+", "_", worded.lower()).strip("_")


def _choose(suggestion: Suggestion) -> None:
    """Give each field the column whose name fits it best, and whose cells can be it."""
    ranked: list[tuple[int, int, str, SampledColumn]] = []
    for order, (name, patterns) in enumerate(_PATTERNS.items()):
        for column in suggestion.columns:
            plain = _plain(column.name)
            rank = next((i for i, one in enumerate(patterns) if re.fullmatch(one, plain)), None)
            if rank is not None and column.there and _can_be(name, column):
                ranked.append((rank, order, name, column))
    taken: set[str] = set()
    for _, _, name, column in sorted(ranked, key=lambda one: one[:2]):
        if name not in suggestion.chosen and column.name not in taken:
            suggestion.chosen[name] = column
            taken.add(column.name)
        elif column.name not in taken:
            suggestion.doubt(name, f"or {_shown(column.name)}")


def _can_be(name: str, column: SampledColumn) -> bool:
    if name in DATES:
        return column.dates() is not None
    if name in DURATIONS:
        return column.numbers() is not None or column.durations() is not None
    if name in (*COUNTS, "cores"):
        return column.numbers() is not None
    if name in MEMORY:
        return column.numbers() is not None or column.has_suffixes()
    return True


def _machine(suggestion: Suggestion) -> list[str]:
    lines = ["[machine]", "# nodes = 64    # the machine's size, or cores, gpus; else --processors"]
    dates = [suggestion.chosen[name] for name in DATES if name in suggestion.chosen]
    if any(not column.has_zone() for column in dates):
        lines.append('time_zone = "UTC"    # not sure: the dates do not tell their zone')
    return [*lines, ""]


def _fields(suggestion: Suggestion) -> list[str]:
    lines = []
    chosen = suggestion.chosen
    for name in _ORDER:
        if name not in chosen:
            needed = name == "submit_time" or (
                name == "run_time" and not {"start_time", "end_time"} <= chosen.keys()
            )
            if needed:
                lines.append(f'{name} = ""    # not sure: no column looks like it')
            continue
        column = chosen[name]
        extra: list[str] = []
        if name in DATES:
            extra = _date(suggestion, name, column)
        elif name in DURATIONS:
            extra = _duration(suggestion, name, column)
        elif name in MEMORY:
            extra = _memory(suggestion, name, column)
        lines.append(_line(suggestion, _status_name(name, column), column, extra, field_name=name))
    if not any(size in chosen for size in _SIZES):
        lines.append('processors = ""    # not sure: no column looks like a size')
    elif sum(size in chosen for size in _SIZES) == 1:
        size = next(size for size in _SIZES if size in chosen)
        lines.append(_line(suggestion, "processors", chosen[size], [], field_name=size))
    return lines


def _status_name(name: str, column: SampledColumn) -> str:
    """Return ``status`` for a state that is SWF's status already."""
    if name == "state" and set(column.values()) <= {"0", "1", "2", "3", "4", "5"}:
        return "status"
    return name


def _line(
    suggestion: Suggestion,
    key: str,
    column: SampledColumn,
    extra: list[str],
    *,
    field_name: str,
) -> str:
    source = _quoted(column.name)
    value = f"{{ from = {source}, {', '.join(extra)} }}" if extra else source
    doubts = suggestion.doubts.get(field_name, [])
    return f"{key} = {value}" + (f"    # not sure: {'; '.join(doubts)}" if doubts else "")


def _date(suggestion: Suggestion, name: str, column: SampledColumn) -> list[str]:
    found = column.dates()
    assert found is not None
    form, unit, others = found
    if others:
        suggestion.doubt(name, f"or the format {' or '.join(others)}")
    extra = [] if form is None else [f"format = {_quoted(form)}"]
    return extra + ([] if unit == "seconds" else [f"unit = {_quoted(unit)}"])


def _duration(suggestion: Suggestion, name: str, column: SampledColumn) -> list[str]:
    numbers = column.numbers()
    if numbers is None:
        return [f"unit = {_quoted(CLOCK)}"]
    named = next(
        (unit for unit, pattern in _UNITS_IN_NAMES if re.search(pattern, _plain(column.name))), None
    )
    seen = _unit_seen(suggestion, name, numbers)
    if named is not None and seen not in (None, named):
        suggestion.doubt(name, f"its name says {named}, its numbers look like {seen}")
    unit = named or seen
    if unit is None:
        suggestion.doubt(name, "in seconds?")
    return [] if unit in (None, "seconds") else [f"unit = {_quoted(unit)}"]


def _unit_seen(suggestion: Suggestion, name: str, numbers: Numbers) -> str | None:
    """Tell a unit from the dates, or a walltime's from the run times."""
    chosen = suggestion.chosen
    ends = {"run_time": ("start_time", "end_time"), "wait_time": ("submit_time", "start_time")}
    if name in ends and all(one in chosen for one in ends[name]):
        first, last = (_seconds_of_dates(chosen[one]) for one in ends[name])
        there = (last - first > 0.0) & (numbers > 0.0)
        if there.any():
            ratio = float(np.median((last - first)[there] / numbers[there]))
            return next((u for u, s in SECONDS.items() if abs(ratio / s - 1.0) < _SAME), None)
    if name == "walltime":
        run_time = _run_times(suggestion)
        if run_time is not None:
            for unit in ("seconds", "minutes", "hours"):
                there = (run_time > 0.0) & (numbers > 0.0)
                fits = (run_time <= 1.1 * numbers * SECONDS[unit])[there]
                if fits.any() and fits.mean() >= _NEARLY_ALL:
                    return unit
    return None


def _run_times(suggestion: Suggestion) -> Numbers | None:
    chosen = suggestion.chosen
    if {"start_time", "end_time"} <= chosen.keys():
        start, end = (_seconds_of_dates(chosen[one]) for one in ("start_time", "end_time"))
        return end - start
    if "run_time" not in chosen:
        return None
    column = chosen["run_time"]
    numbers = column.numbers()
    if numbers is None:
        return column.durations()
    plain = _plain(column.name)
    unit = next((u for u, pattern in _UNITS_IN_NAMES if re.search(pattern, plain)), "seconds")
    return numbers * SECONDS[unit]


def _seconds_of_dates(column: SampledColumn) -> Numbers:
    from workload_tools.table.cells import NOTHING_MORE
    from workload_tools.table.dates import DateReader

    found = column.dates()
    assert found is not None
    return DateReader(NOTHING_MORE, format=found[0], unit=found[1]).read(column.cells).seconds


def _memory(suggestion: Suggestion, name: str, column: SampledColumn) -> list[str]:
    if column.numbers() is None:
        return [f"unit = {_quoted(SUFFIX)}"]
    words = _plain(column.name).split("_")
    unit = next((_MEMORY_IN_NAMES[word] for word in words if word in _MEMORY_IN_NAMES), None)
    if unit is None:
        suggestion.doubt(name, "in MiB? of the whole job?")
    return [f"unit = {_quoted(unit or 'MiB')}"]


def _sizes(suggestion: Suggestion) -> list[str]:
    chosen = suggestion.chosen
    known = [size for size in _SIZES if size in chosen]
    if len(known) <= 1:
        return []
    lines = ["", "[size]"]
    lines += [_line(suggestion, size, chosen[size], [], field_name=size) for size in known]
    return lines


def _states(suggestion: Suggestion) -> list[str]:
    column = suggestion.chosen.get("state")
    if column is None or _status_name("state", column) == "status":
        return []
    values = [value for value, _ in column.values().most_common()]
    if all(outcome_of(value, {}).known for value in values):
        return []
    meant: dict[str, list[str]] = {}
    unknown = []
    for value in values[:_MOST_STATES]:
        plain = _plain(value)
        found = next((one for one, words in _WORDS.items() if re.fullmatch(words, plain)), None)
        if found is None and outcome_of(value, {}).known:
            found = next((o for o, s in STATUS.items() if s == outcome_of(value, {}).status), None)
        if found is None and value.isdecimal():
            found = "completed" if value == "0" else "failed"
        if found is None:
            unknown.append(value)
        else:
            meant.setdefault(found, []).append(value)
    lines = ["", "[states]"]
    lines += [f"{outcome} = [{', '.join(map(_quoted, found))}]" for outcome, found in meant.items()]
    if unknown:
        lines.append(f"# not sure: what is {', '.join(map(_shown, unknown))}?")
    return lines


def _key(
    columns: list[SampledColumn], more: list[SampledColumn], path: Path, other: Path
) -> tuple[SampledColumn, SampledColumn]:
    """Return the columns by which two tables belong together."""
    for there in sorted(more, key=lambda one: _plain(one.name) not in ("job_id", "jobid", "id")):
        plain = _plain(there.name)
        if len(set(there.there)) < len(there.there):
            continue
        for here in columns:
            same = _plain(here.name) == plain or {_plain(here.name), plain} <= _IDS
            if same and set(here.there) & set(there.there):
                return here, there
    raise LogError(
        other, f"has no column of one name and with the same values as {path.name} to be joined on"
    )


_IDS = frozenset(["id", "job", "job_id", "jobid", "jid", "job_number", "allocation_id"])


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'


def _shown(text: str) -> str:
    return "'" + "".join(c if c.isprintable() else "?" for c in text[:60]) + "'"
