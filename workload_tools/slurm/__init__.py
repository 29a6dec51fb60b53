"""Slurm's accounting, as `sacct` prints it."""

from workload_tools.slurm.log import SlurmLog

__all__ = ["SlurmLog"]
