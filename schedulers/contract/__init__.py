"""The contract that every policy must keep. ``python -m schedulers.contract`` checks a policy."""

from schedulers.contract.checks import CHECKS, Check, Make, check_policy
from schedulers.contract.playing import ContractError, Played, Spec, play

__all__ = ["CHECKS", "Check", "ContractError", "Make", "Played", "Spec", "check_policy", "play"]
