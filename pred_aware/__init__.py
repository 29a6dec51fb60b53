"""Find out, on your own job log, what run time prediction would change."""

__all__ = ["__version__"]

__version__ = "0.1.0"
