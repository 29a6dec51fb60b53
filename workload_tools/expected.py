"""Translation of error messages of Python and of libraries into plain words."""

import re

import msgspec

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""Exceptions for JSON that is damaged, is not text, is nested too deeply or has huge numbers."""

_EXPECTED = re.compile(r"Expected `([^`]*)`(?: ([<>]=? [^,\s]+))?(?:, got `[^`]*`)?")
_PLACE = re.compile(r" - at `(?:key` in `)?\$\.?([^`]*)`")
_NO_NUMBER = re.compile(r"could not convert string to float: |invalid literal for int\(\) .*?: ")
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "datetime": "a date",
}


def in_words(error: Exception) -> str:
    """Return an error's message in plain words.

    Examples
    --------
    >>> in_words(ValueError("Expected `int | null`, got `str` - at `$.jobs[3].res`"))
    'expected a whole number in jobs[3].res'
    >>> in_words(RecursionError())
    'nested too deeply'
    """
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, UnicodeError):
        return "not UTF-8 text"
    if isinstance(error, OSError):
        return error.strerror or str(error)
    if (number := _NO_NUMBER.match(str(error))) is not None:
        return f"{str(error)[number.end() :]} is not a number"
    words = _EXPECTED.sub(lambda match: f"expected {wanted(match[1], match[2])}", str(error))
    return _PLACE.sub(r" in \1", words)


def wanted(kinds: str, more: str | None) -> str:
    """Return in plain words the types and the bound that a msgspec error message names."""
    names = [one for one in kinds.split(" | ") if one != "null"]
    if "float" in names and "int" in names:
        names.remove("int")
    types = " or ".join(_KINDS.get(one, one) for one in names)
    bound, _, limit = (more or "").rpartition(" ")
    if kinds == "array" and bound:
        return "a list that is not empty"
    above = {">=": "of at least", ">": "above", "<=": "of at most", "<": "below"}.get(bound)
    return f"{types} {above} {limit}" if above else types
