"""Readers of Slurm's accounting, in the output formats of `sacct`."""

from workload_tools.slurm.log import SlurmLog

__all__ = ["SlurmLog"]
