"""The directive ``commands``: commands and their options, read from the command line's code."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

import typer
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from pred_aware.cli import command_line

_PAGE = re.compile(r"`?docs/([\w/-]+\.md)`?")


class Commands(SphinxDirective):
    """Show the commands of one group of the help."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the sections of the group's commands."""
        root = command_line()
        context = typer.Context(root, info_name="pred-aware")
        found = [
            (name, command)
            for name, command in root.commands.items()
            if getattr(command, "rich_help_panel", None) == self.arguments[0]
        ]
        if not found:
            raise self.error(f"the command line has no group '{self.arguments[0]}'")
        text = "\n\n".join(
            line for name, command in found for line in _described(name, command, context, "###")
        )
        return self.parse_text_to_nodes(text, allow_section_headings=True)


def _described(name: str, command: Any, context: Any, level: str) -> Iterator[str]:  # noqa: ANN401
    """Yield the paragraphs of a command and of its subcommands, in Markdown."""
    own = typer.Context(command, info_name=name, parent=context)
    yield f"{level} `{own.command_path.removeprefix('pred-aware ')}`"
    yield f"```text\n{' '.join([own.command_path, *command.collect_usage_pieces(own)])}\n```"
    yield _linked(inspect.cleandoc(command.help or ""))
    yield from _options(command)
    if hasattr(command, "list_commands"):
        for inner in command.list_commands(own):
            yield from _described(inner, command.get_command(own, inner), own, f"{level}#")


def _options(command: Any) -> Iterator[str]:  # noqa: ANN401 - typer's own
    panels: dict[str, list[str]] = {}
    for one in command.params:
        if getattr(one, "hidden", False) or not getattr(one, "help", None):
            continue
        is_option = bool(one.opts) and one.opts[0].startswith("-")
        panel = getattr(one, "rich_help_panel", None) or ("Options" if is_option else "Arguments")
        panels.setdefault(panel, []).append(_row(one, is_option=is_option))
    for panel, rows in panels.items():
        yield "\n".join([f"| {panel} | |", "|---|---|", *rows])


def _row(one: Any, *, is_option: bool) -> str:  # noqa: ANN401 - typer's own
    names = ", ".join(f"`{name}`" for name in one.opts) if is_option else ""
    metavar = "" if getattr(one, "is_flag", False) else one.metavar or ""
    named = " ".join(part for part in (names, f"`{metavar}`" if metavar else "") if part)
    return f"| {named} | {_cell(one.help)}{_default(one)} |"


def _default(one: Any) -> str:  # noqa: ANN401 - typer's own
    """Return a sentence with an option's default value, or with the words that stand for it."""
    if one.required:
        return " Required."
    shown = getattr(one, "show_default", None)
    if isinstance(shown, str):
        return f" Default: {_cell(shown)}."
    if not shown or one.default in (None, False, (), [], "") or callable(one.default):
        return ""
    return f" Default: `{one.default}`."


def _cell(text: str) -> str:
    return _linked(" ".join(text.split()).replace("|", "\\|"))


def _linked(text: str) -> str:
    """Replace file names of pages in a text by links."""
    return _PAGE.sub(r"[\1](/\1)", text)


def setup(app: Sphinx) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("commands", Commands)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
