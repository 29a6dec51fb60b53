"""Errors in recipes."""

from workload_tools.errors import InputError


class RecipeError(InputError):
    """A recipe that can't be understood, or that does not suit the log."""

    def __init__(self, recipe: str, message: str) -> None:
        super().__init__(f"--clean '{recipe}'", message)
