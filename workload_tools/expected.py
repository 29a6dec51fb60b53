"""What msgspec expects of a value, in words."""

import re

_EXPECTED = re.compile(r"Expected `([^`]*)`(?: ([<>]=? [^,\s]+))?(?:, got `[^`]*`)?")
_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "datetime": "a date",
}


def in_words(message: str) -> str:
    """Return a message of msgspec with its types in words.

    Examples
    --------
    >>> in_words("Expected `int | null`, got `str` in res"), in_words("Expected `float` >= 0.0")
    ('expected a whole number in res', 'expected a number of at least 0.0')
    """
    return _EXPECTED.sub(lambda match: f"expected {wanted(match[1], match[2])}", message)


def wanted(kinds: str, more: str | None) -> str:
    """Return what msgspec expects in words."""
    names = [one for one in kinds.split(" | ") if one != "null"]
    if "float" in names and "int" in names:
        names.remove("int")
    told = " or ".join(_KINDS.get(one, one) for one in names)
    bound, _, limit = (more or "").rpartition(" ")
    if kinds == "array" and bound:
        return "a list that is not empty"
    above = {">=": "of at least", ">": "above", "<=": "of at most", "<": "below"}.get(bound)
    return f"{told} {above} {limit}" if above else told
