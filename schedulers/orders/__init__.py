"""Orders of the queue."""

from schedulers.orders.order import Order
from schedulers.orders.registry import ORDERS

__all__ = ["ORDERS", "Order"]
