"""The policies as pybatsim schedulers."""
