"""Parts that are found by entry point, so that another package can add one."""

import difflib
import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any

from predictors.errors import OptionError, UnknownNameError


@functools.cache
def installed(group: str) -> Mapping[str, EntryPoint]:
    """Return the entry points of a group by their names.

    Looked up once in a process: it means reading the metadata of every installed package, which
    takes longer than many a simulation. After an installation in a session that goes on,
    ``installed.cache_clear()`` makes it look again.
    """
    return MappingProxyType({point.name: point for point in entry_points(group=group)})


def nearest(word: str, known: Iterable[str]) -> str:
    """Say which known names a mistyped word may have meant.

    Examples
    --------
    >>> nearest("last_tow", ["last_two", "walltime"])
    "did you mean 'last_two'? Known: last_two, walltime"
    >>> nearest("xyz", ["last_two", "walltime"])
    'known: last_two, walltime'
    """
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=3, cutoff=0.5)
    everything = ", ".join(names)
    if not close:
        return f"known: {everything}"
    return f"did you mean {' or '.join(map(repr, close))}? Known: {everything}"


def build(kind: str, name: str, factory: Callable[..., Any], options: Mapping[str, Any]) -> Any:  # noqa: ANN401 - a part of any kind
    """Make a part by calling its class with its options.

    Parameters
    ----------
    kind, name
        What the part is called in messages.
    factory
        Its class.
    options
        By the names of the class's parameters.

    Raises
    ------
    OptionError
        An option that the part does not have, or a value that it refuses.
    """
    known = inspect.signature(factory).parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in known.values())
    for option in options:
        if option not in known and not takes_any:
            hint = nearest(option, known) if known else "it has no options"
            raise OptionError(f"{kind} '{name}' has no option '{option}': {hint}")
    for option, parameter in known.items():
        if parameter.default is parameter.empty and option not in options and not takes_any:
            raise OptionError(f"{kind} '{name}' needs the option '{option}'")
    try:
        return factory(**options)
    except (TypeError, ValueError) as error:
        raise OptionError(f"{kind} '{name}': {error}") from error
    except Exception as error:
        words = f"{type(error).__name__}: {' '.join(str(error).split())}".removesuffix(": ")
        raise OptionError(f"{kind} '{name}' can't be made: {words}") from error


class Registry:
    """The parts of one kind, such as the predictors: by name, by entry point.

    Parameters
    ----------
    group
        The group of the entry points, such as ``pred_aware.predictors``.
    kind
        What such a part is called in messages, such as ``predictor``.
    """

    def __init__(self, group: str, kind: str) -> None:
        self.group = group
        self.kind = kind

    def names(self) -> list[str]:
        """Return the known names, sorted."""
        return sorted(installed(self.group))

    def load(self, name: str) -> Any:  # noqa: ANN401 - a class or function of any kind
        """Return what a name stands for: an entry point's, or ``module:Class``.

        Raises
        ------
        UnknownNameError
            No entry point has the name, or the module or class does not exist.
        """
        if ":" in name:
            module_name, _, attribute = name.partition(":")
            try:
                loaded = getattr(import_module(module_name), attribute)
            # what somebody else's module does when it is imported is anybody's guess
            except Exception as error:
                raise self._unloadable(name, error) from error
            if not callable(loaded):
                raise UnknownNameError(f"{self.kind} '{name}' is not a class: {loaded!r}")
            return loaded
        points = installed(self.group)
        if name not in points:
            raise UnknownNameError(f"unknown {self.kind} '{name}': {nearest(name, points)}")
        try:
            return points[name].load()
        except Exception as error:
            raise self._unloadable(name, error) from error

    def _unloadable(self, name: str, error: Exception) -> UnknownNameError:
        words = " ".join(f"{error}".split())
        if not isinstance(error, ImportError | AttributeError | ValueError) or not words:
            words = f"{type(error).__name__}: {words}".removesuffix(": ")
        return UnknownNameError(f"{self.kind} '{name}' can't be loaded: {words}")

    def make(self, spec: str | Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Make a part from its name, or from a mapping with ``name`` and the part's options.

        Raises
        ------
        UnknownNameError
            No part has the name.
        OptionError
            An option that the part does not have, or a value that it refuses.
        """
        name, options = self.split(spec)
        return build(self.kind, name, self.load(name), options)

    def split(self, spec: str | Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """Take a specification apart: its name and its options."""
        if isinstance(spec, str):
            return spec, {}
        if not isinstance(spec, Mapping) or not isinstance(spec.get("name"), str):
            raise OptionError(
                f"a {self.kind} is given by its name or by an object with its name and options, "
                f'such as {{"name": "...", "option": 1}}, not by {spec!r}'
            )
        return spec["name"], {key: value for key, value in spec.items() if key != "name"}


PREDICTORS = Registry("pred_aware.predictors", "predictor")
