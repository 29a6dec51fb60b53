"""In which order jobs wait."""

from predictors import Registry
from schedulers.orders.order import Order

ORDERS = Registry("pred_aware.orders", "order")

__all__ = ["ORDERS", "Order"]
