"""Expressions over the columns of a table, such as ``nodes * 16`` or ``state = 'DONE'``."""

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from workload_tools.expressions.syntax import (
    COMPARISONS,
    Call,
    Column,
    Expression,
    ExpressionError,
    Number,
    SyntaxFault,
    Text,
    Tokens,
    TooDeepError,
)
from workload_tools.hints import did_you_mean

Kind: TypeAlias = Literal["number", "text", "truth", "cell"]
"""The type of an expression's value.

The type of a column is ``cell``, which may be used as a number or as a text.
"""

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?)
    |(?P<operator><=|>=|!=|==|=|<|>|[-+*/(),])
    |"(?P<double>[^"]*)"|'(?P<single>[^']*)'|`(?P<column>[^`]+)`
    |(?P<word>[^\W\d][\w.]*))""",
    re.VERBOSE,
)
_DEEPEST = 40
_MOST_TOKENS = 200
_TESTS = ("contains", "starts")
_WITH_TEXT = ("before", "after", "count", *_TESTS)
_WORDS = ("and", "or", "not", "in")


_NUMBER_OPERATORS = ("+", "-", "*", "/")


@dataclass(frozen=True, slots=True)
class Signature:
    """Argument and result types of a function."""

    takes: tuple[str, ...]
    """The types of the arguments; ``any`` allows each type."""
    gives: str
    """The type of the result; ``same`` means the type that the ``any`` arguments have."""
    repeats: bool = False
    """True if the last argument may be repeated."""


FUNCTIONS: dict[str, Signature] = {
    "if": Signature(("truth", "any", "any"), "same"),
    "first": Signature(("any",), "same", repeats=True),
    "min": Signature(("number",), "number", repeats=True),
    "max": Signature(("number",), "number", repeats=True),
    "round": Signature(("number",), "number"),
    "up": Signature(("number",), "number"),
    "down": Signature(("number",), "number"),
    "number": Signature(("any",), "number"),
    "text": Signature(("any",), "text"),
    "join": Signature(("text",), "text", repeats=True),
    "before": Signature(("text", "text"), "text"),
    "after": Signature(("text", "text"), "text"),
    "count": Signature(("text", "text"), "number"),
    "missing": Signature(("any",), "truth"),
    "contains": Signature(("text", "text"), "truth"),
    "starts": Signature(("text", "text"), "truth"),
}


def parse(text: str) -> Expression:
    """Parse an expression.

    Raises
    ------
    ExpressionError
        The text is not an expression. The message gives the reason.

    Examples
    --------
    >>> parse("nodes * 16")
    Call(name='*', arguments=(Column(name='nodes'), Number(value=16.0)))
    >>> parse("1 *")
    Traceback (most recent call last):
    workload_tools.expressions.syntax.ExpressionError: '1 *' ends where a value is expected
    """
    try:
        tokens = Tokens(text, _TOKEN)
        if len(tokens.all) > _MOST_TOKENS:
            raise ExpressionError(
                f"'{text[:40]}...' has more than {_MOST_TOKENS} words and symbols"
            )
        expression = _Grammar(tokens).expression()
        tokens.expect_end()
    except SyntaxFault as fault:
        raise ExpressionError(f"'{text}' {fault}") from None
    except TooDeepError:
        raise ExpressionError(f"'{text[:40]}...' has too many nested parentheses") from None
    kind_of(expression)
    return expression


def kind_of(expression: Expression) -> Kind:
    """Return the type of an expression's value.

    Raises
    ------
    ExpressionError
        An operator or function has an argument of a wrong type, such as ``and`` with a number.
    """
    match expression:
        case Column():
            return "cell"
        case Number():
            return "number"
        case Text():
            return "text"
        case Call(name, arguments):
            kinds = [kind_of(argument) for argument in arguments]
            return _checked(name, kinds)


def _checked(name: str, kinds: list[Kind]) -> Kind:
    if name in _NUMBER_OPERATORS:
        _require(name, kinds, "number")
        return "number"
    if name in ("and", "or", "not"):
        _require(name, kinds, "truth")
        return "truth"
    if name in (*COMPARISONS, "in"):
        return _compared(name, kinds)
    return _called(name, kinds)


def _compared(name: str, kinds: list[Kind]) -> Kind:
    if name == "in":
        if len({*kinds[1:]}) != 1:
            raise ExpressionError("'in' needs either numbers or texts in its parentheses, not both")
        kinds, name = kinds[:2], "="
    if "truth" in kinds or {"text", "number"} <= set(kinds):
        raise ExpressionError(f"'{name}' must compare numbers with numbers or texts with texts")
    if "text" in kinds and name not in ("=", "==", "!="):
        raise ExpressionError(f"compare texts with = or !=, not with '{name}'")
    return "truth"


def _called(name: str, kinds: list[Kind]) -> Kind:
    signature = FUNCTIONS[name]
    wanted = signature.takes
    if signature.repeats:
        wanted += wanted[-1:] * (len(kinds) - len(wanted))
    if len(kinds) != len(wanted):
        count = f"{len(signature.takes)}{' or more' if signature.repeats else ''}"
        raise ExpressionError(f"'{name}' needs {count} values, not {len(kinds)}")
    for kind, one in zip(kinds, wanted, strict=True):
        if one != "any":
            _require(name, [kind], one)
    if signature.gives != "same":
        return signature.gives  # type: ignore[return-value] # a Kind
    values = {kind for kind, one in zip(kinds, wanted, strict=True) if one == "any"} - {"cell"}
    if len(values) > 1:
        raise ExpressionError(f"'{name}' needs either numbers or texts as values, not both")
    return values.pop() if values else "cell"


def _require(name: str, kinds: list[Kind], wanted: str) -> None:
    for kind in kinds:
        if kind != wanted and (kind != "cell" or wanted == "truth"):
            what = {"number": "numbers", "text": "texts", "truth": "conditions"}[wanted]
            raise ExpressionError(f"'{name}' needs {what}")


class _Grammar:
    """A recursive-descent parser of expressions."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = tokens
        self.take = tokens.take

    def expression(self) -> Expression:
        return self.tokens.conditions(self.negated, deepest=_DEEPEST)

    def negated(self) -> Expression:
        count = 0
        while self.take("not"):
            count += 1
        inner = self.comparison()
        return Call("not", (inner,)) if count % 2 else inner

    def comparison(self) -> Expression:
        left = self.total()
        if self.take("in"):
            self.expect("(")
            return Call("in", (left, *self.listed()))
        operator = self.take(*COMPARISONS)
        return left if operator is None else Call(operator, (left, self.total()))

    def total(self) -> Expression:
        left = self.product()
        while (operator := self.take("+", "-")) is not None:
            left = Call(operator, (left, self.product()))
        return left

    def product(self) -> Expression:
        left = self.signed()
        while (operator := self.take("*", "/")) is not None:
            left = Call(operator, (left, self.signed()))
        return left

    def signed(self) -> Expression:
        negative = False
        while self.take("-"):
            negative = not negative
        value = self.operand()
        if not negative:
            return value
        return (
            Number(-value.value) if isinstance(value, Number) else Call("-", (Number(0.0), value))
        )

    def operand(self) -> Expression:
        if self.take("("):
            inner = self.expression()
            self.expect(")")
            return inner
        kind, text = self.tokens.next_token
        if kind in ("", "operator") or (kind == "word" and text in _WORDS):
            raise self.tokens.unexpected("where a value is expected")
        self.tokens.index += 1
        match kind:
            case "number":
                return Number(float(text))
            case "double" | "single":
                return Text(text)
            case "word" if self.take("("):
                return self.call(text)
            case _:
                return Column(text)

    def call(self, name: str) -> Expression:
        if name not in FUNCTIONS:
            raise ExpressionError(f"unknown function '{name}': {did_you_mean(name, FUNCTIONS)}")
        values = self.listed()
        last = values[-1]
        if name in _WITH_TEXT and not (isinstance(last, Text) and (last.value or name in _TESTS)):
            raise ExpressionError(f"'{name}' needs a text in quotes after the comma")
        return Call(name, values)

    def listed(self) -> tuple[Expression, ...]:
        values = [self.expression()]
        while self.take(","):
            values.append(self.expression())
        self.expect(")")
        return tuple(values)

    def expect(self, text: str) -> None:
        if not self.take(text):
            raise SyntaxFault(f"lacks a '{text}'")
