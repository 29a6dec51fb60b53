"""The loops that numba compiles: plain functions of arrays, which allocate nothing."""
