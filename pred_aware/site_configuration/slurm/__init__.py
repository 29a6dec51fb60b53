"""Slurm's configuration, from its files and commands."""
