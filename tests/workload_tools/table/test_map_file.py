"""Maps: what cannot be is one clear error that says where it stands."""

from pathlib import Path

import pytest

from tests.suites import each_case
from tests.workload_tools.table.tables import COLUMNS, HEADER, opened, write
from workload_tools.errors import LogError
from workload_tools.table.map.map_file import read_map
from workload_tools.table.shipped import FOLDER, shipped_names


@each_case(
    ("text", "message"),
    [
        ("columns = 3", "columns is 3; it must be a table"),
        ("[colums]", "there is no key 'colums': did you mean 'columns'?"),
        ('[columns]\nuserr = "u"', "columns has no key 'userr': did you mean 'user'?"),
        ('[columns]\nuser = "u"', "[columns] lacks submit_time; name the column"),
        ('[columns]\nsubmit_time = "u"', "[columns] lacks run_time; give run_time, or start"),
        ('[machine]\ntime_zone = "Europe/Bärlin"', "unknown time zone 'Europe/Bärlin'"),
        ("[machine]\nnodes = 0", "machine.nodes is 0; it must be a whole number of at least 1"),
        ('same_job = "user"', "same_job is 'user': known: id, id and submit_time, never"),
        ('[table]\ndecimal = ";"', "table.decimal is ';': known: ,, ."),
        ('[table]\ndelimiter = "ab"', "table.delimiter is 'ab'; it must be one character"),
        ("[states]\ncompleted = [[1]]", "states.completed 1 is [1]; it must be a number or a text"),
        ("[states]\ncompleted = [1]\nfailed = [1]", "[states] contains '1' twice"),
        ("[[drop]]\nreason = 'x'", "drop 1 lacks 'where'"),
        ("[[drop]]\nwhere = 'a + 1'", "drop.where 'a + 1' is not a condition"),
        ("[[drop]]\nwhere = 'a > '", "'a > ' ends where a value is expected"),
        ("[[join]]\nname = 'x'", "join 'x' lacks 'file'"),
        ("= 3", "is not TOML"),
    ],
)
def test_an_invalid_map_is_an_error(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(LogError) as error:
        read_map(write(tmp_path, text, "mine.toml"))
    assert str(error.value).startswith(f"{tmp_path / 'mine.toml'}: ")
    assert message in str(error.value)


@each_case(
    ("field", "message"),
    [
        ('memory = "mem"', "columns.memory lacks 'unit': one of bytes, KB"),
        ('memory = { from = "mem", unit = "MiBs" }', "'MiBs': did you mean 'MiB'?"),
        ('user = { from = "u", unit = "seconds" }', "columns.user.unit: only a duration, a date"),
        ('gpus = { frm = "u" }', "columns.gpus has no key 'frm': did you mean 'from'?"),
        ("gpus = {}", "columns.gpus lacks 'from'"),
        ("gpus = 3", "columns.gpus is 3; it must be a column name, or a table with 'from'"),
        ('gpus = "a = b"', "columns.gpus is a condition, but gpus needs a value"),
        (
            "start_time = { from = 'a', format = '%d.%m. %H:%M' }",
            "format is '%d.%m. %H:%M'; add the year",
        ),
        ("start_time = { from = 'a', format = '%Y %d %Y' }", "which repeats a part of the date"),
        ("array = { from = 'a', pattern = 'b' }", "has 0 groups in parentheses; it must have one"),
        ("array = { from = 'a', pattern = '((' }", "columns.array.pattern is not a pattern"),
    ],
)
def test_an_invalid_expression_for_a_field_is_an_error(
    tmp_path: Path, field: str, message: str
) -> None:
    with pytest.raises(LogError) as error:
        read_map(write(tmp_path, f"{COLUMNS}{field}\n", "mine.toml"))
    assert message in str(error.value)


def test_a_missing_column_is_reported_with_the_nearest_name(tmp_path: Path) -> None:
    log = opened(tmp_path, HEADER.replace("cpus", "cpu") + "1,2,3,4,5\n")
    with pytest.raises(LogError, match=r"lacks the column 'cpus' .*did you mean 'cpu'\? it has"):
        list(log.jobs())


def test_column_names_can_have_spaces(tmp_path: Path) -> None:
    table_map = COLUMNS.replace('"cpus"', '"Number of CPUs"').replace('"run"', '"`Run (s)` * 1"')
    rows = "job,submit,Run (s),limit,Number of CPUs\n7,9,60,120,4\n"
    (job,) = opened(tmp_path, rows, table_map).jobs()
    assert (job.run_time, job.processors) == (60.0, 4)


@each_case("name", shipped_names())
def test_a_shipped_map_is_valid_and_describes_its_log(name: str) -> None:
    table_map = read_map(FOLDER / f"{name}.toml")
    assert table_map.title
    # the columns of PM100 and Adastra are the same, in other units
    assert table_map.recognise or table_map.header or "--map" in table_map.title
