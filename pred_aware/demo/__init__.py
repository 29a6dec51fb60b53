"""The demo, and its model of a log."""
