"""What is known about a user's recent jobs at a submission, as numbers (paper 001, part 1)."""

from bisect import bisect_right, insort
from collections.abc import Callable, Hashable, Sequence
from operator import attrgetter, itemgetter
from typing import TypeAlias

from predictors.estimate import in_turn
from predictors.regression.encoding import MISSING as UNKNOWN
from predictors.regression.encoding import known_number
from predictors.submission import Submission

ACTIVITY = (
    "last_run_time_1", "last_run_time_2", "last_run_time_3", "mean_run_time", "since_last_end",
    "mean_processors", "mean_walltime", "mean_memory", "mean_nodes", "mean_gpus",
    "since_last_submission",
    "running_jobs", "running_processors", "longest_running", "sum_running",
    "waiting_jobs",
)  # fmt: skip
_THE_SAME_OF_ALL = ("mean_processors", "mean_walltime", "running_processors")
SIMILAR = tuple(f"similar_{name}" for name in ACTIVITY if name not in _THE_SAME_OF_ALL)
"""Names of the numbers in `ACTIVITY`, computed only from the user's jobs of the same size and
walltime. Numbers that are the same for all jobs of one size and walltime, or follow from other
numbers, are left out."""
LATELY = 10

_MEANS = ("mean_processors", "mean_walltime", "mean_memory", "mean_nodes", "mean_gpus")
"""Names of the means of requests, in the order in which `Activity` stores a request's numbers."""

Values: TypeAlias = tuple[float, ...]

_NOTHING_ENDED: Values = (UNKNOWN,) * 5
_NO_MEANS: Values = (UNKNOWN,) * 5
_NOT_TOLD: Values = (UNKNOWN,) * 5
_IDLE: Values = (0.0,) * 5


def similar(submission: Submission) -> Hashable | None:
    """Return a job's user, processors and walltime, or ``None`` if the job has no user.

    Examples
    --------
    >>> similar(Submission(id="7", submit_time=0.0, processors=4, walltime=60.0, user="ann"))
    ('ann', 4, 60.0)
    """
    user = submission.user
    return None if user is None else (user, submission.processors, submission.walltime)


_USER: Callable[[Submission], Hashable | None] = attrgetter("user")


class _User:
    """The recent jobs of one user."""

    def __init__(self) -> None:
        # (end, run time) and (submission date, request) of the last jobs, sorted by date
        self.ended: list[tuple[float, float]] = []
        self.requests: list[tuple[float, Values]] = []
        # the means over `requests`; UNKNOWN for a mean that no feature uses
        self.means = _NO_MEANS
        # start and processors by job id, in the order of the starts
        self.running: dict[str, tuple[float, int]] = {}
        self.sum_of_starts = 0.0
        self.processors = 0
        self.waiting = 0


class Activity:
    """Keeps each user's last jobs, and computes numbers about the user of a job.

    A job's numbers are computed at its submission and stay the same until the job ends. Later
    predictions of the job, and learning from the job, use these numbers. The numbers do not include
    the job itself. They include the run time of another job only after this job has ended.

    If the caller never reports submissions and starts (past jobs of a file, or a site's hook that
    only predicts and learns), the numbers of running and waiting jobs are unknown. The other
    numbers then come from ended jobs. When such a job is learned, its numbers use the user's last
    ten ended jobs, without jobs that ended after its submission.

    `names` has the names of the numbers to compute, from `ACTIVITY`. An unknown number is -1.

    - ``last_run_time_1``, ``_2``, ``_3``: run times of the user's last three ended jobs; s
    - ``mean_run_time``: mean run time of the user's last ten ended jobs; s
    - ``since_last_end``: time since the user's last job end; s
    - ``mean_processors``, ``mean_walltime``, ``mean_memory``, ``mean_nodes``, ``mean_gpus``: mean
      of the known requests among the user's last ten submissions
    - ``since_last_submission``: time since the user's last submission; s
    - ``running_jobs``, ``running_processors``: the user's running jobs and their processors
    - ``longest_running``, ``sum_running``: the longest and the summed elapsed run time of the
      user's running jobs; s
    - ``waiting_jobs``: number of the user's waiting jobs

    `of` returns the group of a job, whose jobs are used for the numbers; ``None`` if the job has no
    group. By default, the group is the user. `similar` forms groups by user, size and walltime.

    Examples
    --------
    >>> activity = Activity(["last_run_time_1", "running_jobs", "waiting_jobs"])
    >>> ann = [Submission(id=f"{n}", submit_time=0.0, processors=4, user="ann") for n in range(3)]
    >>> for job in ann:
    ...     activity.submitted(job, 0.0)
    >>> activity.started(ann[0], 0.0)
    >>> activity.started(ann[1], 0.0)
    >>> activity.ended(ann[0], 60.0, 60.0)
    (-1.0, -1.0, -1.0)
    >>> activity.values(Submission(id="7", submit_time=70.0, processors=4, user="ann"), 70.0)
    (60.0, 1, 1)
    """

    def __init__(
        self,
        names: Sequence[str],
        *,
        of: Callable[[Submission], Hashable | None] = _USER,
    ) -> None:
        places = [ACTIVITY.index(name) for name in names]
        # itemgetter returns a tuple for several indices, but a single value for one index
        first = places[0] if places else 0
        self._pick = (
            itemgetter(*places)
            if len(places) > 1
            else itemgetter(slice(first, first + len(places)))
        )
        self._of_job = of
        # the indices in _MEANS of the means in `names`
        self._means = tuple(
            place for place, name in enumerate(_MEANS) if ACTIVITY.index(name) in places
        )
        self._users: dict[Hashable, _User] = {}
        # the numbers of each job that was submitted and has not ended, by job id
        self._pending: dict[str, Values] = {}
        self._has_submissions = False
        # the last result of `values`; `submitted` reuses it for the same job and date
        self._last_request: tuple[Submission, float, Values] | None = None

    def values(self, submission: Submission, now: float) -> Values:
        """Return the numbers kept at the job's submission, or else the current numbers."""
        pending = self._pending.get(submission.id)
        if pending is not None:
            return pending
        last = self._last_request
        if last is not None and last[0] is submission and last[1] == now:
            return last[2]
        values: Values = self._pick(self._everything(submission, now, self._has_submissions))
        self._last_request = (submission, now, values)
        return values

    def submitted(self, submission: Submission, now: float) -> None:
        """Keep a job's numbers, and count the job as waiting."""
        self._pending[submission.id] = self.values(submission, now)
        self._last_request = None
        self._has_submissions = True
        name = self._of_job(submission)
        if name is not None:
            user = self._activity_of(name)
            user.waiting += 1
            self._note_request(user, submission, now)

    def started(self, submission: Submission, now: float) -> None:
        """Count a job as running, unless its submission was not reported."""
        name = self._of_job(submission)
        if submission.id not in self._pending or name is None:
            return
        self._last_request = None
        user = self._activity_of(name)
        user.waiting -= 1
        user.running[submission.id] = (now, submission.processors)
        user.sum_of_starts += now
        user.processors += submission.processors

    def withdrawn(self, submission: Submission, now: float) -> None:
        """Forget a job that will not run."""
        name = self._of_job(submission)
        if self._pending.pop(submission.id, None) is not None and name is not None:
            self._last_request = None
            _leave(self._activity_of(name), submission.id)

    def ended(self, submission: Submission, run_time: float, now: float) -> Values:
        """Record a job's end, and return the numbers that the job had at its submission."""
        values = self._pending.pop(submission.id, None)
        was_told = values is not None
        if values is None:
            date = min(submission.submit_time, now)
            values = self._pick(self._everything(submission, date, False))
        self._last_request = None
        name = self._of_job(submission)
        if name is None:
            return values
        user = self._activity_of(name)
        if not was_told:
            self._note_request(user, submission, submission.submit_time)
        else:
            _leave(user, submission.id)
        ended = user.ended
        if ended and ended[-1][0] > now:
            insort(ended, (now, run_time), key=_date)
        else:
            ended.append((now, run_time))
        if len(ended) > LATELY:
            del ended[:-LATELY]
        return values

    def _activity_of(self, name: Hashable) -> _User:
        user = self._users.get(name)
        if user is None:
            user = self._users[name] = _User()
        return user

    def _note_request(self, user: _User, submission: Submission, date: float) -> None:
        requests = user.requests
        numbers: Values = ()
        if self._means:
            of_all = (
                submission.processors,
                submission.walltime,
                submission.memory,
                submission.nodes,
                submission.gpus,
            )
            numbers = tuple([known_number(of_all[place]) for place in self._means])
        if requests and requests[-1][0] > date:
            insort(requests, (date, numbers), key=_date)
        else:
            requests.append((date, numbers))
        if len(requests) > LATELY:
            del requests[:-LATELY]
        if self._means:
            user.means = self._means_of(requests)

    def _means_of(self, requests: Sequence[tuple[float, Values]]) -> Values:
        """Return the means that features use, and UNKNOWN for the other means."""
        if not requests or not self._means:
            return _NO_MEANS
        means = [UNKNOWN] * len(_MEANS)
        for column, place in enumerate(self._means):
            known = [number for _, numbers in requests if (number := numbers[column]) != UNKNOWN]
            if known:
                means[place] = in_turn(known) / len(known)
        return tuple(means)

    def _mean_request(self, user: _User, date: float) -> Values:
        requests, means = user.requests, user.means
        if requests and requests[-1][0] > date:
            requests = requests[: bisect_right(requests, date, key=_date)]
            means = self._means_of(requests)
        since = date - requests[-1][0] if requests else UNKNOWN
        return (*means, since)

    def _everything(self, submission: Submission, date: float, with_jobs: bool) -> Values:  # noqa: FBT001
        name = self._of_job(submission)
        if name is None:
            return _NOTHING_ENDED + _NO_MEANS + (UNKNOWN,) + _NOT_TOLD
        user = self._users.get(name)
        if user is None:
            return _NOTHING_ENDED + _NO_MEANS + (UNKNOWN,) + (_IDLE if with_jobs else _NOT_TOLD)
        return (
            _of_ended(user.ended, date)
            + self._mean_request(user, date)
            + (_of_running(user, date) if with_jobs else _NOT_TOLD)
        )


def _leave(user: _User, job: str) -> None:
    """Remove a job from the user's running or waiting jobs."""
    if job not in user.running:
        user.waiting -= 1
        return
    start, processors = user.running.pop(job)
    user.processors -= processors
    # sums of floats accumulate rounding errors, so the sum restarts at 0 if no job runs
    user.sum_of_starts = user.sum_of_starts - start if user.running else 0.0


def _date(dated: tuple[float, object]) -> float:
    return dated[0]


def _of_ended(ended: list[tuple[float, float]], date: float) -> Values:
    if ended and ended[-1][0] > date:
        ended = ended[: bisect_right(ended, date, key=_date)]
    if not ended:
        return _NOTHING_ENDED
    number = len(ended)
    last_end, last = ended[-1]
    second = ended[-2][1] if number > 1 else UNKNOWN
    third = ended[-3][1] if number > 2 else UNKNOWN  # noqa: PLR2004 - the third from the end
    mean = in_turn([run_time for _, run_time in ended]) / number
    return (last, second, third, mean, date - last_end)


def _of_running(user: _User, date: float) -> Values:
    running = user.running
    if not running:
        return (0.0, 0.0, 0.0, 0.0, user.waiting)
    # the dict has the jobs in the order of their starts
    earliest = next(iter(running.values()))[0]
    number = len(running)
    longest = date - earliest
    return (number, user.processors, longest, number * date - user.sum_of_starts, user.waiting)
