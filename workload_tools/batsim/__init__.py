"""Batsim's workloads, in and out."""
