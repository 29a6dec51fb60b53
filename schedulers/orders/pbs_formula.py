"""Sort formulas of PBS: Python arithmetic on a job's request, parsed and never run as code."""

import ast
import math
import operator
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeAlias

from predictors.errors import OptionError
from predictors.registry import nearest

Values: TypeAlias = Mapping[str, float]
_Computed: TypeAlias = Callable[[Values], float]

_OPERATORS: Mapping[type, Callable[[Any, Any], Any]] = MappingProxyType(
    {
        ast.Add: operator.add,
        ast.Sub: operator.sub,
        ast.Mult: operator.mul,
        ast.Div: operator.truediv,
        ast.FloorDiv: operator.floordiv,
        ast.Mod: operator.mod,
        ast.Pow: math.pow,
        ast.Lt: operator.lt,
        ast.LtE: operator.le,
        ast.Gt: operator.gt,
        ast.GtE: operator.ge,
        ast.Eq: operator.eq,
        ast.NotEq: operator.ne,
    }
)
_SIGNS: Mapping[type, Callable[[Any], Any]] = MappingProxyType(
    {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_}
)
_FUNCTIONS: Mapping[str, Callable[..., float]] = MappingProxyType(
    {
        **{name: getattr(math, name) for name in ("ceil", "exp", "floor", "log", "log10", "log2")},
        **{name: getattr(math, name) for name in ("pow", "sqrt", "fabs", "trunc")},
        "abs": abs,
        "max": max,
        "min": min,
        "round": round,
    }
)


@dataclass(frozen=True, slots=True)
class Formula:
    """A parsed formula."""

    text: str
    names: frozenset[str]
    """The names that the formula uses."""
    compute: _Computed

    def value(self, values: Values) -> float:
        """Return the formula's value. As in PBS, an undefined value, such as x / 0, is 0."""
        try:
            value = float(self.compute(values))
        except (ArithmeticError, TypeError, ValueError):
            return 0.0
        return value if math.isfinite(value) else 0.0


def read_formula(text: str, known: Collection[str], key: str) -> Formula:
    """Parse a formula that may use the names `known`.

    Raises
    ------
    OptionError
        The text is not a formula, or uses unknown names, functions or operators. The message begins
        with `key`.

    Examples
    --------
    >>> names = ("ncpus", "walltime")
    >>> formula = read_formula("ncpus * 2 if walltime < 60 else sqrt(ncpus)", names, "formula")
    >>> formula.value({"ncpus": 9, "walltime": 59}), formula.value({"ncpus": 9, "walltime": 60})
    (18.0, 3.0)
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise OptionError(f"{key} is '{text}', which is not a formula: {error}") from None
    names: set[str] = set()
    try:
        compute = _computed(tree.body, known, names)
    except _NoPartError as error:
        raise OptionError(f"{key} is '{text}': {error}") from None
    except RecursionError:
        raise OptionError(f"{key} is '{text[:40]}...', which is nested too deeply") from None
    return Formula(text, frozenset(names), compute)


class _NoPartError(ValueError):
    """A part of a formula is not supported."""


def _computed(node: ast.expr, known: Collection[str], names: set[str]) -> _Computed:  # noqa: PLR0911 - one for each kind of part
    """Return a function that computes a part of a formula; add its names to `names`."""

    def inside(part: ast.expr) -> _Computed:
        return _computed(part, known, names)

    match node:
        case ast.Constant(value=int() | float() as number):
            return lambda _: number
        case ast.Name(id=name) if name in known:
            names.add(name)
            return operator.itemgetter(name)
        case ast.Name(id=name):
            raise _NoPartError(f"unknown name '{name}': {nearest(name, known)}")
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
            return _of_two(_OPERATORS[type(sign)], inside(left), inside(right))
        case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _SIGNS:
            apply, one = _SIGNS[type(sign)], inside(operand)
            return lambda values: apply(one(values))
        case ast.Compare(left=left, ops=[sign], comparators=[right]) if type(sign) in _OPERATORS:
            return _of_two(_OPERATORS[type(sign)], inside(left), inside(right))
        case ast.BoolOp(op=sign, values=parts):
            every, all_of_them = [inside(part) for part in parts], isinstance(sign, ast.And)
            decide = all if all_of_them else any
            return lambda values: decide(part(values) for part in every)
        case ast.IfExp(test=test, body=body, orelse=otherwise):
            condition, yes, no = inside(test), inside(body), inside(otherwise)
            return lambda values: yes(values) if condition(values) else no(values)
        case ast.Call(func=function, args=arguments, keywords=[]):
            called = _function(function)
            given = [inside(argument) for argument in arguments]
            return lambda values: called(*[one(values) for one in given])
    raise _NoPartError(f"'{ast.unparse(node)}' is not supported arithmetic")


def _of_two(apply: Callable[[Any, Any], Any], left: _Computed, right: _Computed) -> _Computed:
    return lambda values: apply(left(values), right(values))


def _function(node: ast.expr) -> Callable[..., float]:
    name = ast.unparse(node).removeprefix("math.")
    if name not in _FUNCTIONS:
        raise _NoPartError(f"unknown function '{name}': {nearest(name, _FUNCTIONS)}")
    return _FUNCTIONS[name]
