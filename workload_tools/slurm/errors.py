"""Errors in single records, which are counted and not fatal."""

LEFT_OUT = "{} not understood: left out"
"""Reason for a record with an invalid optional field."""


class UnreadableError(ValueError):
    """A record has an invalid field.

    Parameters
    ----------
    field
        The field's name in `sacct`. Records with the same name are counted together.
    text
        The field's text.
    """

    def __init__(self, field: str, text: object) -> None:
        super().__init__(f"unreadable {field}")
        self.field = field
        self.text = str(text)
