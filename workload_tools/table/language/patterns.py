"""Regular expressions of a map, of which none takes long."""

import re

_REPEAT = re.compile(r"[*+]|\{[0-9]*(?:,[0-9]*)?\}")
_VARIES = re.compile(r"[*+?|]|\{[0-9]*,[0-9]*\}")
_PARTS = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]])*\]"  # an escaped sign, a class of signs
    r"|\(\?[:=!]|\(\?P?<[^>]*>|\(\?."  # a group of some kind
    rf"|{_REPEAT.pattern}|.",
    re.DOTALL,
)
_REFUSED = re.compile(r"\\[1-9]|\(\?(?!:|P<|[ims])")


class PatternError(ValueError):
    """A text is no pattern, or none for cells; the message says why."""


def pattern_of(text: str) -> re.Pattern[str]:
    """Return a pattern whose one group is what it finds.

    What could take for ever on some cell is refused: what is repeated and has repeats or
    alternatives in it, references to what was found, and looking around.

    Raises
    ------
    PatternError
        It is none, has not one group, or could take too long.

    Examples
    --------
    >>> pattern_of(r"^([0-9]+)_").search("12_3")[1]
    '12'
    """
    try:
        pattern = re.compile(text, re.ASCII)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"is no pattern: {error}") from None
    if pattern.groups != 1:
        raise PatternError(f"has {pattern.groups} pairs of parentheses; it must have one")
    _refuse_slow(text)
    return pattern


def _refuse_slow(text: str) -> None:
    """Refuse what is repeated and may be read in more than one way each time."""
    varies = [False]
    closed = False
    for part in _PARTS.findall(text):
        if _REFUSED.match(part):
            raise PatternError(f"has '{part}', with which a pattern may take too long")
        if closed and _REPEAT.fullmatch(part):
            raise PatternError(
                "repeats what has repeats or '|' in it, which may take too long; "
                "repeat single signs, such as [a-z0-9,]*"
            )
        varies[-1] |= _VARIES.fullmatch(part) is not None
        closed = False
        if part.startswith("("):
            varies.append(False)
        elif part == ")":
            closed = varies.pop()
            varies[-1] |= closed
