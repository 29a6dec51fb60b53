"""The registry of orders, and the orders that are not in the core."""

from predictors import Registry
from schedulers.core.orders import Order

ORDERS = Registry("pred_aware.orders", "order")

__all__ = ["ORDERS", "Order"]
