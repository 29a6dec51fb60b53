"""A candidate, of whom predictions are measured: a name or an object, and a label for tables."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pred_aware.errors import PredAwareError
from predictors.registry import Registry, nearest
from schedulers.core.estimates import EstimateSource, make_source
from workload_tools.expected import in_words

_LABELLED = re.compile(r"([^\s={}\[\]\"':]+)=(.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A source of estimates that is asked, and what it is called."""

    label: str
    """Its name in tables, unique among those that are asked."""
    specification: Any
    """A name, or an object with name and options; in a script a class or a predictor, too. Each
    replay makes it anew."""

    def make(self) -> EstimateSource:
        """Make it, without any history.

        Raises
        ------
        PredictorError
            There is none of that name, or it does not have such an option.
        """
        return make_source(self.specification)


def candidates_of(predictors: Any) -> list[Candidate]:  # noqa: ANN401 - one or several, in any form
    """Return who is to be asked, as a script has it.

    Parameters
    ----------
    predictors
        One or a list: each a name, a mapping with ``name`` and options, a class or an object; or a
        mapping of labels to these.

    Raises
    ------
    PredAwareError
        Nobody, or a label that two of them have.

    Examples
    --------
    >>> [one.label for one in candidates_of(["last_two", {"name": "knn", "k": 3}])]
    ['last_two', 'knn']
    """
    if isinstance(predictors, Mapping) and "name" not in predictors:
        found = [Candidate(label, spec) for label, spec in predictors.items()]
    else:
        if isinstance(predictors, str) or not isinstance(predictors, Sequence):
            predictors = [predictors]
        found = [
            one
            if isinstance(one, Candidate)
            else Candidate(
                str(one["name"]) if isinstance(one, Mapping) else Registry.label(one), one
            )
            for one in predictors
        ]
    if not found:
        raise PredAwareError("nobody to ask: give at least one predictor")
    labels = [one.label for one in found]
    for label in labels:
        if labels.count(label) > 1:
            raise PredAwareError(f"two predictors are called '{label}': give a mapping of labels")
    return found


def read_candidates(arguments: Iterable[str]) -> list[Candidate]:
    """Read who is to be asked, as the command line has it.

    Parameters
    ----------
    arguments
        Each a name, ``module:Class``, a JSON object with name and options, or ``LABEL=`` and one of
        these.

    Raises
    ------
    PredAwareError
        Nobody, bad JSON, or a label that two of them have.

    Examples
    --------
    >>> [one.label for one in read_candidates(["last_two", 'near={"name": "knn", "k": 3}'])]
    ['last_two', 'near']
    """
    found = [_read(argument) for argument in arguments]
    if not found:
        raise PredAwareError("nobody to ask: give --predictor at least once")
    labels = [one.label for one in found]
    for label in labels:
        if labels.count(label) > 1:
            raise PredAwareError(
                f"two predictors are called '{label}'; name them: --predictor NAME=..., "
                'such as --predictor \'three={"name": "knn", "k": 3}\''
            )
    return found


def chosen_names(names: Iterable[str], known: Sequence[str], kind: str) -> tuple[str, ...]:
    """Return names that are known, in the order of the known ones; all where none is given.

    Raises
    ------
    PredAwareError
        A name that is not known.

    Examples
    --------
    >>> chosen_names(["b", "a"], ["a", "b", "c"], "letter"), chosen_names([], ["a", "b"], "letter")
    (('a', 'b'), ('a', 'b'))
    """
    given = set(names)
    for name in sorted(given):
        if name not in known:
            raise PredAwareError(f"unknown {kind} '{name}': {nearest(name, known)}")
    return tuple(name for name in known if name in given or not given)


def _read(argument: str) -> Candidate:
    match = _LABELLED.fullmatch(argument)
    label, text = match.groups() if match else (None, argument)
    if not text.startswith("{"):
        return Candidate(label or text, text)
    import msgspec

    try:
        options = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise PredAwareError(f"predictor {text!r} is not JSON: {in_words(error)}") from error
    name = options.get("name")
    return Candidate(label or (name if isinstance(name, str) else text), options)
