"""The commands under `site`: the nodes and rules of a machine."""

from pred_aware.commands.options.groups import adding_group
from pred_aware.commands.site import files, infer, machine, snapshot

register = adding_group(
    "site",
    "Save the configuration of Slurm or PBS, and make, infer, show or check a site file. A site "
    "file states nodes, limits, start windows and downtime.",
    *(module.register for module in (snapshot, infer, files, machine)),
)
