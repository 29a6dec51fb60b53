"""Replace the names in a site by the numbers of a study."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from schedulers.site.batch_system import Association
from schedulers.site.site import Limit, Site, texts
from workload_tools.changes.anonymised import Key

PEOPLE = ("user", "group", "project")
"""The fields that become numbers in a study. Queues, partitions and QOS keep their names."""


ROOT = "root"
"""The name of the root of the fair-share tree. The root is not an account."""


def with_numbers(site: Site, key: Key) -> Site:
    """Return a site with a key's numbers for the names of people, projects and licences.

    Examples
    --------
    >>> site = Site(limits=(Limit(of="jobs", per=("user", "queue"), by={"ann:long": 2.0}),))
    >>> with_numbers(site, Key({"user": {"ann": 7}})).limits[0].by
    {'7:long': 2.0}
    """

    def number(field: str, name: str) -> str:
        return str(key.number(field, name)) if field in (*PEOPLE, "licences") else name

    def all_of(field: str, names: tuple[str, ...] | str) -> tuple[str, ...]:
        return tuple(number(field, name) for name in texts(names))

    def limit(rule: Limit) -> Limit:
        by = {
            ":".join(map(number, rule.keys, names.split(":"))): most
            for names, most in rule.by.items()
        }
        licence = None if rule.licence is None else number("licences", rule.licence)
        exempt = only(rule.exempt)
        return replace(rule, by=by, only=only(rule.only), exempt=exempt, licence=licence)

    def only(names_by_field: Mapping[Any, tuple[str, ...] | str]) -> dict[Any, tuple[str, ...]]:
        return {field: all_of(field, names) for field, names in names_by_field.items()}

    def association(entry: Association) -> Association:
        return replace(
            entry,
            account=number("project", entry.account),
            user=None if entry.user is None else number("user", entry.user),
            parent=entry.parent if entry.parent == ROOT else number("project", entry.parent),
        )

    return replace(
        site,
        partitions=tuple(
            replace(one, accounts=all_of("project", one.accounts) if one.accounts else ())
            for one in site.partitions
        ),
        limits=tuple(map(limit, site.limits)),
        associations=tuple(map(association, site.associations)),
        windows=tuple(replace(one, only=only(one.only)) for one in site.windows),
        reservations=tuple(
            replace(
                one,
                users=all_of("user", one.users) if one.users else (),
                accounts=all_of("project", one.accounts) if one.accounts else (),
            )
            for one in site.reservations
        ),
    )
