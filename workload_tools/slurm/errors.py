"""Faults that make a single record useless; they are counted and not fatal."""


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
        self.text = str(text)
