"""Groups of options that several commands share, and how the help shows them."""

import inspect
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

import typer
from typer.core import TyperArgument, TyperOption
from typer.models import OptionInfo

from pred_aware.commands.options.plain_values import convert_plainly

if TYPE_CHECKING:
    from typer._click import Command

READING = "Reading the log"
CHANGES = "Changing the log"
OUTPUT = "Output"

HELP_OPTIONS = ["-h", "--help"]


def docs() -> Path:
    """Return the folder of the documentation, in a checkout or in an installed wheel."""
    package = Path(__file__).parents[2]
    shipped = package / "docs"
    return shipped if shipped.is_dir() else package.parent / "docs"


def see(page: str) -> str:
    """Return the last line of a command's help: the path of its documentation page."""
    return f"More: `{docs() / page}`"


def arranged(command: "Command") -> "Command":
    """Return a command whose help shows flags without typer's type ``<bool>``.

    Parameters
    ----------
    command
        A command made by typer. In a group, commands without a page get the group's epilog.
    """
    # typer makes the help option on first use and keeps it
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
    """Return the declaration of an option for typer.

    Parameters
    ----------
    metavar
        Placeholder of the value, in capitals; empty for typer's name of the type.
    text
        The help text.
    names
        Names on the command line; by default ``--`` and the parameter's name.
    shown
        The default that the help shows: True for the real default, False for none, or a text.
    panel
        The panel of the help that shows the option.
    more
        Further arguments of ``typer.Option``, such as ``min``.
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
    """Return the declaration of a flag, an option without a value; see `option`."""
    return option("", text, *names, panel=panel)


def argument(metavar: str, text: str, **more: Any) -> Any:  # noqa: ANN401 - as typer has it
    """Return the declaration of an argument; see `option`."""
    return typer.Argument(metavar=metavar, help=text, show_default=more.pop("shown", False), **more)


@dataclass(frozen=True, slots=True)
class _ChosenOptions:
    """The options that a command takes from a group, and the command's own help for some."""

    names: tuple[str, ...]
    own_help: Mapping[str, Any]


def has(*names: str, **own_help: Any) -> _ChosenOptions:  # noqa: ANN401 - a help, or a whole option
    """Choose the options that a command takes from a group: ``Annotated[Group, has("name")]``.

    Parameters
    ----------
    names
        Fields to take unchanged. Other fields keep their defaults. Fields without a default are
        always options.
    own_help
        Fields to declare differently: a help text, a help text and a default, or an `option`.
    """
    return _ChosenOptions(names, own_help)


@dataclass(frozen=True, slots=True)
class ParameterList:
    """Options that have no dataclass; the command gets their values as one mapping."""

    parameters: tuple[inspect.Parameter, ...]


def parameter(
    name: str,
    kind: Any,  # noqa: ANN401 - a type of any kind
    info: Any,  # noqa: ANN401 - as `option` and `argument` return it
    *,
    default: object = inspect.Parameter.empty,
    panel: str | None = None,
) -> inspect.Parameter:
    """Return a keyword parameter of a command. Its panel is `panel`, unless `info` names one."""
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
    """Return a command in which each group of options is replaced by one parameter per field.

    Parameters
    ----------
    function
        Its parameters are options for typer, or annotated with a dataclass of options or with
        `ParameterList`. Parameters of the same name become one.
    """
    declared = inspect.signature(function).parameters
    groups: dict[str, tuple[Any, list[str]]] = {}
    parameters: dict[str, inspect.Parameter] = {}
    for name, one in declared.items():
        group, options = _group_of(one.annotation)
        if group is None:
            options = [_without_group(one)]
        else:
            groups[name] = (group, [one.name for one in options])
        parameters |= {one.name: one for one in options}

    def command(**given: Any) -> None:  # noqa: ANN401 - as the signature below has them
        group_values = {
            name: group(**{field: given[field] for field in names if field in given})
            for name, (group, names) in groups.items()
        }
        function(**{name: given[name] for name in declared if name in given}, **group_values)

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
    **options: Any,  # noqa: ANN401 - as typer's `command` takes it
) -> None:
    """Add a command, with its groups of options, to a command line or a group of commands.

    Parameters
    ----------
    name
        The command's name; by default that of the function.
    page
        The command's documentation page; by default that of the group.
    """
    options["epilog"] = see(page) if page else None
    app.command(name or function.__name__.replace("_", "-"), **options)(grouped(function))


Register = Callable[[typer.Typer], None]
"""A module's `register`: it adds the module's commands to a command line or a group of commands."""


def adding(
    *functions: Callable[..., None],
    page: str = "",
    options: Mapping[str, Any] = MappingProxyType({}),
    **named: Callable[..., None],
) -> Register:
    """Return a module's `register` for some commands.

    Parameters
    ----------
    functions
        Commands with the names of their functions.
    page, options
        As in `add`.
    named
        Commands with other names.
    """

    def register(app: typer.Typer) -> None:
        by_name = {function.__name__: function for function in functions}
        for name, function in {**by_name, **named}.items():
            add(app, function, name.replace("_", "-"), page=page, **options)

    return register


def adding_group(name: str, text: str, *members: Register, **more: Any) -> Register:  # noqa: ANN401 - as typer takes it
    """Return a function that adds a group of commands to an app; `text` is the group's help."""

    def register(app: typer.Typer) -> None:
        group = typer.Typer(name=name, help=text, **more)
        for member in members:
            member(group)
        app.add_typer(group)

    return register


def _group_of(annotation: Any) -> tuple[Any, list[inspect.Parameter]]:  # noqa: ANN401 - a type
    """Return the class and the options of a group; ``None`` and no options for a single option."""
    kind, *more = get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)
    for one in more:
        if isinstance(one, ParameterList):
            return dict, list(one.parameters)
    if not is_dataclass(kind):
        return None, []
    chosen = next((one for one in more if isinstance(one, _ChosenOptions)), None)
    return kind, _options(kind, chosen)


def _options(group: Any, chosen: _ChosenOptions | None) -> list[inspect.Parameter]:  # noqa: ANN401 - a class
    known = {field.name: field for field in fields(group) if field.init}
    own_help: Mapping[str, Any] = {} if chosen is None else chosen.own_help
    wanted = known.keys() if chosen is None else {*chosen.names, *own_help}
    assert wanted <= known.keys(), f"{group.__name__} has no {wanted - known.keys()}"
    return [
        _of_field(field, own_help.get(name), getattr(group, "PANEL", None))
        for name, field in known.items()
        if name in wanted or field.default is MISSING
    ]


def _without_group(option: inspect.Parameter) -> inspect.Parameter:
    """Return the parameter of an option without a group."""
    if get_origin(option.annotation) is not Annotated:  # the context
        return option
    kind, info = get_args(option.annotation)
    return parameter(option.name, kind, info, default=option.default)


def _of_field(field: Field[Any], own_help: Any, panel: str | None) -> inspect.Parameter:  # noqa: ANN401 - as `has`
    default = inspect.Parameter.empty if field.default is MISSING else field.default
    if get_origin(field.type) is not Annotated:  # the context
        return inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, annotation=field.type, default=default
        )
    kind, info = get_args(field.type)
    if isinstance(own_help, tuple):
        own_help, default = own_help
    if isinstance(own_help, str):
        info = copy(info)
        info.help = own_help
    elif own_help is not None:
        info = own_help
    return parameter(field.name, kind, info, default=default, panel=panel)
