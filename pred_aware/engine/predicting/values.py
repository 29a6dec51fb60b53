"""What the compiled loops of predictors read and write: arrays, made outside of them."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from predictors.rules.nearest import Points

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

LAST_END, LAST_ASKED, SUM_OF_STARTS, MEAN_RUN_TIME = range(4)
GROUP_DATES = 4
"""Places in `Groups.dates`."""
ENDED, ASKED, RUNNING, PROCESSORS, WAITING, FIRST, LAST = range(7)
GROUP_COUNTS = 7
"""Places in `Groups.counts`: how many there are, and the jobs that run since first and last."""
LEARNED, KNOWN, HISTORY, FITTED, FORGOTTEN, TARGET, WINDOW, MINIMUM, JOBS, TREES, FITS = range(11)
MODEL_COUNTS = 11
"""Places in `Models.counts`; so many jobs between two fits, 0 for none by number."""
SINCE, EVERY, BASE = range(3)
MODEL_DATES = 3
"""Places in `Models.dates`: of the last fit, seconds between two (infinite: none by date), and what
is predicted without a tree."""
SECONDS, LOG, FRACTION = range(3)
"""Targets."""
KNN = -1
"""Stands for it among the models that are asked."""
TOLD, NEXT, MODEL, ADDED, SEEN, UNUSED = range(6)
COUNTS = 6
"""Places in `Book.counts`: changes that were told, the next job to be asked for, the model whose
fit is due, the points of kNN, whether a submission was told, and how many rows are unused."""
DONE, FIT_IS_DUE, NO_ROOM, FAILED = range(4)
"""What a call ends with."""


class Told(NamedTuple):
    """What is known of jobs at their submissions; the first axis is that of the jobs."""

    fields: Floats
    """Features that are no activity; of texts numbers of their own; shape (jobs, fields)."""
    is_text: Integers
    """Shape (fields,)."""
    requested: Floats
    """What counts in means of what a user asked for; shape (jobs, means)."""
    groups: Integers
    """The user, and the user's jobs of the same size and walltime; -1 for nobody; shape (jobs, 2).
    """
    points: Floats
    """Those of kNN; shape (jobs, axes)."""


class Groups(NamedTuple):
    """What `predictors.regression.activity.Activity` keeps, of users and of their similar jobs."""

    ended: Floats
    """The last run times, the oldest first; shape (groups, last)."""
    asked: Floats
    """What was asked for last, likewise; shape (groups, last, means)."""
    means: Floats
    """Shape (groups, means)."""
    dates: Floats
    counts: Integers
    before: Integers
    after: Integers
    """The jobs of the group that started before and after a running one; shape (jobs, 2)."""


class Models(NamedTuple):
    """Trees and the windows that they are fitted to; the first axis is that of the models."""

    rows: Floats
    """Shape (models, jobs kept, columns)."""
    targets: Floats
    counts: Integers
    dates: Floats
    column: Integers
    """Shape (models, trees, nodes), as the next; the root first."""
    left: Integers
    """-1 at leaves."""
    right: Integers
    threshold: Floats
    value: Floats


class Run(NamedTuple):
    """What the simulation reads and writes, too; see `pred_aware.engine.kernel.values`."""

    submit: Floats
    processors: Integers
    walltime: Floats
    refused: Integers
    start: Floats
    ends_at: Floats
    changes: Integers
    counts: Integers
    queueing: Floats
    backfilling: Floats
    running: Floats
    longest: Floats
    """What is learned at most of how long each job ran."""


class How(NamedTuple):
    """How estimates are made of predictions."""

    combines: bool
    """Whether the geometric mean is taken, or there is one predictor alone."""
    default: float
    """The estimate in seconds where there is neither a prediction nor a walltime."""
    plans: bool
    """Whether a job without an estimate is refused."""
    queueing: bool
    """Whether these are the estimates for queueing; and so on."""
    backfilling: bool
    running: bool


class Book(NamedTuple):
    """All that is kept while a policy is simulated."""

    run: Run
    told: Told
    groups: Groups
    models: Models
    points: Points
    codes: Integers
    """What stands for a text since it was first learned, -1 before; shape (fields, texts)."""
    new: Integers
    """What stands for a text that never was; shape (fields,)."""
    places: Integers
    """Where what is told of groups stands in rows: which of both, and its place there; shape
    (columns, 2)."""
    means: Integers
    """Which of the means are wanted, by their places in rows; shape (means,)."""
    rows: Floats
    """Those of jobs that wait or run, as they were at their submissions; shape (rows, columns)."""
    row_of: Integers
    """Which of them each job has; shape (jobs,)."""
    unused: Integers
    """Those that nobody has; shape (rows,)."""
    activity: Floats
    """Room for the numbers of both groups; shape (2, numbers)."""
    asked: Integers
    """The models that are asked, in their order; shape (asked,)."""
    known_users: Integers
    """Of which users kNN has learned a job."""
    knn: Floats
    """Its `alpha`, `beta`, `epsilon` and the largest distance that is near."""
    counts: Integers
