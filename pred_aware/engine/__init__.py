"""Simulations in arrays, compiled: the same results as those of the Python parts, sooner.

The Python parts are the definition, as of the accelerated modules of CPython (PEP 399): what the
engine covers (`coverage`) it computes to the last bit, and all else runs as it is. It needs numba,
of the extra `fast`, and nothing imports that before the engine is worth its start (`loading`).
"""
