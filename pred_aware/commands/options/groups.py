"""Groups of options: dataclasses of which each field is an option of the commands that take one."""

import inspect
from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from typing import Annotated, Any, get_args, get_origin

import typer

from pred_aware.commands.options.panels import see


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
        Further ones by name, with a help of the command's own or a ``typer.Option`` of its own.
    """
    return _Has(names, told)


@dataclass(frozen=True, slots=True)
class MadeOf:
    """Options that are made of something else, given to a command as one mapping of values."""

    parameters: tuple[inspect.Parameter, ...]


def option(
    name: str,
    kind: Any,  # noqa: ANN401 - a type of any kind
    info: Any,  # noqa: ANN401 - as typer's functions return it
    *,
    default: object = inspect.Parameter.empty,
) -> inspect.Parameter:
    """Return a parameter of a command that is an option or an argument."""
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, info]
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
    for name, parameter in own.items():
        group, options = _group_of(parameter.annotation)
        if group is None:
            options = [parameter]
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
    """Add a command to a command line, with its groups of options.

    Parameters
    ----------
    app
        The command line, or the group of commands.
    function
        What it does.
    name
        What it is called; by default as the function.
    page
        The page of the documentation behind it; by default that of the group.
    told
        Its help and the like.
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
        _parameter(field, told.get(name))
        for name, field in known.items()
        if name in wanted or field.default is MISSING
    ]


def _parameter(field: Field[Any], told: Any) -> inspect.Parameter:  # noqa: ANN401 - as `has`
    default = inspect.Parameter.empty if field.default is MISSING else field.default
    if get_origin(field.type) is not Annotated:  # the context
        return inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, annotation=field.type, default=default
        )
    kind, info = get_args(field.type)
    if isinstance(told, str):
        info = copy(info)
        info.help = told
    elif told is not None:
        info = told
    return option(field.name, kind, info, default=default)
