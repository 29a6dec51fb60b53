"""Batsim's workloads: reading and writing."""
