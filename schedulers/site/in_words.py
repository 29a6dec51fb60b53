"""A site's rules in words."""

import re
from collections.abc import Iterator
from datetime import datetime

from schedulers.site.site import Date, Limit, Partition, Site, Window, texts

_PEOPLE = re.compile(r"\bof (user|group|project) .+?(?= of | per |$)")

MOST = 3
"""The words of a limit list at most this many keys that have limits of their own."""


def rules_in_words(site: Site, *, names: bool = False) -> tuple[str, ...]:
    """Return the rules of a site in words. With `names`, they name users, groups and projects.

    Examples
    --------
    >>> limit = Limit(of="jobs", per="user", most=10.0, by={"ann": 40.0}, end=3600.0)
    >>> site = Site(limits=(limit,), cycle=60.0)
    >>> rules_in_words(site)
    ('10 jobs per user (1 with another limit) until second 3600', 'the scheduler runs every 60 s')
    >>> rules_in_words(site, names=True)[0]
    '10 jobs per user (40 for ann) until second 3600'
    """
    return tuple(_rules(site, names))


def limit_in_words(limit: Limit) -> str:
    """Return a limit in words.

    Examples
    --------
    >>> limit_in_words(Limit(of="jobs", per=("user", "queue"), most=10.0))
    '10 jobs per user and queue'
    """
    of = "submitted jobs" if limit.of == "submitted" else limit.of
    what = (limit.licence or of).replace("_", " ")
    if what.isdecimal():
        what = f"of licence {what}"
    elif limit.most == 1:
        what = what.removesuffix("s")
    most = "some" if limit.most is None else f"{limit.most:g}"
    whose = " and ".join(limit.keys)
    only = " ".join(f"of {name} {'/'.join(texts(names))}" for name, names in limit.only.items())
    but = " and ".join(f"{name} {'/'.join(texts(names))}" for name, names in limit.exempt.items())
    parts = most, what, only, f"per {whose}" if whose else "", f"(except {but})" if but else ""
    return " ".join(filter(None, parts))


def oversubscribed(partition: Partition) -> str:
    """Return words for a partition whose jobs share cores, which is not simulated.

    Examples
    --------
    >>> oversubscribed(Partition(name="debug", oversubscribe=4))
    "cores of partition 'debug' that up to 4 jobs share"
    """
    return f"cores of partition '{partition.name}' that up to {partition.oversubscribe} jobs share"


def window_in_words(window: Window) -> str:
    """Return a start window in words.

    Examples
    --------
    >>> window_in_words(Window(days="Mon-Fri", closed="08:00-17:00", longer_than=3600.0))
    'closed Mon-Fri 08:00-17:00 for jobs of more than 1 h'
    """
    hours = (
        f"end required by {window.days} {window.ended_by}"
        if window.closed is None
        else f"closed {window.days} {window.closed}"
    )
    bounds = []
    if window.longer_than:
        bounds.append(f"more than {_length(window.longer_than)}")
    if window.at_most is not None:
        bounds.append(f"at most {_length(window.at_most)}")
    return f"{hours} for jobs of {' and '.join(bounds)}" if bounds else hours


def _length(seconds: float) -> str:
    hours, rest = divmod(seconds, 3600.0)
    parts = ([f"{hours:g} h"] if hours else []) + ([f"{rest / 60.0:g} min"] if rest else [])
    return " ".join(parts) or "0 min"


def without_people(rule: str) -> str:
    """Return the words of a limit without the names of users, groups and projects.

    Examples
    --------
    >>> without_people("10 jobs of user ann/bob per user")
    '10 jobs of some users per user'
    """
    return _PEOPLE.sub(r"of some \1s", rule)


def _rules(site: Site, names: bool) -> Iterator[str]:  # noqa: FBT001 - of one caller
    for limit in site.limits:
        text = limit_in_words(limit) if names else without_people(limit_in_words(limit))
        yield f"{text}{_by(limit, names=names)}{_period(limit.begin, limit.end)}"
    for window in site.windows:
        yield window_in_words(window)
    for freeze in site.freezes:
        yield f"no start{_in_partitions(freeze.partitions)}{_period(freeze.begin, freeze.end)}"
    for step in site.capacity:
        where = _in_partitions(step.partition or ())
        yield f"{step.processors:,} processors{where}{_period(step.begin, None)}"
    for outage in site.outages:
        text = ", ".join(texts(outage.nodes))
        yield f"{text} down{_period(outage.begin, outage.end)}"
    for one in site.reservations:
        text = ", ".join(texts(one.nodes)) or "all nodes"
        whom = ", ".join((*texts(one.users), *texts(one.accounts))) or "nobody"
        whom = whom if names or whom == "nobody" else "some users"
        yield f"{text} reserved for {whom} ({one.name}){_period(one.begin, one.end)}"
    if site.cycle:
        yield f"the scheduler runs every {site.cycle:g} s"


def _by(limit: Limit, *, names: bool) -> str:
    if limit.by and not names and {"user", "group", "project"} & {*limit.keys}:
        return f" ({len(limit.by)} with another limit)"
    parts = [f"{number:g} for {key}" for key, number in limit.by.items()]
    if len(parts) > MOST:
        parts[MOST:] = [f"{len(parts) - MOST} more"]
    return f" ({', '.join(parts)})" if parts else ""


def _in_partitions(partitions: tuple[str, ...] | str) -> str:
    names = texts(partitions) if partitions else ()
    return f" in {', '.join(names)}" if names else ""


def _period(begin: Date | None, end: Date | None) -> str:
    text = "" if begin is None else f" from {_date(begin)}{'' if end is not None else ' on'}"
    return text if end is None else f"{text} until {_date(end)}"


def _date(date: Date) -> str:
    return f"{date:%Y-%m-%d %H:%M}" if isinstance(date, datetime) else f"second {date:g}"
