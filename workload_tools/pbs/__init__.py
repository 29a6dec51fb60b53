"""Accounting logs of PBS Professional, OpenPBS and Torque."""

from workload_tools.pbs.log import PbsLog

__all__ = ["PbsLog"]
