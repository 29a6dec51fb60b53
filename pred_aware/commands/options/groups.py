"""Options in groups that several commands take: declared, shared, and shown in the help."""

import inspect
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

import typer
from typer.core import TyperArgument, TyperOption
from typer.models import OptionInfo

from pred_aware.commands.options.plain_values import convert_plainly

if TYPE_CHECKING:
    from typer._click import Command

READING = "How the log is read"
CHANGES = "What is done to the log"
OUTPUT = "What is written and printed"

HELP_OPTIONS = ["-h", "--help"]


def docs() -> Path:
    """Return the folder of the documentation: a clone's, or what a wheel has brought along."""
    package = Path(__file__).parents[2]
    shipped = package / "docs"
    return shipped if shipped.is_dir() else package.parent / "docs"


def see(page: str) -> str:
    """Return the last line of a command's help: where its page of the documentation is."""
    return f"More: `{docs() / page}`"


def arranged(command: "Command") -> "Command":
    """Tell flags by their names alone, where typer would call each a ``<bool>``.

    Parameters
    ----------
    command
        As typer has made it; a group with all of its commands, which end with what the group's help
        ends with unless they have a page of their own.
    """
    # the option for help is made for the first who asks, and kept
    for parameter in command.get_params(typer.Context(command, help_option_names=HELP_OPTIONS)):
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""
        if isinstance(parameter, TyperOption | TyperArgument):
            convert_plainly(parameter)
    for inner in getattr(command, "commands", {}).values():
        inner.epilog = inner.epilog or command.epilog
        arranged(inner)
    return command


def option(
    metavar: str,
    text: str,
    *names: str,
    shown: bool | str = True,
    panel: str | None = None,
    **more: Any,  # noqa: ANN401 - as typer takes it
) -> Any:  # noqa: ANN401 - as typer has it
    """Return what is said of an option.

    Parameters
    ----------
    metavar
        What it takes, in capitals; empty for what typer calls the type.
    text
        The help.
    names
        What it is called; by default ``--`` and the name of the parameter.
    shown
        What is shown as the default: the default, nothing, or something in words.
    panel
        The group of the help that it stands in.
    more
        Such as ``min``, as ``typer.Option`` has it.
    """
    return typer.Option(
        *names,
        metavar=metavar or None,
        help=text,
        show_default=shown,
        rich_help_panel=panel,
        **more,
    )


def flag(text: str, *names: str, panel: str | None = None) -> Any:  # noqa: ANN401 - as typer has it
    """Return what is said of an option that takes nothing; see `option`."""
    return option("", text, *names, panel=panel)


def argument(metavar: str, text: str, **more: Any) -> Any:  # noqa: ANN401 - as typer has it
    """Return what is said of an argument; see `option`."""
    return typer.Argument(metavar=metavar, help=text, show_default=more.pop("shown", False), **more)


@dataclass(frozen=True, slots=True)
class _Has:
    """Which options of a group a command has, and what it says of some in its own words."""

    names: tuple[str, ...]
    told: Mapping[str, Any]


def has(*names: str, **told: Any) -> _Has:  # noqa: ANN401 - a help, or a whole option
    """Choose the options of a group that a command has: ``Annotated[Group, has("name")]``.

    Parameters
    ----------
    names
        The fields that are options as they are; the others keep their defaults. Those without a
        default are there in any case.
    told
        Further ones by name: a help of the command's own, such one and a default, or an `option`.
    """
    return _Has(names, told)


@dataclass(frozen=True, slots=True)
class MadeOf:
    """Options that are made of something else, given to a command as one mapping of values."""

    parameters: tuple[inspect.Parameter, ...]


def parameter(
    name: str,
    kind: Any,  # noqa: ANN401 - a type of any kind
    info: Any,  # noqa: ANN401 - as `option` and `argument` return it
    *,
    default: object = inspect.Parameter.empty,
    panel: str | None = None,
) -> inspect.Parameter:
    """Return a parameter of a command; an option stands in `panel` unless it has one of its own."""
    info = copy(info)
    if isinstance(info, OptionInfo):
        info.rich_help_panel = info.rich_help_panel or panel
        if kind is bool and info.default is ... and not info.param_decls:
            # without a name typer makes two flags, --NAME and --no-NAME
            info.default = f"--{name.replace('_', '-')}"
    annotation = Annotated[kind, info]
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def grouped(function: Callable[..., None]) -> Callable[..., None]:
    """Return a command whose groups of options are made of one parameter for each field.

    Parameters
    ----------
    function
        Its parameters are options as typer takes them, or annotated with a dataclass of options or
        with `MadeOf`. Parameters of the same name, be they of the function or of a group, are one.
    """
    own = inspect.signature(function).parameters
    groups: dict[str, tuple[Any, list[str]]] = {}
    parameters: dict[str, inspect.Parameter] = {}
    for name, one in own.items():
        group, options = _group_of(one.annotation)
        if group is None:
            options = [_alone(one)]
        else:
            groups[name] = (group, [one.name for one in options])
        parameters |= {one.name: one for one in options}

    def command(**given: Any) -> None:  # noqa: ANN401 - as the signature below has them
        made = {
            name: group(**{field: given[field] for field in names if field in given})
            for name, (group, names) in groups.items()
        }
        function(**{name: given[name] for name in own if name in given}, **made)

    command.__name__, command.__doc__ = function.__name__, function.__doc__
    keywords = [one.replace(kind=one.KEYWORD_ONLY) for one in parameters.values()]
    command.__signature__ = inspect.Signature(keywords)  # type: ignore[attr-defined] # a function has it
    return command


def add(
    app: typer.Typer,
    function: Callable[..., None],
    name: str = "",
    *,
    page: str = "",
    **told: Any,  # noqa: ANN401 - as typer's `command` takes it
) -> None:
    """Add a command with its groups of options to a command line or a group of commands.

    Parameters
    ----------
    name
        What it is called; by default as the function.
    page
        The page of the documentation behind it; by default that of the group.
    """
    told["epilog"] = see(page) if page else None
    app.command(name or function.__name__.replace("_", "-"), **told)(grouped(function))


def _group_of(annotation: Any) -> tuple[Any, list[inspect.Parameter]]:  # noqa: ANN401 - a type
    """Return what a group of options is made as, and the options; ``None`` for a single option."""
    kind, *more = get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)
    for one in more:
        if isinstance(one, MadeOf):
            return dict, list(one.parameters)
    if not is_dataclass(kind):
        return None, []
    chosen = next((one for one in more if isinstance(one, _Has)), None)
    return kind, _options(kind, chosen)


def _options(group: Any, chosen: _Has | None) -> list[inspect.Parameter]:  # noqa: ANN401 - a class
    known = {field.name: field for field in fields(group) if field.init}
    told: Mapping[str, Any] = {} if chosen is None else chosen.told
    wanted = known.keys() if chosen is None else {*chosen.names, *told}
    assert wanted <= known.keys(), f"{group.__name__} has no {wanted - known.keys()}"
    return [
        _of_field(field, told.get(name), getattr(group, "PANEL", None))
        for name, field in known.items()
        if name in wanted or field.default is MISSING
    ]


def _alone(one: inspect.Parameter) -> inspect.Parameter:
    """Return a parameter of a command that belongs to no group."""
    if get_origin(one.annotation) is not Annotated:  # the context
        return one
    kind, info = get_args(one.annotation)
    return parameter(one.name, kind, info, default=one.default)


def _of_field(field: Field[Any], told: Any, panel: str | None) -> inspect.Parameter:  # noqa: ANN401 - as `has`
    default = inspect.Parameter.empty if field.default is MISSING else field.default
    if get_origin(field.type) is not Annotated:  # the context
        return inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, annotation=field.type, default=default
        )
    kind, info = get_args(field.type)
    if isinstance(told, tuple):
        told, default = told
    if isinstance(told, str):
        info = copy(info)
        info.help = told
    elif told is not None:
        info = told
    return parameter(field.name, kind, info, default=default, panel=panel)
