"""Errors in single records. The report counts such records, and reading continues."""

LEFT_OUT = "{} not understood: left out"
"""Text under which the report counts records with an invalid optional field."""


class UnreadableError(ValueError):
    """A record has an invalid field.

    Parameters
    ----------
    field
        The field's name in `sacct`. The report counts invalid records by field.
    text
        The field's text.
    """

    def __init__(self, field: str, text: object) -> None:
        super().__init__(f"unreadable {field}")
        self.field = field
        self.text = str(text)
