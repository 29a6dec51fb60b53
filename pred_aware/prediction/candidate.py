"""A predictor to evaluate: its specification, and its label in tables."""

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
    """A predictor, or another source of estimates, to evaluate."""

    label: str
    """Unique name of the predictor in tables."""
    specification: Any
    """The predictor's name, or an object with name and options; in a script also a class or object.

    Each replay creates a new predictor from this specification.
    """

    def make(self) -> EstimateSource:
        """Create the source of estimates, which has not learned any job.

        Raises
        ------
        PredictorError
            The name or an option is unknown.
        """
        return make_source(self.specification)


def candidates_of(predictors: Any) -> list[Candidate]:  # noqa: ANN401 - in any form
    """Return the candidates for the predictors that a script gives.

    Parameters
    ----------
    predictors
        One predictor or a list of predictors. Each is a name, a mapping with ``name`` and options,
        a class or an object. A mapping from labels to predictors is also possible.

    Raises
    ------
    PredAwareError
        There is no predictor, or a label occurs twice.

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
        raise PredAwareError("no predictor: give at least one")
    labels = [one.label for one in found]
    for label in labels:
        if labels.count(label) > 1:
            raise PredAwareError(
                f"two predictors have the name '{label}': give a mapping from labels to predictors"
            )
    return found


def read_candidates(arguments: Iterable[str]) -> list[Candidate]:
    """Return the candidates for the predictors that the command line gives.

    Parameters
    ----------
    arguments
        Each is a name, ``module:Class``, a JSON object with name and options, or ``LABEL=``
        followed by one of these.

    Raises
    ------
    PredAwareError
        There is no predictor, a JSON text is invalid, or a label occurs twice.

    Examples
    --------
    >>> [one.label for one in read_candidates(["last_two", 'near={"name": "knn", "k": 3}'])]
    ['last_two', 'near']
    """
    found = [_read(argument) for argument in arguments]
    if not found:
        raise PredAwareError("no predictor: give --predictor at least once")
    labels = [one.label for one in found]
    for label in labels:
        if labels.count(label) > 1:
            raise PredAwareError(
                f"two predictors have the name '{label}'; give labels: --predictor LABEL=..., "
                'such as --predictor \'three={"name": "knn", "k": 3}\''
            )
    return found


def chosen_names(names: Iterable[str], known: Sequence[str], kind: str) -> tuple[str, ...]:
    """Return the given names in the order of the known names; all known names if none is given.

    Raises
    ------
    PredAwareError
        A name is unknown.

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
