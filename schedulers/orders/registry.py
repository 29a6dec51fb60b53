"""The orders by name."""

from predictors import Registry

ORDERS = Registry("pred_aware.orders", "order")
