"""The command `schedulers`: list schedulers and their parts."""

from collections.abc import Mapping
from typing import Annotated, Any

from pred_aware.commands.options.groups import adding
from pred_aware.commands.options.output import JsonOption, print_json
from pred_aware.commands.options.parts import looked_up, names_argument, scheduler_names


def schedulers(
    names: Annotated[list[str] | None, names_argument(scheduler_names)] = None,
    *,
    output: JsonOption,
) -> None:
    """List the schedulers, their parts and their sources.

    `pybatsim NAME` runs each of these schedulers except `filler`, because pybatsim has its own
    `filler`.

    For example:

        pred-aware schedulers

        pred-aware schedulers easy recommended

        pred-aware schedulers --json
    """
    from predictors.options import parameters_of
    from predictors.registry import installed
    from schedulers import COMBINATIONS, POLICIES

    others = {
        name: f"a policy of another package, {point.value}"
        for name, point in sorted(installed(POLICIES.group).items())
        if name not in COMBINATIONS
    }
    wanted = looked_up("scheduler", {**COMBINATIONS, **others}, names or ())
    if output.as_json:
        listed = {
            name: {"origin": c.origin, "made_of": _plain(c.made_of), "options": list(c.settable)}
            for name, c in COMBINATIONS.items()
            if name in wanted
        }
        for name in sorted(others.keys() & wanted.keys()):
            options = list(parameters_of(POLICIES.load(name)))
            listed[name] = {"origin": others[name], "made_of": {}, "options": options}
        print_json(listed)
        return
    from pred_aware.report.table import Table
    from pred_aware.report.terminal import Terminal, show

    rows = [(name, c.origin, _words(c.made_of)) for name, c in COMBINATIONS.items()]
    rows += [(name, origin, "") for name, origin in others.items()]
    rows = [row for row in rows if row[0] in wanted]
    show([Table("", ("scheduler", "what it is", "made of"), tuple(rows), words=True)], Terminal())


def _plain(value: Any) -> Any:  # noqa: ANN401 - options as in JSON
    if isinstance(value, Mapping):
        return {key: _plain(part) for key, part in value.items()}
    return value


def _words(value: Any) -> str:  # noqa: ANN401
    if not isinstance(value, Mapping):
        return str(value)
    if "name" in value:
        rest = ", ".join(f"{key} {_words(part)}" for key, part in value.items() if key != "name")
        return f"{value['name']} ({rest})" if rest else str(value["name"])
    return "; ".join(f"{key} {_words(part)}" for key, part in value.items())


SHORT = "List the schedulers and their parts."
register = adding(schedulers, page="reference/schedulers.md", options={"short_help": SHORT})
