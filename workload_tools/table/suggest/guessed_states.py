"""Meanings of a table's states, guessed for a first map of it."""

import re

from workload_tools.table.map.states import STATUS, outcome_of
from workload_tools.table.suggest.column_names import plain
from workload_tools.table.suggest.sample import SampledColumn
from workload_tools.table.suggest.suggestion import Suggestion, quoted, shown

_WORDS = {
    "completed": "completed|complete|done|pass(ed)?|ok|success(ful)?|finished|cd|normal",
    "failed": "fail(ed)?|error|node_fail|out_of_memory|oom|boot_fail|f|nf",
    "cancelled": "cancel.*|killed|deleted|removed|aborted|ca",
    "timeout": "timeout|time_?out|to|deadline|walltime",
    "running": "running|run|r|started",
    "waiting": "pending|queued|waiting|pd|q|held",
}
_MOST_STATES = 40


def status_name(name: str, column: SampledColumn) -> str:
    """Return ``status`` for a state that is SWF's status already."""
    if name == "state" and set(column.values()) <= {"0", "1", "2", "3", "4", "5"}:
        return "status"
    return name


def states_of(suggestion: Suggestion) -> list[str]:
    """Return the lines of a map that say what states mean, where Slurm's words do not."""
    column = suggestion.chosen.get("state")
    if column is None or status_name("state", column) == "status":
        return []
    values = [value for value, _ in column.values().most_common()]
    if all(outcome_of(value, {}).known for value in values):
        return []
    meant: dict[str, list[str]] = {}
    unknown = []
    for value in values[:_MOST_STATES]:
        called = plain(value)
        found = next((one for one, words in _WORDS.items() if re.fullmatch(words, called)), None)
        if found is None and outcome_of(value, {}).known:
            found = next((o for o, s in STATUS.items() if s == outcome_of(value, {}).status), None)
        if found is None and value.isdecimal():
            found = "completed" if value == "0" else "failed"
        if found is None:
            unknown.append(value)
        else:
            meant.setdefault(found, []).append(value)
    lines = ["", "[states]"]
    lines += [f"{outcome} = [{', '.join(map(quoted, found))}]" for outcome, found in meant.items()]
    if unknown:
        lines.append(f"# not sure: what is {', '.join(map(shown, unknown))}?")
    return lines
