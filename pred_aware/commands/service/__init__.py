"""The commands under `service`: predictions in production."""

from pred_aware.commands.options.groups import adding_group
from pred_aware.commands.service import pbs, serve, shadow, store

register = adding_group(
    "service",
    "Rehearse on a log, install, run and check the prediction service.",
    *(module.register for module in (shadow, store, serve, pbs)),
)
