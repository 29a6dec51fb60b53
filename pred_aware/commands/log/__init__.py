"""The commands under `log`, which fetch, describe and generate job logs."""

from pred_aware.commands.log import fetch, infer, maps, model, raps, sacct_command
from pred_aware.commands.options.groups import adding_group

register = adding_group(
    "log",
    "Fetch a public log, print the sacct command, write a column map, or derive a log.",
    *(module.register for module in (fetch, sacct_command, maps, infer, model, raps)),
)
