"""Slurm's configuration, as its files and commands tell it."""
