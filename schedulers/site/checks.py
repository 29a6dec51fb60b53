"""Checks for contradictions within a site."""

from collections.abc import Iterable, Iterator
from typing import Any

from predictors.registry import nearest
from schedulers.site.batch_system import Association
from schedulers.site.calendar import Calendar, days_of, hours_of, time_of
from schedulers.site.node_sets import node_set
from schedulers.site.site import FIELDS, Limit, Site, SiteError, Window, texts


def check_site(site: Site) -> None:
    """Check that the parts of a site agree.

    Raises
    ------
    SiteError
        Two parts of the site contradict each other. The message names them.
    """
    calendar = Calendar(site.time_zone, None)
    for table in ("nodes", "partitions", "reservations"):
        _different(f"[[{table}]]", [one.name for one in getattr(site, table)])
    _check_names(site)
    _check_associations(site.associations)
    if site.nodes and site.processors is not None and site.size != site.processors:
        raise SiteError(f"processors is {site.processors}; the nodes have {site.size}")
    _check_partitions(site)
    for place, limit in enumerate(site.limits, 1):
        _check_limit(limit, f"limits {place}")
    for place, window in enumerate(site.windows, 1):
        _check_window(window, f"windows {place}")
    for name in ("limits", "freezes", "outages", "reservations"):
        for place, one in enumerate(getattr(site, name), 1):
            _check_dates(one, f"{name} {place}", calendar)
    _check_nodes(site)
    _check_capacity(site)
    known = [one.name for one in site.partitions]
    for where, named in _partitions_named(site):
        _known(named, known, where)


def _check_associations(associations: Iterable[Association]) -> None:
    """Check that accounts and users are unique, and that no account contains itself."""
    seen: set[tuple[str, str | None]] = set()
    parents: dict[str, str] = {}
    for one in associations:
        if (one.account, one.user) in seen:
            who = f"'{one.account}'" if one.user is None else f"'{one.user}' in '{one.account}'"
            raise SiteError(f"[[associations]] has {who} twice")
        seen.add((one.account, one.user))
        if one.user is None:
            parents[one.account] = one.parent
    for account in parents:
        above, path = account, set[str]()
        while above in parents:
            if above in path:
                raise SiteError(f"[[associations]]: account '{account}' contains itself")
            path.add(above)
            above = parents[above]


def _check_nodes(site: Site) -> None:
    for name in ("outages", "reservations"):
        for place, one in enumerate(getattr(site, name), 1):
            where, names = f"{name} {place}", texts(one.nodes)
            if not site.nodes:
                raise SiteError(f"{where} names nodes, but the site has no [[nodes]]")
            node_set(names, site.nodes, where)
            if name == "outages" and not names:
                raise SiteError(f"{where} names no nodes; use [[freezes]] for all nodes")


def _partitions_named(site: Site) -> Iterator[tuple[str, str]]:
    """Yield each mention of a partition: where it is in the file, and the partition's name."""
    for place, freeze in enumerate(site.freezes, 1):
        yield from ((f"freezes {place}: partitions", name) for name in texts(freeze.partitions))
    for place, step in enumerate(site.capacity, 1):
        if step.partition is not None:
            yield f"capacity {place}: partition", step.partition
    if not site.partitions:
        # rules then name the partitions of the log, which cannot be checked
        return
    for table in ("limits", "windows"):
        for place, one in enumerate(getattr(site, table), 1):
            for name in texts(one.only.get("partition", ())):
                yield f"{table} {place}: only", name
            exempt = one.exempt if isinstance(one, Limit) else {}
            for name in texts(exempt.get("partition", ())):
                yield f"{table} {place}: exempt", name
    for place, limit in enumerate(site.limits, 1):
        if "partition" in limit.keys:
            part = limit.keys.index("partition")
            yield from ((f"limits {place}: by", key.split(":")[part]) for key in limit.by)


def _check_names(site: Site) -> None:
    """Check that names are unique, and differ from the names of nodes."""
    classes = [one.name for one in site.nodes]
    for name in classes:
        of = name.rstrip("0123456789")
        if of != name and of in classes:
            raise SiteError(f"nodes '{name}': a node of '{of}' has the same name; rename one class")
    for one in site.partitions:
        if "," in one.name or one.name != one.name.strip():
            raise SiteError(f"partition '{one.name}': the name has a comma, or spaces around it")


def _check_capacity(site: Site) -> None:
    seen: set[tuple[str | None, object]] = set()
    for place, step in enumerate(site.capacity, 1):
        where, of = f"capacity {place}", step.partition
        if site.size is not None and step.processors > site.size:
            raise SiteError(f"{where}: processors is {step.processors}; the site has {site.size}")
        if of is not None and not site.nodes:
            raise SiteError(
                f"{where} names partition '{of}', but the site has no [[nodes]]: use a limit "
                "of processors per partition"
            )
        if (of, step.begin) in seen:
            raise SiteError(f"{where} begins at the same date as another entry: {step.begin}")
        seen.add((of, step.begin))


def _check_dates(period: Any, where: str, calendar: Calendar) -> None:  # noqa: ANN401 - any table
    begin, end = period.begin, period.end
    if begin is None or end is None:
        return
    if isinstance(begin, float) is not isinstance(end, float):
        raise SiteError(f"{where}: begin and end must both be dates, or both seconds")
    if not calendar.ordinal(begin) < calendar.ordinal(end):
        raise SiteError(f"{where}: end is {end}; it must be after begin, {begin}")


def _check_partitions(site: Site) -> None:
    defaults = [one.name for one in site.partitions if one.default]
    if len(defaults) > 1:
        raise SiteError(f"partitions '{defaults[0]}' and '{defaults[1]}' are both the default")
    for one in site.partitions:
        where = f"partition '{one.name}'"
        if one.nodes and not site.nodes:
            raise SiteError(f"{where} has nodes, but the site has no [[nodes]]")
        if site.nodes:
            nodes = node_set(texts(one.nodes), site.nodes, where)
            cores = [kind.processors for kind in site.nodes for _ in range(kind.count)]
            there = {"nodes": len(nodes), "processors": sum(cores[node] for node in nodes)}
            for what, number in there.items():
                most = getattr(one, f"max_{what}")
                if most is not None and most > number:
                    raise SiteError(f"{where}: max_{what} is {most}; the partition has {number}")
        if (
            one.default_walltime is not None
            and one.max_walltime is not None
            and one.default_walltime > one.max_walltime
        ):
            raise SiteError(
                f"{where}: default_walltime is {one.default_walltime:g} s, more than its "
                f"max_walltime of {one.max_walltime:g} s"
            )


def _check_limit(limit: Limit, where: str) -> None:
    keys = limit.keys
    if limit.most is None and not limit.by:
        raise SiteError(f"{where} lacks 'most', or 'by' with a number for each key")
    if limit.by and (not keys or keys == ("job",)):
        raise SiteError(f"{where} has 'by', so 'per' must name a job field: {', '.join(FIELDS)}")
    for key in limit.by:
        if key.count(":") + 1 != len(keys):
            raise SiteError(
                f"{where}: by has '{key}'; a key for {' and '.join(keys)} must have "
                f"{len(keys)} parts, joined by colons"
            )
    fields = texts(limit.per)
    if len(fields) > 1 and ({"job", "all"} & {*fields} or len({*fields}) < len(fields)):
        raise SiteError(
            f"{where}: per is {', '.join(fields)}; name each field once, or only 'all' or 'job'"
        )
    if limit.of == "walltime" and keys != ("job",):
        raise SiteError(f"{where} limits the walltime of a single job: per must be 'job'")
    if (limit.of == "licences") is (limit.licence is None):
        raise SiteError(f"{where}: give 'licence' if, and only if, 'of' is 'licences'")
    if limit.of == "submitted" and limit.above == "alone":
        raise SiteError(f"{where} limits submitted jobs: 'above' cannot be 'alone'")


def _check_window(window: Window, where: str) -> None:
    try:
        days_of(window.days)
        if window.closed is not None:
            hours_of(window.closed)
        if window.ended_by is not None:
            time_of(window.ended_by)
    except SiteError as error:
        raise SiteError(f"{where}: {error}") from None
    if (window.closed is None) is (window.ended_by is None):
        raise SiteError(f"{where} needs either 'closed' or 'ended_by'")
    if window.at_most is not None and window.at_most <= window.longer_than:
        raise SiteError(
            f"{where}: at_most is {window.at_most:g} s; it must be above longer_than, "
            f"{window.longer_than:g} s"
        )


def _different(where: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise SiteError(f"{where} has '{name}' twice")
        seen.add(name)


def _known(name: str, known: list[str], where: str) -> None:
    if name not in known:
        hint = nearest(name, known) if known else "the site has none"
        raise SiteError(f"{where} has '{name}', which is not a partition: {hint}")
