"""The schedulers as pybatsim classes."""
