"""Files of options: each mistake is one line with its key."""

from pathlib import Path
from typing import Annotated, Literal

import pytest
from msgspec import Meta, Struct, inspect

from pred_aware.campaign import reading
from tests.suites import each_case
from workload_tools.strict import StrictError, Text, read_toml, several, structured
from workload_tools.table.map import map_file


class Part(Struct, forbid_unknown_fields=True):
    name: Text
    sizes: tuple[Annotated[int, Meta(ge=1)], ...] = ()


class Options(Struct, forbid_unknown_fields=True):
    kind: Literal["small", "large"] = "small"
    share: Annotated[float, Meta(gt=0.0)] | None = None
    quick: bool = False
    wait: Literal["none"] | Annotated[float, Meta(gt=0.0)] | None = None
    part: Annotated[tuple[Part, ...], Meta(min_length=1)] | None = None


@each_case(
    ("content", "message"),
    [
        ({"kidn": "small"}, "there is no key 'kidn': did you mean 'kind'? known: kind, share, "),
        ({"kind": "larg"}, "kind is 'larg': did you mean 'large'? known: large, small"),
        ({"kind": 3}, "kind is 3; it must be large or small"),
        ({"share": 0}, "share is 0; it must be a number above 0.0"),
        ({"share": "0.5"}, "share is '0.5'; it must be a number"),
        ({"wait": 0}, "wait is 0; it must be none or a number above 0.0"),
        ({"quick": 1}, "quick is 1; it must be true or false"),
        ({"part": []}, "part is []; it must be a list that is not empty"),
        ({"part": [{"sizes": [1]}]}, "part 1 lacks 'name'"),
        ({"part": [{"name": " "}]}, "part ' ': name is ' '; it must be a text"),
        ({"part": [{"name": "a", "size": 1}]}, "part 'a' has no key 'size': did you mean 'sizes'"),
        ({"part": [{"name": "a", "sizes": [0]}]}, "part 'a': sizes 1 is 0; it must be a whole"),
        ([], "the file is []; it must be a table"),
    ],
)
def test_a_mistake_is_reported_with_its_key(content: object, message: str) -> None:
    with pytest.raises(StrictError) as error:
        structured(content, Options)
    assert str(error.value).startswith(message)


def test_a_mistake_in_an_inner_table_is_reported_with_its_name() -> None:
    with pytest.raises(StrictError, match=r"^logs.kth.kind is 'x': known: large, small$"):
        structured({"kind": "x"}, Options, "logs.kth")


@each_case(
    ("content", "message"),
    [
        (b"= 3", "is not TOML: "),
        (b"kind = '\xff'", "is not UTF-8 text: "),
        (b"#" * (2 << 20), "is larger than 1 MB"),
        (None, "cannot be read: No such file"),
    ],
)
def test_an_invalid_options_file_is_reported(
    tmp_path: Path, content: bytes | None, message: str
) -> None:
    path = tmp_path / f"{len(message)}.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(StrictError, match=message):
        read_toml(path, Options)


def test_one_or_several_texts_become_a_tuple_of_nonempty_texts() -> None:
    assert several("x", "from") == several(("x",), "from") == ("x",)
    with pytest.raises(StrictError, match="from is ' '; it must be"):
        several(" ", "from")


@each_case("kind", [reading._Campaign, reading._Log, map_file._Map, map_file._Field])  # noqa: SLF001
def test_no_type_has_a_pattern_in_a_union_with_a_list(
    kind: type,
) -> None:
    described = inspect.type_info(kind)
    assert isinstance(described, inspect.StructType)
    for field in described.fields:
        types = field.type.types if isinstance(field.type, inspect.UnionType) else ()
        lists = [one for one in types if isinstance(one, inspect.VarTupleType)]
        patterns = [one for one in types if isinstance(one, inspect.StrType) and one.pattern]
        assert not (lists and patterns), field.name
