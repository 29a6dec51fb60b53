"""In which order jobs wait."""

from schedulers.orders.order import Order
from schedulers.orders.registry import ORDERS

__all__ = ["ORDERS", "Order"]
