"""A finding of a check: the subject, the result, and the advice."""

from typing import Literal

import msgspec

State = Literal["ok", "note", "absent", "wrong", "unknown"]


class Finding(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The result of one check."""

    state: State
    """``ok``; ``note``: it works, with a remark; ``absent``: it is missing; ``wrong``: it does not
    work; ``unknown``: it could not be checked."""
    subject: str
    """What was checked."""
    found: str
    """What was found, in a few words."""
    advice: str = ""
    """What the user should do; empty if nothing."""
    needed: bool = True
    """Whether the subject is required. If so, the state must be ``ok`` or ``note``."""

    @property
    def must_be_mended(self) -> bool:
        """Whether the subject is required, but does not work or could not be checked."""
        return self.needed and self.state in ("absent", "wrong", "unknown")
