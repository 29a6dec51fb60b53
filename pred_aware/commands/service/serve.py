"""The commands `service serve` and `service health`: run the prediction service, and check it."""

import logging
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from pred_aware.commands.options.groups import adding, argument, flag, option
from pred_aware.commands.options.output import JsonOption, QuietOption
from pred_aware.errors import PredAwareError
from pred_aware.report.clock import in_utc
from pred_aware.report.lines import say

if TYPE_CHECKING:
    from pred_aware.production.feed import Feed
    from pred_aware.production.monitoring import Healthy

SocketArgument: TypeAlias = Annotated[Path, argument("SOCKET", "The service's socket.")]


def serve(  # noqa: PLR0913 - each is an option of the command
    *,
    store: Annotated[str, option("STORE", "The store: a file, or postgresql://user@host/name.")],
    socket: Annotated[
        Path, option("SOCKET", "The socket's path. Only the owner may open it (see --group).")
    ],
    predictor: Annotated[
        str,
        option("PREDICTOR", "Predictor: a name, module:Class, or JSON with name and options."),
    ],
    pbs_accounting: Annotated[
        Path | None,
        option("FOLDER", "Read ended jobs from a PBS server's accounting files as they grow."),
    ] = None,
    sacct: Annotated[
        str | None,
        option("PROGRAM", "Read ended jobs from Slurm every 45 s with this sacct program."),
    ] = None,
    cluster: Annotated[
        str | None, option("NAME", "With --sacct: the cluster, if it is not this machine's.")
    ] = None,
    group: Annotated[
        str | None,
        option(
            "NAME", "Members of this group may also open the socket, such as SlurmUser's group."
        ),
    ] = None,
    port: Annotated[
        int | None,
        option(
            "PORT",
            "Also answer requests for estimates and health on this port of 127.0.0.1.",
            min=1,
            max=65535,
        ),
    ] = None,
    deadline: Annotated[
        float, option("SECONDS", "Time limit for each estimate.", min=0.001, max=60.0)
    ] = 0.1,
    output: QuietOption,
) -> None:
    """Run the prediction service at a Unix socket.

    The service first learns the jobs of the store, then the jobs that end while it runs. It answers
    each request within the deadline, with an estimate or with the reason why there is none. SIGTERM
    ends the service after the pending requests. SIGHUP makes the service learn the store again;
    meanwhile it continues to answer.

    For example:

        pred-aware service serve --store jobs.db --socket /run/pred-aware/socket --predictor pbs_v3

        pred-aware service serve --store jobs.db --socket ./socket --predictor '{"name": "knn", "k": 9}'
    """  # noqa: E501 - an example is one line
    import asyncio
    import time

    from pred_aware.production.errors import require_service

    require_service()
    from pred_aware.production.learner import predictor_of
    from pred_aware.production.pbs_feed import PbsFeed
    from pred_aware.production.service import Service, run
    from pred_aware.production.slurm_feed import SlurmFeed
    from pred_aware.production.sockets import listen_on, listening_at, tell_systemd
    from pred_aware.production.store import JobDatabase

    make = predictor_of(predictor)
    if pbs_accounting is not None and not pbs_accounting.is_dir():
        raise PredAwareError(f"--pbs-accounting {pbs_accounting} is not a folder")
    if cluster is not None and sacct is None:
        raise PredAwareError("--cluster is only for Slurm: also give --sacct")
    if pbs_accounting is not None and sacct is not None:
        raise PredAwareError("give either --pbs-accounting or --sacct, not both")
    if not socket.parent.is_dir():
        raise PredAwareError(
            f"cannot create the socket {socket}: the folder {socket.parent} does not exist"
        )
    feed: Feed | None = None
    if pbs_accounting is not None:
        feed = PbsFeed(pbs_accounting)
    elif sacct is not None:
        feed = SlurmFeed(_program(sacct), cluster=cluster, now=time.time)

    def ready() -> None:
        tell_systemd("READY=1")
        learned = service.health()["learned"]
        output.print_lines([f"listening at {socket}; {learned:,} jobs learned"])

    _log_to_standard_error(quiet=output.quiet)
    with JobDatabase(store) as opened:
        if feed is not None:
            opened.claim(feed.name)
        service = Service(opened, make, deadline=deadline)
        with listening_at(socket, group) as listening:
            others = [] if port is None else [listen_on(port)]
            running = run(service, trusted=[listening], others=others, feed=feed, ready=ready)
            asyncio.run(running)


class _Lines(logging.Handler):
    """Write the service's log messages, one per line; systemd's journal adds the dates."""

    def emit(self, record: logging.LogRecord) -> None:
        # closing standard error must not stop the service
        with suppress(OSError):
            say(record.getMessage(), error=True)


def _log_to_standard_error(*, quiet: bool) -> None:
    logger = logging.getLogger("pred_aware.production")
    logger.setLevel(logging.WARNING if quiet else logging.INFO)
    logger.addHandler(_Lines())


def _program(name: str) -> str:
    import shutil

    found = shutil.which(name)
    if found is None:
        raise PredAwareError(f"--sacct {name}: this program was not found; give its path")
    return found


def health(
    socket: SocketArgument,
    *,
    max_outlived: Annotated[
        float | None,
        option(
            "SHARE",
            "Fail if more than this share of the last 200 jobs ran longer than their estimate.",
            min=0.0,
            max=1.0,
        ),
    ] = None,
    max_age: Annotated[
        float | None,
        option("SECONDS", "Fail if no job was learned in the last SECONDS.", min=0.0),
    ] = None,
    min_requests: Annotated[
        int | None,
        option(
            "N",
            "Fail if fewer requests for estimates than this came in the last 24 hours, or since "
            "the service's start if it is later.",
            min=0,
        ),
    ] = None,
    no_failure: Annotated[bool, flag("Fail if a part of the service fails at present.")] = False,
    prometheus: Annotated[
        bool, flag("Print Prometheus's text format, for its textfile collector.")
    ] = False,
    output: JsonOption,
) -> None:
    """Show the state of a prediction service: requests, latency and recent errors.

    The exit code is 2 if no service answers. It is 1 if the check of an option fails; standard
    error then has a line for each failed check. Without ended jobs, --max-outlived does not fail.

    For example:

        pred-aware service health /run/pred-aware/socket

        pred-aware service health /run/pred-aware/socket --max-outlived 0.3 --max-age 86400

        pred-aware service health /run/pred-aware/socket --prometheus
    """
    import time

    import msgspec

    from pred_aware.production.client import ask_health
    from pred_aware.production.monitoring import HealthLimits, broken, exposition

    if prometheus and output.as_json:
        raise PredAwareError("give either --json or --prometheus, not both")
    try:
        state = ask_health(socket)
    except PredAwareError:
        if prometheus:
            sys.stdout.write(exposition(None))
        raise
    limits = HealthLimits(
        max_outlived=max_outlived, max_age=max_age, min_requests=min_requests, no_failure=no_failure
    )
    if prometheus:
        sys.stdout.write(exposition(state))
    else:
        output.print_result(msgspec.to_builtins(state), _lines(state))
    lines = broken(limits, state, now=time.time())
    for line in lines:
        say(f"pred-aware: {line}", error=True)
    if lines:
        raise typer.Exit(1)


def _lines(state: "Healthy") -> list[str]:
    requests = ", ".join(f"{name} {number:,}" for name, number in state.requests.items())
    lines = [
        f"{state.predictor}, {state.learned:,} jobs learned from {state.store}",
        f"up for {state.up:,.0f} s, {state.clients} connected, version {state.version}",
        f"requests: {requests or 'none'}; {state.asked_lately:,} estimates in the last 24 h",
    ]
    if state.learned_at is not None:
        lines.append(f"last job learned {in_utc(state.learned_at)}")
    if state.latency_median is not None and state.latency_p99 is not None:
        median, p99 = 1000 * state.latency_median, 1000 * state.latency_p99
        lines.append(f"estimates took {median:.2f} ms (median), {p99:.2f} ms (99th percentile)")
    if state.underestimated_lately is not None and state.error_lately is not None:
        lines.append(
            f"of the last {state.ended_lately} jobs, {state.underestimated_lately:.0%} ran longer"
            f" than their estimate; mean error {state.error_lately:,.0f} s"
        )
    if state.drift is not None:
        lines.append(f"drift: this error is {state.drift:.2f} times that of the last 2,000 jobs")
    if state.last_error is not None:
        date = "" if state.last_error_date is None else f", {in_utc(state.last_error_date)}"
        now = f"failing: {', '.join(state.failing)}" if state.failing else "repaired since"
        lines.append(f"last error{date} ({now}): {state.last_error}")
    return lines


register = adding(serve, health, page="reference/service.md")
