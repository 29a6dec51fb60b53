"""The demo's synthetic log, and the model that generates it."""

from typing import TYPE_CHECKING

from predictors.on_demand import on_demand

if TYPE_CHECKING:
    from pred_aware.demo.log_model import LogModel, model_log

__all__ = ["LogModel", "model_log"]

__getattr__ = on_demand(__name__)
