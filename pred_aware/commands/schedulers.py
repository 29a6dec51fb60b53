"""The command `schedulers`: what there is, and what it is made of."""

import sys
from collections.abc import Mapping
from typing import Annotated, Any

import typer

EXAMPLES = """
List the schedulers: what they are made of and where they come from. `pybatsim NAME` knows them all,
but for filler, of which it has one of its own.

Examples:

* `pred-aware schedulers`
* `pred-aware schedulers --json`
"""


def schedulers(
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """List the schedulers."""
    from schedulers import COMBINATIONS

    if as_json:
        import msgspec

        listed = {
            name: {"origin": c.origin, "made_of": _plain(c.options), "options": list(c.settable)}
            for name, c in COMBINATIONS.items()
        }
        sys.stdout.write(msgspec.json.encode(listed).decode() + "\n")
        return
    from rich.table import Table

    from pred_aware.report.terminal import Terminal

    table = Table("scheduler", "what it is", "made of")
    for name, combination in COMBINATIONS.items():
        table.add_row(name, combination.origin, _words(combination.options))
    Terminal().print(table)


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


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "schedulers", help=EXAMPLES, short_help="List the schedulers and what they are made of."
    )(schedulers)
