"""The machine of a few lines that plays jobs to a policy; see `schedulers.contract.playing`."""

from schedulers.contract.playing import Played, Spec, job, play

__all__ = ["Played", "Spec", "job", "play"]
