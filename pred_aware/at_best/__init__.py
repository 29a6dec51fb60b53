"""What no schedule of the same jobs can beat."""
