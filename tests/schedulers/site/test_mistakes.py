"""Mistakes injected into a site's file: each gives a one-line error."""

from pathlib import Path

import pytest

from schedulers.site.reader import read_site, site_of
from schedulers.site.site import SiteError
from tests.schedulers.site.on_site import job, starts
from tests.suites import each_case

RIGHT = """\
time_zone = "Europe/Paris"
cycle = 60
[[nodes]]
name = "thin"
count = 4
cores = 8
[[nodes]]
name = "fat"
count = 2
cores = 8
[[partitions]]
name = "batch"
nodes = ["thin"]
default = true
max_nodes = 2
max_processors = 32
max_walltime = "24:00:00"
default_walltime = 3600
[[limits]]
of = "jobs"
per = ["user", "partition"]
most = 2
begin = 2026-01-01
end = 2026-02-01T00:00:00
[[windows]]
days = "Mon-Fri"
closed = "08:00-17:00"
longer_than = "04:00"
at_most = 86400
[[freezes]]
begin = 60
end = 120
partitions = ["batch"]
[[capacity]]
begin = 60
processors = 32
[[outages]]
nodes = "fat[1-2]"
begin = 60
end = 120
[[reservations]]
name = "course"
nodes = ["thin1"]
begin = 60
end = 120
"""

MISTAKES = {
    "cycle =|cylce =": "there is no key 'cylce': did you mean 'cycle'",
    "max_nodes|max_node": "partitions 'batch' has no key 'max_node': did you mean 'max_nodes'",
    "[[limits]]|[[limit]]": "there is no key 'limit': did you mean 'limits'",
    "most = 2|most = 2\nonly = {usr = 'x'}": "only has no key 'usr': did you mean 'user'",
    "default = true|default = 'yes'": "partitions 'batch': default is 'yes'; it must be true",
    "count = 4|count = 0": "nodes 'thin': count is 0; it must be a whole number of at least 1",
    "cycle = 60|cycle = -1": "cycle is -1; it must be a number of at least 0",
    "cycle = 60|cycle = inf": "cycle is inf; it must be a number",
    "cycle = 60|processors = 40": "processors is 40; the nodes have 48",
    "cycle = 60|impossible = 'never'": "impossible is 'never': known: rejected, waits",
    "cores = 8\n[[nodes]]|[[nodes]]": "nodes 'thin' lacks 'cores'",
    '"thin"]|"thim"]': "partition 'batch' has no node 'thim': did you mean 'thin'",
    '"thin"]|"thin[1-9]"]': "has 'thin[1-9]'; the nodes of 'thin' are 1 to 4",
    '"thin"]|""]': "partitions 'batch': nodes 1 is ''",
    'name = "fat"|name = "thin"': "[[nodes]] has 'thin' twice",
    'name = "fat"|name = "thin2"': "nodes 'thin2': a node of 'thin' has the same name",
    'name = "batch"|name = "a,b"': "partition 'a,b': the name has a comma",
    '[[limits]]|[[partitions]]\nname="batch"\n[[limits]]': "[[partitions]] has 'batch' twice",
    '[[limits]]|[[partitions]]\nname="b"\ndefault=true\n[[limits]]': "'b' are both the default",
    "max_nodes = 2|max_nodes = 5": "partition 'batch': max_nodes is 5; the partition has 4",
    "max_processors = 32|max_processors = 33": "max_processors is 33; the partition has 32",
    "default_walltime = 3600|default_walltime = 90000": "90000 s, more than its max_walltime",
    '"24:00:00"|"a day"': "max_walltime is 'a day'; it must be a duration such as 24:00:00",
    "Europe/Paris|Paris": "time_zone is 'Paris', which is not an IANA name of a zone",
    'of = "jobs"|of = "job"': "limits 1: of is 'job': did you mean 'jobs'",
    'of = "jobs"|of = "walltime"': "limits the walltime of a single job: per must be 'job'",
    'of = "jobs"|of = "licences"': "give 'licence' if, and only if",
    '"user", "partition"|"user", "user"': "per is user, user;",
    '"user", "partition"|"user", "queu"': "per 2 is 'queu': did you mean 'queue'",
    "most = 2|# none": "limits 1 lacks 'most', or 'by' with a number for each key",
    "most = 2|most = -2": "limits 1: most is -2; it must be a number of at least 0",
    "most = 2|by = {ann = 2}": "by has 'ann'; a key for user and partition must have 2",
    "most = 2|by = {'ann:bacth' = 2}": "'bacth', which is not a partition: did you mean 'batch'",
    "most = 2|most = 2\nabove = 'wait'": "above is 'wait': did you mean 'waits'",
    "end = 2026-02-01T00:00:00|end = 2025-01-01": "end is 2025-01-01 00:00:00; it must be after",
    "end = 2026-02-01T00:00:00|end = 5": "begin and end must both be dates, or both seconds",
    "end = 2026-02-01T00:00:00|end = 'soon'": "end is 'soon'; it must be a date such as",
    "Mon-Fri|Mon-Fry": "windows 1: days is 'Mon-Fry'; give days such as Mon-Fri",
    "08:00-17:00|08:00-25:00": "windows 1: '25:00' is not a time of day",
    "08:00-17:00|08:00-08:00": "begin and end must differ",
    'days = "Mon-Fri"|ended_by = "08:00"': "windows 1 needs either 'closed' or 'ended_by'",
    "at_most = 86400|at_most = 60": "at_most is 60 s; it must be above longer_than, 14400 s",
    'partitions = ["batch"]|partitions = "b"': "freezes 1: partitions has 'b', which is no",
    "processors = 32\n[[out|processors = 64\n[[out": "processors is 64; the site has 48",
    "[[outages]]|[[capacity]]\nbegin=60\nprocessors=1\n[[outages]]": "capacity 2 begins at the",
    '"fat[1-2]"|[]': "outages 1 names no nodes",
    '["thin1"]|["thin7"]': "reservations 1 has 'thin7'; the nodes of 'thin' are 1 to 4",
}
"""The correct text, a bar, its replacement; and the error."""


def test_the_file_without_mistakes_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    path.write_text(RIGHT)
    assert read_site(path).size == 48


@each_case(("mistake", "words"), MISTAKES.items())
def test_a_mistake_gives_a_one_line_error_with_its_position(
    tmp_path: Path, mistake: str, words: str
) -> None:
    right, _, wrong = mistake.partition("|")
    assert RIGHT.count(right) >= 1
    path = tmp_path / "site.toml"
    path.write_text(RIGHT.replace(right, wrong, 1))
    with pytest.raises(SiteError) as error:
        read_site(path)
    assert str(error.value).startswith(f"site {path}: ")
    assert words in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("table", ["[[partitions]]\nname = 'b'", "[[reservations]]\nname = 'b'"])
def test_nodes_need_classes_of_nodes(tmp_path: Path, table: str) -> None:
    path = tmp_path / "site.toml"
    dates = "begin = 1\nend = 2\n" if "reservations" in table else ""
    path.write_text(f"{table}\n{dates}nodes = 'thin1'\n")
    with pytest.raises(SiteError, match=r"the site has no \[\[nodes\]\]"):
        read_site(path)


def test_capacity_of_a_partition_needs_nodes() -> None:
    step = {"begin": 60, "processors": 1, "partition": "a"}
    with pytest.raises(SiteError, match="use a limit of processors per partition"):
        site_of({"partitions": [{"name": "a"}], "capacity": [step]})


def test_an_invalid_start_date_is_reported() -> None:
    with pytest.raises(SiteError, match=r"start is 1e\+15, which is not a date in Unix seconds"):
        starts({"start": 1e15, "windows": [{"closed": "08:00-09:00"}]}, [job(1, 0, 1, 5)])


@each_case(
    ("associations", "words"),
    [
        ([{"account": "a", "parent": "b"}, {"account": "b", "parent": "a"}], "contains itself"),
        ([{"account": "a", "user": "ann"}, {"account": "a", "user": "ann"}], "'ann' in 'a' twice"),
        ([{"account": "a"}, {"account": "a", "shares": 2}], "has 'a' twice"),
    ],
)
def test_associations_must_form_a_tree(associations: list[dict[str, object]], words: str) -> None:
    with pytest.raises(SiteError, match=words):
        site_of({"associations": associations})
