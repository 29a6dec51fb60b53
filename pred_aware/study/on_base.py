"""The answer of a study where the simulated queue is not simply the recorded one."""

from typing import TYPE_CHECKING

from pred_aware.recorded_queue.answer import HARDLY
from pred_aware.recorded_queue.trust import ERROR_BAR
from pred_aware.report.interval_format import duration_within

if TYPE_CHECKING:
    from pred_aware.effects.effect import Effect
    from pred_aware.study.base import Base

JUDGED = frozenset({"shorter", "longer", "others"})
"""The answers to whether the baseline is the recorded queue after which the base decides what is
told."""


def on_base(base: "Base", wait: "Effect", *, under: str = "") -> str | None:
    """Return what may be told of a site, in one sentence; ``None`` for all that was found.

    Parameters
    ----------
    base
        How far the simulated queue is the recorded one.
    wait
        What was found of the mean wait.
    under
        The batch system's scheduler that was simulated, as it is configured; empty for EASY.
    """
    if base.verdict != "none":
        return _too_small(wait) if _is_small(wait) else None
    return not_claimed(base, _simulated(wait, under))


def not_claimed(base: "Base", beside: str) -> str:
    """Say that no change can be claimed, why, and something beside it."""
    held = (
        "" if base.held is None else f"{100 * base.held:.0f} % of its waiting had free processors; "
    )
    return f"No change can be claimed for this site: {held}{beside}."


def within_error(base: "Base | None", answer: str, wait: "Effect") -> bool:
    """Say whether a change is smaller than the error of the simulated queue."""
    if base is None or base.verdict == "none" or answer not in JUDGED:
        return False
    return _is_small(wait)


def _is_small(wait: "Effect") -> bool:
    return wait.change.value is None or abs(100.0 * wait.change.value) < ERROR_BAR


def _too_small(wait: "Effect") -> str:
    """Say that the direction of so small a change is unknown."""
    return (
        "The change is too small to tell, since the simulated queue is this site's only to within "
        f"some {ERROR_BAR:.0f} points; with predictions a job waits "
        f"{duration_within(wait.value)} on average instead of {duration_within(wait.baseline)}."
    )


def _simulated(wait: "Effect", under: str) -> str:
    """Say what was simulated, in no hours, for they are not the site's."""
    where = "in the simulation" if under else "on an undivided machine without its rules"
    change = wait.change.value
    if max(wait.baseline.value or 0.0, wait.value.value or 0.0) < HARDLY or change is None:
        return f"{where} hardly a job would wait"
    if wait.change.significant is not None and not wait.significant_sign:
        told = "not change the mean wait significantly"
    elif round(100 * change) == 0:
        told = "not change the mean wait noticeably"
    else:
        word = "shorten" if change < 0.0 else "lengthen"
        told = f"{word} the mean wait by {100 * abs(change):.0f} %"
    if wait.change.significant is None:
        told += " in one run of each"
    return f"{where} predictions would {told}"
