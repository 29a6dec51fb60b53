"""Check on a PBS server that hook, service and scheduler work together."""

import pwd
import re
import shlex
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from pred_aware.errors import PredAwareError
from pred_aware.process_group import run_group
from pred_aware.production import pbs_hook
from pred_aware.production.errors import FeedError
from pred_aware.production.pbs_paths import PbsPaths, output, program
from pred_aware.report.finding import Finding
from pred_aware.version import __version__

EVENTS = frozenset({"queuejob", "modifyjob"})
"""Events for which the hook must be called."""

ALARM = range(2, 31)
"""Allowed timeouts (`alarm`) of the hook in PBS, in seconds; the hook needs at most 0.3 s."""

_PATIENCE = 10.0
"""Time limit in seconds for programs that read files as the service's user."""


def check_pbs(places: PbsPaths, *, hook: str, user: str) -> Iterator[Finding]:
    """Check the hook, its settings, the service, the accounting files and the scheduler.

    Parameters
    ----------
    places
        Folders of the server's files and programs.
    hook
        Name of the hook.
    user
        User of the service.

    Yields
    ------
    Finding
        The result of a check, and the command that repairs it.

    Raises
    ------
    PredAwareError
        The command qmgr is missing.
    """
    server = _Server(program("qmgr", places.programs))
    settings = pbs_hook.checked({})
    said = server.answer_to(f"list hook {hook}")
    if server.silent:
        yield Finding(
            state="wrong", subject="PBS server", found=server.silent, advice="systemctl start pbs"
        )
    elif not said or not said.strip():
        yield Finding(
            state="absent", subject="hook", found=f"no hook is called {hook}",
            advice="pred-aware service files DIR && cd DIR && qmgr < pred_aware_hook.qmgr",
        )  # fmt: skip
    else:
        yield from _hook(server, hook, _attributes(said))
        settings, finding = _settings(server, hook)
        yield finding
    yield _service(settings)
    yield _accounting(places, user)
    yield _strict_ordering(places.home / "sched_priv" / "sched_config")
    yield _backfill_depth(server)
    yield _resources(server)


class _Server:
    """A PBS server, queried with `qmgr`."""

    def __init__(self, qmgr: str) -> None:
        self._qmgr = qmgr
        self.silent = ""

    def answer_to(self, directive: str) -> str | None:
        """Return the answer to one directive; None without an answer."""
        if self.silent:
            return None
        try:
            return output([self._qmgr, "-c", directive]).decode(errors="replace")
        except FeedError as error:
            if "not found" not in str(error) and "does not exist" not in str(error):
                self.silent = str(error)
            return None

    def has(self, names: list[str]) -> set[str]:
        """Return those of the given resources that the server has."""
        directives = "".join(f"list resource {name}\n" for name in names).encode()
        said = output([self._qmgr], standard_input=directives, any_code=True).decode(
            errors="replace"
        )
        return set(re.findall(r"^Resource (\S+)$", said, re.MULTILINE))


def _attributes(said: str) -> dict[str, str]:
    """Parse the output of `list`: four spaces, name and value; a tab continues a value."""
    lines = said.replace("\n\t", "").splitlines()
    pairs = [line.strip().split(" = ", 1) for line in lines if " = " in line]
    return {name: value for name, value in pairs}  # noqa: C416 - shows that these are pairs


def _hook(server: _Server, hook: str, has: Mapping[str, str]) -> Iterator[Finding]:
    yield Finding(state="ok", subject="hook", found=f"{hook} exists")
    yield _judged(
        has.get("enabled", "").lower() in {"true", "t", "1"}, "enabled",
        found=has.get("enabled", "unknown"), advice=_qmgr(f"set hook {hook} enabled = True"),
    )  # fmt: skip
    events = has.get("event", "")
    yield _judged(
        set(events.replace('"', "").split(",")) >= EVENTS, "events", found=events or "none",
        advice=_qmgr(f'set hook {hook} event = "queuejob,modifyjob"'),
    )  # fmt: skip
    alarm = has.get("alarm", "")
    yield _judged(
        alarm.isdigit() and int(alarm) in ALARM, "alarm", found=f"{alarm or 'unknown'} s",
        advice=_qmgr(f"set hook {hook} alarm = 5"),
    )  # fmt: skip
    text = server.answer_to(f"export hook {hook} application/x-python default") or ""
    same = text.strip() == Path(pbs_hook.__file__).read_text(encoding="utf-8").strip()
    yield _judged(
        same, "version", found=f"{'same as' if same else 'differs from'} pred-aware {__version__}",
        advice="pred-aware service pbs-hook -o x.py && "
        + _qmgr(f"import hook {hook} application/x-python default x.py"),
    )  # fmt: skip


def _judged(well: bool, subject: str, *, found: str, advice: str) -> Finding:  # noqa: FBT001
    """Return a finding with the state ``ok`` or ``wrong``."""
    return Finding(
        state="ok" if well else "wrong", subject=subject, found=found, advice="" if well else advice
    )


def _qmgr(directive: str) -> str:
    return f"qmgr -c {shlex.quote(directive)}"


def _settings(server: _Server, hook: str) -> tuple[dict[str, object], Finding]:
    """Return the settings, checked by the hook's own code; default settings if they are wrong."""
    usual = pbs_hook.checked({})
    mend = _qmgr(f"import hook {hook} application/x-config default settings.json")
    text = server.answer_to(f"export hook {hook} application/x-config default") or ""
    if not text.strip():
        return usual, Finding(
            state="note", subject="settings", found="none; the defaults apply",
            advice=f"{mend}, with the settings.json that pred-aware service files DIR writes",
        )  # fmt: skip
    try:
        settings = pbs_hook.read_settings(text)
    except pbs_hook.HookError as error:
        return usual, Finding(
            state="wrong", subject="settings", found=f"no job gets a soft walltime: {error}",
            advice=f"correct settings.json, then {mend}",
        )  # fmt: skip
    if settings["dry_run"]:
        return settings, Finding(
            state="note", subject="settings", found="dry run: no job gets a soft walltime",
            advice=f'"dry_run": false in settings.json, then {mend}',
        )  # fmt: skip
    return settings, Finding(state="ok", subject="settings", found="valid; not a dry run")


def _service(settings: Mapping[str, object]) -> Finding:
    """Ask the service with the hook's code and time limit."""
    place = str(settings["socket"])
    patience = min(float(str(settings["timeout"])), pbs_hook.LONGEST_WAIT)
    begun = time.perf_counter()
    try:
        state = pbs_hook.ask({"ask": "health"}, place, patience)
    except (OSError, pbs_hook.HookError) as error:
        words = str(getattr(error, "strerror", None) or error).replace(f"{place}: ", "")
        return Finding(
            state="wrong", subject="service", found=f"{place}: {words}",
            advice="systemctl restart pred-aware && journalctl -u pred-aware -n 20",
        )  # fmt: skip
    took = 1000 * (time.perf_counter() - begun)
    found = f"answers at {place} after {took:.1f} ms"
    if not state.get("learned"):
        return Finding(
            state="note", subject="service", found=f"{found}, but has learned no job",
            advice=f"pred-aware service health {place}",
        )  # fmt: skip
    return Finding(state="ok", subject="service", found=f"{found}; {state['learned']} jobs learned")


def _accounting(places: PbsPaths, user: str) -> Finding:
    """Check that the service's user can read the accounting files."""
    try:
        found = pwd.getpwnam(user)
    except KeyError:
        return Finding(
            state="absent", subject="accounting", found=f"there is no user {user}",
            advice="systemd-sysusers /etc/sysusers.d/pred-aware.conf, of pred-aware service files",
        )  # fmt: skip
    folder = places.accounting
    newest = max((path for path in folder.glob("[0-9]*") if path.is_file()), default=None)
    commands = [["ls", "--", str(folder)]]
    if newest is not None:
        commands.append(["head", "-c", "1", "--", str(newest)])
    for command in commands:
        try:
            ended = run_group(
                command, user=found.pw_uid, group=found.pw_gid, extra_groups=[], cwd="/",
                timeout=_PATIENCE,
            )  # fmt: skip
        except (OSError, subprocess.SubprocessError) as error:
            return Finding(state="unknown", subject="accounting", found=f"{folder}: {error}")
        if ended.returncode:
            words = ended.stderr.decode(errors="replace").strip().rpartition(": ")[2]
            private, of_user = shlex.quote(str(folder.parent)), shlex.quote(user)
            return Finding(
                state="wrong", subject="accounting",
                found=f"{user} cannot read {command[-1]}: {words}",
                advice=f"setfacl -m u:{of_user}:x {private} && "
                f"setfacl -R -m u:{of_user}:rX,d:u:{of_user}:rX {shlex.quote(str(folder))}",
            )  # fmt: skip
    what = (
        f"{user} can read {newest}" if newest else f"{user} can read {folder}, but it has no file"
    )
    return Finding(state="ok", subject="accounting", found=what)


def _strict_ordering(path: Path) -> Finding:
    """Check that the scheduler plans the starts of waiting jobs at all times."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as error:
        return Finding(
            state="unknown", subject="strict_ordering", found=f"{path}: {error.strerror}",
            advice="strict_ordering: true ALL, in the configuration of the scheduler",
        )  # fmt: skip
    at = {"prime": False, "non_prime": False}
    stands = False
    for line in lines:
        words = line.split("#", 1)[0].replace(":", " ", 1).split()
        if words[:1] == ["strict_ordering"]:
            stands = True
            when = words[2].lower() if words[2:] else "all"
            at |= dict.fromkeys(at if when == "all" else at.keys() & {when}, words[1:2] == ["true"])
    whole = shlex.quote(str(path))
    change = (
        f"sed -i 's/^strict_ordering:.*/strict_ordering: true ALL/' {whole}"
        if stands
        else f"echo 'strict_ordering: true ALL' >> {whole}"
    )
    return _judged(
        all(at.values()), "strict_ordering",
        found="true" if all(at.values()) else "not true at all times, so it plans no starts",
        advice=f"{change} && pkill -HUP -x pbs_sched",
    )  # fmt: skip


def _backfill_depth(server: _Server) -> Finding:
    said = server.answer_to("list server")
    mend = _qmgr("set server backfill_depth = 5")
    if said is None:
        return Finding(state="unknown", subject="backfill_depth", found="not reported")
    depth = _attributes(said).get("backfill_depth", "")
    if not depth:
        return Finding(
            state="note", subject="backfill_depth", advice=mend,
            found="not set; only one waiting job is planned",
        )  # fmt: skip
    return _judged(depth.isdigit() and int(depth) > 0, "backfill_depth", found=depth, advice=mend)


def _resources(server: _Server) -> Finding:
    """Check which of the hook's resources the server has."""
    needed = ["walltime", "soft_walltime"]
    names = [*pbs_hook.RESOURCES, "soft_walltime"]
    try:
        has = set() if server.silent else server.has(names)
    except PredAwareError as error:
        return Finding(state="unknown", subject="resources", found=str(error))
    lacks = [name for name in names if name not in has]
    if not has:
        return Finding(state="unknown", subject="resources", found="not reported")
    if not has.issuperset(needed):
        missing = " and ".join(name for name in needed if name not in has)
        return Finding(
            state="wrong", subject="resources", found=f"the server has no {missing}",
            advice="soft walltimes need OpenPBS, or PBS Professional 19.1 or later",
        )  # fmt: skip
    rest = f"; the hook omits resources that the server lacks: {', '.join(lacks)}" if lacks else ""
    return Finding(
        state="ok", subject="resources", found=f"the server has walltime and soft_walltime{rest}"
    )
