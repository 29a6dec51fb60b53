"""A finding: what was looked at, what was found, and what to do about it."""

from typing import Literal

import msgspec

State = Literal["ok", "note", "absent", "wrong", "unknown"]


class Finding(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What was found about one thing."""

    state: State
    """``ok``; ``note``: it works, but there is something to know; ``absent``: it is not there;
    ``wrong``: it does not work; ``unknown``: it could not be looked at."""
    subject: str
    """What was looked at."""
    found: str
    """What was found, in a few words."""
    advice: str = ""
    """What to do about it."""
    needed: bool = True
    """Whether it is needed: what is needed must be ``ok``, or worth a ``note``."""

    @property
    def must_be_mended(self) -> bool:
        """Whether what is needed does not work, or may not."""
        return self.needed and self.state in ("absent", "wrong", "unknown")
