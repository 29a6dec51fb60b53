"""Parts that are found by entry point, so that another package can add one."""

import difflib
import functools
import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, TypeAlias

from predictors.errors import (
    MissingLibraryError,
    OptionError,
    PredictorError,
    UnknownNameError,
)
from predictors.failures import in_words, place
from predictors.options import in_json, parameters_of, told_options

Part: TypeAlias = Any
"""A part of any kind, such as a predictor, or its class."""

PartSpec: TypeAlias = Any
"""A part's name, class or object, or a mapping with name and options; checked when it is made."""

_NONE = (
    "this installation has none, as one that was made before there were any; install it again, "
    "such as by `pip install -e .`"
)


class _Installed:
    """What is called `installed` below."""

    def __init__(self) -> None:
        self._groups: dict[str, Mapping[str, EntryPoint]] = {}

    @functools.cached_property
    def _every(self) -> Any:  # noqa: ANN401 - of one type before Python 3.12, of another since
        return entry_points()

    def __call__(self, group: str) -> Mapping[str, EntryPoint]:
        """Return the entry points of a group by their names."""
        if group not in self._groups:
            found = {point.name: point for point in self._every.select(group=group)}
            self._groups[group] = MappingProxyType(found)
        return self._groups[group]

    def cache_clear(self) -> None:
        """Look again."""
        self._groups.clear()
        vars(self).pop("_every", None)


installed = _Installed()
"""Returns the entry points of a group by their names.

All groups are looked up once in a process: it means reading the metadata of every installed
package, which takes longer than many a simulation. After an installation in a session that goes on,
``installed.cache_clear()`` makes it look again.
"""


def nearest(
    word: str, known: Iterable[str], *, renamed: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Say which known names a mistyped word may have meant, or what it is called now.

    Examples
    --------
    >>> nearest("k_nearest", ["knn"], renamed={"k_nearest": "knn"})
    "it is 'knn' now"
    >>> nearest("last_tow", ["last_two", "walltime"])
    "did you mean 'last_two'? Known: last_two, walltime"
    >>> nearest("xyz", ["last_two", "walltime"])
    'known: last_two, walltime'
    """
    if word in renamed:
        return f"it is '{renamed[word]}' now"
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=3, cutoff=0.5)
    everything = ", ".join(names)
    if not close:
        return f"known: {everything}"
    return f"did you mean {' or '.join(map(repr, close))}? Known: {everything}"


def build(kind: str, name: str, factory: Callable[..., Any], options: Mapping[str, Any]) -> Part:
    """Make a part by calling its class with its options; `kind` and `name` are for messages.

    Raises
    ------
    OptionError
        An option that the part does not have, or a value that it refuses; a
        `MissingLibraryError` where it needs a library that is not installed.
    """
    known = parameters_of(factory)
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
    except MissingLibraryError as error:
        raise MissingLibraryError(f"{kind} '{name}': {error}") from error
    except PredictorError as error:
        raise OptionError(f"{kind} '{name}': {error}") from error
    except (TypeError, ValueError) as error:
        raise OptionError(f"{kind} '{name}': {error}{place(error)}") from error
    except Exception as error:
        words = in_words(error, getattr(factory, "__module__", ""))
        raise OptionError(f"{kind} '{name}' can't be made: {words}") from error


class Registry:
    """The parts of one kind, such as the predictors: by name, by entry point.

    Parameters
    ----------
    group
        Of the entry points, such as ``pred_aware.predictors``.
    kind
        The word for such a part in messages, such as ``predictor``.
    methods
        Those that each of them has, where one may be an option of another.
    """

    def __init__(self, group: str, kind: str, *, methods: Sequence[str] = ()) -> None:
        self.group = group
        self.kind = kind
        self.methods = tuple(methods)

    def names(self) -> list[str]:
        """Return the known names, sorted."""
        return sorted(installed(self.group))

    def load(self, name: PartSpec) -> Part:
        """Return the class or function of a name: an entry point's, or ``module:Class``.

        A class stands for itself, and an object for copies of it, so that no run sees what another
        one left in it.

        Raises
        ------
        UnknownNameError
            No entry point has the name, or the module or class does not exist.
        """
        if isinstance(name, type) or inspect.isroutine(name):
            return name
        if not isinstance(name, str):
            return _copies(name)
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
            hint = nearest(name, points) if points else _NONE
            raise UnknownNameError(f"unknown {self.kind} '{name}': {hint}")
        try:
            return points[name].load()
        except Exception as error:
            raise self._unloadable(name, error) from error

    def _unloadable(self, name: str, error: Exception) -> UnknownNameError:
        words = in_words(error)
        if isinstance(error, ImportError | AttributeError | ValueError):
            # these say all there is to say: what does not exist
            words = words.removeprefix(f"{type(error).__name__}: ")
        if isinstance(error, ModuleNotFoundError) and error.name == name.partition(":")[0]:
            words += (
                "; modules are looked for in PYTHONPATH: `export PYTHONPATH=.` adds this folder"
            )
        return UnknownNameError(f"{self.kind} '{name}' can't be loaded: {words}")

    def make(self, spec: PartSpec) -> Part:
        """Make a part from its name, or from a mapping with ``name`` and the part's options.

        In a script a class can stand in the place of a name; an object too, of which a copy is
        made, as it is.

        Raises
        ------
        UnknownNameError
            No part has the name.
        OptionError
            An option that the part does not have, or a value that it refuses.
        """
        name, options = self.split(spec)
        return build(self.kind, self.label(name), self.load(name), options)

    def describe(self, part: object) -> dict[str, Any]:
        """Say what a part is made of: its name and all of its options, defaults too, as in JSON.

        `make` makes the same of it. An option is known if the part's class keeps it as an
        attribute of the same name, as dataclasses do; see `predictors.options.told_options`, which
        says what is known where something is not.

        Raises
        ------
        OptionError
            The part does not tell an option, or its class can't be found by a name.

        Examples
        --------
        >>> PREDICTORS.describe(PREDICTORS.make({"name": "safe", "predictor": "pbs_v1"}))
        ... # doctest: +NORMALIZE_WHITESPACE
        {'name': 'safe', 'predictor': {'name': 'pbs_v1', 'jobs': 2}, 'margin': 900.0,
         'underestimated': None, 'window': 1000, 'by': None}
        """
        if not all(hasattr(part, method) for method in self.methods):
            raise OptionError(f"{part!r} is no {self.kind}")
        name = self.name_of(part)
        told = told_options(part, self._describe_inside)
        if told.untold:
            raise OptionError(
                f"{self.kind} '{name}' does not tell {', '.join(told.untold)}: its class must "
                "keep each option as an attribute of the same name, such as JSON has"
            )
        return {"name": name, **told.options}

    def _describe_inside(self, value: object) -> dict[str, Any]:
        """Describe an option that is a part itself, as the predictor of a wrapper is."""
        if not self.methods:
            raise OptionError(f"{value!r} is nothing that JSON has")
        return self.describe(value)

    def name_of(self, part: object) -> str:
        """Return the name by which a part's class is found: an entry point's, or ``module:Class``.

        Raises
        ------
        OptionError
            There is none: the class was made inside a function, or it is no part at all.
        """
        made_by = type(part)
        names = [
            name
            for name, point in installed(self.group).items()
            if point.attr == made_by.__qualname__
        ]
        for name in [*sorted(names), self.label(part)]:
            with suppress(UnknownNameError):
                if self.load(name) is made_by:
                    return name
        raise OptionError(f"no {self.kind} is found by the name '{name}'")

    def split(self, spec: PartSpec) -> tuple[PartSpec, dict[str, Any]]:
        """Take a specification apart: its name, class or object, and its options."""
        if isinstance(spec, str | type) or inspect.isroutine(spec):
            return spec, {}
        if isinstance(spec, Mapping) and isinstance(spec.get("name"), str | type):
            return spec["name"], {key: value for key, value in spec.items() if key != "name"}
        if isinstance(spec, _DATA):
            raise OptionError(
                f"the {self.kind} is given by its name or by an object with its name and options, "
                f'such as {{"name": "...", "option": 1}}, not by {in_json(spec)}'
            )
        return spec, {}

    @staticmethod
    def label(name: PartSpec) -> str:
        """Return what a part is called in messages."""
        if isinstance(name, str):
            return name
        made_by = name if isinstance(name, type) or inspect.isroutine(name) else type(name)
        return f"{made_by.__module__}:{made_by.__qualname__}"


_DATA = (Mapping, list, tuple, set, int, float, bytes, type(None))
"""The types of no part."""


def _copies(part: object) -> Callable[[], object]:
    """Return a maker of copies of an object."""

    def copied() -> object:
        return deepcopy(part)

    return copied


PREDICTORS = Registry("pred_aware.predictors", "predictor", methods=("predict", "learn"))
