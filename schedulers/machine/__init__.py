"""Machines: the room that jobs have beside each other, and the processors that they get."""
