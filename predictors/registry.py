"""Find parts, such as predictors, by entry point, so that other packages can add parts."""

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
    in_words,
    place,
)
from predictors.options import in_json, parameters_of, stored_options

Part: TypeAlias = Any
"""A part of any kind, such as a predictor, or its class."""

PartSpec: TypeAlias = Any
"""A part's name, class or object, or a mapping with name and options; not checked yet."""

_NONE = (
    "this installation has none, probably because it is too old; install pred-aware again, "
    "for example with `pip install -e .`"
)


@functools.cache
def _every() -> Any:  # noqa: ANN401 - another type since Python 3.12
    return entry_points()


@functools.cache
def installed(group: str) -> Mapping[str, EntryPoint]:
    """Return the entry points of a group by their names.

    The result is cached for the whole process, because reading the metadata of all installed
    packages takes longer than many simulations. After an installation, call `forget_installed`.
    """
    return MappingProxyType({point.name: point for point in _every().select(group=group)})


def forget_installed() -> None:
    """Forget the entry points, so that the next call of `installed` reads them again."""
    installed.cache_clear()
    _every.cache_clear()


def nearest(
    word: str, known: Iterable[str], *, renamed: Mapping[str, str] = MappingProxyType({})
) -> str:
    """Return a hint for an unknown word: similar known names, or the word's new name.

    Examples
    --------
    >>> nearest("k_nearest", ["knn"], renamed={"k_nearest": "knn"})
    "it is now 'knn'"
    >>> nearest("last_tow", ["last_two", "walltime"])
    "did you mean 'last_two'? Known: last_two, walltime"
    >>> nearest("xyz", ["last_two", "walltime"])
    'known: last_two, walltime'
    """
    if word in renamed:
        return f"it is now '{renamed[word]}'"
    names = sorted(known)
    close = difflib.get_close_matches(word, names, n=3, cutoff=0.5)
    everything = ", ".join(names)
    if not close:
        return f"known: {everything}"
    return f"did you mean {' or '.join(map(repr, close))}? Known: {everything}"


def build(kind: str, name: str, factory: Callable[..., Any], options: Mapping[str, Any]) -> Part:
    """Make a part by calling its class with its options; error messages have `kind` and `name`.

    Raises
    ------
    OptionError
        An option is unknown or invalid. If the part needs a library that is not installed, the
        error is a `MissingLibraryError`.
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
        raise OptionError(f"{kind} '{name}' cannot be made: {words}") from error


class Registry:
    """The parts of one kind, such as the predictors, found by entry point.

    Parameters
    ----------
    group
        The group of entry points, such as ``pred_aware.predictors``.
    kind
        The word for such a part in messages, such as ``predictor``.
    methods
        Methods by which such a part is recognised if it is an option of another part.
    """

    def __init__(self, group: str, kind: str, *, methods: Sequence[str] = ()) -> None:
        self.group = group
        self.kind = kind
        self.methods = tuple(methods)

    def names(self) -> list[str]:
        """Return the known names, sorted."""
        return sorted(installed(self.group))

    def load(self, name: PartSpec) -> Part:
        """Return the class or function of a name: an entry point or ``module:Class``.

        If the name is an object instead of a class, the returned function makes copies of the
        object, so that runs do not influence each other.

        Raises
        ------
        UnknownNameError
            No entry point has the name, or the module or class does not exist.
        """
        if isinstance(name, type) or inspect.isroutine(name):
            return name
        if not isinstance(name, str):
            return lambda: deepcopy(name)
        if ":" in name:
            module_name, _, attribute = name.partition(":")
            try:
                loaded = getattr(import_module(module_name), attribute)
            # the import of a user's module may raise any error
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
            # the messages of these errors already say what does not exist
            words = words.removeprefix(f"{type(error).__name__}: ")
        if isinstance(error, ModuleNotFoundError) and error.name == name.partition(":")[0]:
            words += (
                "; Python looks for modules in PYTHONPATH: `export PYTHONPATH=.` adds this folder"
            )
        return UnknownNameError(f"{self.kind} '{name}' cannot be loaded: {words}")

    def make(self, spec: PartSpec) -> Part:
        """Make a part from its name, or from a mapping with ``name`` and the part's options.

        Scripts may also give a class, or an object; the object is copied.

        Raises
        ------
        UnknownNameError
            No part has the name.
        OptionError
            An option is unknown or invalid.
        """
        name, options = self.split(spec)
        return build(self.kind, self.label(name), self.load(name), options)

    def describe(self, part: object) -> dict[str, Any]:
        """Return a part's name and all of its options as JSON, including defaults.

        `make` makes an equal part from the result. The part's class must store its options as
        attributes of the same names, as dataclasses do; see `predictors.options.stored_options`.

        Raises
        ------
        OptionError
            The part does not store an option, or its class cannot be found by a name.

        Examples
        --------
        >>> PREDICTORS.describe(PREDICTORS.make({"name": "safe", "predictor": "pbs_v1"}))
        ... # doctest: +NORMALIZE_WHITESPACE
        {'name': 'safe', 'predictor': {'name': 'pbs_v1', 'jobs': 2}, 'margin': 900.0,
         'underestimated': None, 'window': 1000, 'by': None}
        """
        if not all(hasattr(part, method) for method in self.methods):
            raise OptionError(f"{part!r} is not a {self.kind}")
        name = self.name_of(part)
        stored = stored_options(part, self._describe_inside)
        if stored.unstored:
            raise OptionError(
                f"{self.kind} '{name}' does not store {', '.join(stored.unstored)}: its class must "
                "store each option as an attribute of the same name, with a JSON value"
            )
        return {"name": name, **stored.options}

    def _describe_inside(self, value: object) -> dict[str, Any]:
        """Describe an option that is a part itself, such as a wrapped predictor."""
        if not self.methods:
            raise OptionError(f"{value!r} is not a JSON value")
        return self.describe(value)

    def name_of(self, part: object) -> str:
        """Return the name of a part's class: its entry point or ``module:Class``.

        Raises
        ------
        OptionError
            The class has no name because it was defined inside a function, or it is not a part.
        """
        factory = type(part)
        names = [
            name
            for name, point in installed(self.group).items()
            if point.attr == factory.__qualname__
        ]
        for name in [*sorted(names), self.label(part)]:
            with suppress(UnknownNameError):
                if self.load(name) is factory:
                    return name
        raise OptionError(f"no {self.kind} has the name '{name}'")

    def split(self, spec: PartSpec) -> tuple[PartSpec, dict[str, Any]]:
        """Split a specification into its name (or class or object) and its options."""
        if isinstance(spec, str | type) or inspect.isroutine(spec):
            return spec, {}
        if isinstance(spec, Mapping) and isinstance(spec.get("name"), str | type):
            return spec["name"], {key: value for key, value in spec.items() if key != "name"}
        if isinstance(spec, _DATA):
            raise OptionError(
                f"give the {self.kind} as its name or as an object with its name and options, "
                f'such as {{"name": "...", "option": 1}}, not as {in_json(spec)}'
            )
        return spec, {}

    @staticmethod
    def label(name: PartSpec) -> str:
        """Return a part's name for messages."""
        if isinstance(name, str):
            return name
        factory = name if isinstance(name, type) or inspect.isroutine(name) else type(name)
        return f"{factory.__module__}:{factory.__qualname__}"


_DATA = (Mapping, list, tuple, set, int, float, bytes, type(None))
"""Types of values that are never parts."""


PREDICTORS = Registry("pred_aware.predictors", "predictor", methods=("predict", "learn"))
