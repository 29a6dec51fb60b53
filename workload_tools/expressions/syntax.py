"""The parts of a parsed expression, and the tokens from which parsers build them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

COMPARISONS = ("=", "==", "!=", "<", "<=", ">", ">=")


class ExpressionError(ValueError):
    """A text is not an expression. The message gives the reason."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table, or a field of a job."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """A literal number."""

    value: float


@dataclass(frozen=True, slots=True)
class Text:
    """A literal text."""

    value: str


@dataclass(frozen=True, slots=True)
class Call:
    """A function or an operator with its arguments."""

    name: str
    arguments: tuple["Expression", ...]


Expression: TypeAlias = Column | Number | Text | Call


def columns_of(expression: Expression) -> Iterator[str]:
    """Yield the names of the columns in an expression."""
    if isinstance(expression, Column):
        yield expression.name
    elif isinstance(expression, Call):
        for argument in expression.arguments:
            yield from columns_of(argument)


_PLAIN = ("mark", "operator", "word")


class SyntaxFault(ValueError):  # noqa: N818 - of a text, from which a parser makes its own error
    """A text has a syntax error. The message completes a sentence that begins with the text."""


class TooDeepError(ValueError):
    """A text has too many nested parentheses."""


class Tokens:
    r"""The tokens of a text, and the position of the next token.

    Parameters
    ----------
    pattern
        Pattern of one token. The names of its groups are the kinds of tokens. `take` finds tokens
        of the kinds ``mark``, ``operator`` and ``word`` by their text. Other kinds are literals.

    Raises
    ------
    SyntaxFault
        A part of the text is not a token.

    Examples
    --------
    >>> tokens = Tokens("a or b", re.compile(r"\s*(?P<word>[a-z]+)"))
    >>> tokens.next("word", "a name"), tokens.take("and"), tokens.take("or")
    ('a', None, 'or')
    """

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        self.all: list[tuple[str, str]] = []
        self.index = 0
        self.depth = 0
        position, end = 0, len(text.rstrip())
        while position < end:
            match = pattern.match(text, position)
            if match is None:
                raise SyntaxFault(f"is invalid from '{text[position:]}' on")
            kind = str(match.lastgroup)
            self.all.append((kind, match[kind]))
            position = match.end()

    @property
    def next_token(self) -> tuple[str, str]:
        """The kind and the text of the next token; two empty texts at the end."""
        return self.all[self.index] if self.index < len(self.all) else ("", "")

    def take(self, *texts: str) -> str | None:
        """If the next token is one of these texts, consume and return it, else return None."""
        kind, text = self.next_token
        if kind not in _PLAIN or text not in texts:
            return None
        self.index += 1
        return text

    def next(self, kind: str, what: str) -> str:
        """Consume and return the next token, or raise a SyntaxFault if it is of another kind."""
        found, text = self.next_token
        if found != kind:
            raise self.unexpected(f"where {what} is expected")
        self.index += 1
        return text

    def unexpected(self, where: str) -> SyntaxFault:
        """Return the error about the next token."""
        kind, text = self.next_token
        return SyntaxFault(f"has '{text}' {where}" if kind else f"ends {where}")

    def expect_end(self) -> None:
        """Raise a SyntaxFault if a token is left."""
        if self.index < len(self.all):
            raise self.unexpected("after its end")

    def conditions(self, parse_part: Callable[[], Expression], *, deepest: int) -> Expression:
        """Parse parts joined by ``and`` and, with lower precedence, ``or``.

        Parameters
        ----------
        parse_part
            Function that parses one part.
        deepest
            Largest allowed depth of nested parentheses.

        Raises
        ------
        TooDeepError
            Parentheses are nested more deeply.
        """
        self.depth += 1
        if self.depth > deepest:
            raise TooDeepError
        expression = self._joined("or", lambda: self._joined("and", parse_part))
        self.depth -= 1
        return expression

    def _joined(self, word: str, parse_part: Callable[[], Expression]) -> Expression:
        parts = [parse_part()]
        while self.take(word):
            parts.append(parse_part())
        return parts[0] if len(parts) == 1 else Call(word, tuple(parts))
