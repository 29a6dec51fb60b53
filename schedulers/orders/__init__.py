"""Orders of the queue."""

from schedulers.orders.order import ORDERS, Order

__all__ = ["ORDERS", "Order"]
