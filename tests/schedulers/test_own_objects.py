"""Parts given by their class or as objects, as scripts and notebooks do."""

import pytest

from pred_aware import Workload, simulate
from predictors import OptionError
from predictors.rules.knn import Knn
from predictors.rules.past_runs import LastTwo
from schedulers import Execute, Job, Policy, Request, make_policy
from schedulers.core.backfilling import Backfilling
from schedulers.core.corrections import Doubling
from schedulers.core.counting import Counting as CountedMachine
from schedulers.core.orders import Sjf
from schedulers.errors import UnknownNameError
from tests.suites import each_case
from workload_tools.batsim.decisions import Reject


class Counting:
    """Sorts jobs by the order of the requests for their keys."""

    changes = False

    def __init__(self) -> None:
        self.asked = 0

    def key(self, job: Job, now: float) -> float:
        self.asked += 1
        return self.asked


class LastFirst(Backfilling):
    """Starts the job at the end of the queue; it has no options and no `__init__`."""

    def choose(self, queue: list[Job], plan: object, now: float) -> list[Job]:
        return [queue.pop()] if queue and self.machine.take(queue[-1]) else []


def starts(policy: Policy) -> list[str]:
    policy.begin(4)
    jobs = [Job(f"w0!{number}", 0.0, 4, 10.0 * number) for number in (3, 1, 2)]
    order, running = [], []
    for now in range(4):
        request = Request(float(now), running, jobs if now == 0 else [])
        running = [one.job_id for one in policy.decide(request) if isinstance(one, Execute)]
        order += running
    return order


@each_case("order", ["sjf", Sjf, Sjf(), {"name": "sjf"}, {"name": Sjf}])
def test_an_order_is_given_by_name_class_or_object(order: object) -> None:
    assert starts(make_policy("policy", {"order": order})) == ["w0!1", "w0!2", "w0!3"]


def test_a_backfilling_needs_no_constructor() -> None:
    assert starts(make_policy("policy", {"backfilling": LastFirst})) == ["w0!2", "w0!1", "w0!3"]


def test_a_given_object_is_not_changed() -> None:
    order = Counting()
    assert starts(make_policy("policy", {"order": order, "backfilling": "none"}))
    assert order.asked == 0


@each_case("predictor", [LastTwo, LastTwo(), Knn(k=3), {"name": Knn, "k": 3}])
def test_predictors_and_corrections_can_be_classes_or_objects(predictor: object) -> None:
    policy = make_policy("easy", {"predictor": predictor, "correction": Doubling()})
    assert starts(policy) == ["w0!3", "w0!1", "w0!2"]


def test_a_policy_can_be_an_object_or_a_class() -> None:
    class Mine:
        needs_fields = False
        journal = None

        def __init__(self, last: int = 0) -> None:
            self.last = last

        def begin(self, processors: int) -> None:
            self.last = processors - 1

        def decide(self, request: Request) -> list[Execute]:
            return [
                Execute(request.now, job.id, ((0, self.last),))
                for job in request.submitted
                if job.processors > self.last
            ]

    given = Mine()
    assert starts(make_policy(given)) == starts(make_policy(Mine, {"last": 2}))  # type: ignore[arg-type]
    assert given.last == 0


@each_case(
    ("options", "message"),
    [
        ({"order": 5}, "give the order as its name"),
        ({"order": object()}, "order 'builtins:object' has no `key`"),
        ({"predictor": Sjf()}, "predictor 'schedulers.core.orders:Sjf' has no `predict`"),
        ({"order": {"name": Sjf, "size": 3}}, "order 'schedulers.core.orders:Sjf' has no option"),
    ],
)
def test_an_invalid_part_gives_one_clear_error(options: dict[str, object], message: str) -> None:
    with pytest.raises((OptionError, UnknownNameError), match=message):
        make_policy("policy", options)


class Refuses:
    """Rejects each job, and does not say why."""

    needs_fields = False
    journal = None

    def begin(self, processors: int) -> None:
        pass

    def decide(self, request: Request) -> list[Reject]:
        return [Reject(request.now, job.id) for job in request.submitted]


class HasNone(CountedMachine):
    """A machine that refuses each job with an empty text."""

    def refusal(self, job: Job) -> str | None:
        return ""


def test_a_rejection_without_a_reason_is_reported_as_such() -> None:
    workload = Workload.of(
        {
            "nb_res": 2,
            "jobs": [{"id": 1, "subtime": 0, "res": 1, "profile": "d", "walltime": 9}],
            "profiles": {"d": {"type": "delay", "delay": 5}},
        }
    )
    for run in (simulate(workload, Refuses), simulate(workload, "easy", machine=HasNone())):
        assert run.rejections == {"got no reason from the scheduler": 1}
