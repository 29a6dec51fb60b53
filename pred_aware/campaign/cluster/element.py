"""An element of a job array: makes its share of a campaign's runs, and ends.

``python -P -m pred_aware.campaign.cluster.element FOLDER ELEMENT``; it prints nothing where all is
well. What is there already it leaves alone, so that it may be killed and begun again.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from pred_aware.campaign.agenda import OpenRuns
from pred_aware.campaign.cluster.orders import add_to_path, read_order
from pred_aware.campaign.cluster.shares import check_tasks, read_share
from pred_aware.campaign.inventory import Inventory
from pred_aware.campaign.making.dispatch import Progress, Runner
from pred_aware.campaign.making.workers import Workers
from pred_aware.campaign.messages import Figures, Task
from pred_aware.campaign.run_key import RunKey
from pred_aware.errors import USER_ERRORS
from pred_aware.report.lines import say
from pred_aware.signals import Terminated, heed_signals

ERROR = 2


class Share:
    """The runs of an element: no more are wanted, whatever comes out.

    Parameters
    ----------
    tasks
        They.

    Attributes
    ----------
    open
        Those that are to be made.
    """

    def __init__(self, tasks: Sequence[Task]) -> None:
        self.open = OpenRuns(task.run for task in tasks)

    def note(self, place: RunKey, figures: Figures) -> None:
        """Take in a run that is there now."""

    def fail(self, place: RunKey) -> None:
        """Take in a run that could not be made."""


def make_share(folder: Path, element: int) -> Progress:
    """Make the share of an element.

    Parameters
    ----------
    folder
        Of the array, in the store.
    element
        Its number, from 0 on.

    Raises
    ------
    PredAwareError
        The folder can't be read here, this is another version of pred-aware, logs or policies are
        not those any more that were submitted, or the store can't be written.
    """
    order = read_order(folder)
    add_to_path(order)
    tasks = read_share(folder, order.shares or [], element)
    inventory = Inventory(order.campaign)
    check_tasks(inventory, tasks)
    team = Workers.of(order.campaign, order.cores)
    return Runner(inventory, Share(tasks), Progress()).run(team)


def main() -> int:
    """Make the share that the command line names; return the exit code."""
    # the batch system ends the workers, too
    heed_signals()
    folder, element = Path(sys.argv[1]), sys.argv[2]
    try:
        done = make_share(folder, int(element))
    except USER_ERRORS as error:
        say(f"pred-aware: element {element}: {error}", error=True)
        return ERROR
    except Terminated as signalled:
        return signalled.code
    for name, reason in done.failed:
        say(f"pred-aware: element {element}: failed: {name}: {reason}", error=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
