"""Faults of a single record; they are counted and not fatal."""

LEFT_OUT = "{} not understood: left out"
"""What is repaired of a record whose optional field cannot be read, as in PBS logs."""


class UnreadableError(ValueError):
    """A record has a field that can't be understood.

    Parameters
    ----------
    field
        The field's name, as `sacct` has it; the same for all records that are counted together.
    text
        What stands there.
    """

    def __init__(self, field: str, text: object) -> None:
        super().__init__(f"unreadable {field}")
        self.field = field
        self.text = str(text)
