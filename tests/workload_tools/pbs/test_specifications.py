from tests.suites import each_case
from workload_tools.pbs.quantities import gibibytes, seconds
from workload_tools.pbs.specifications import (
    Slots,
    read_exec_host,
    read_exec_vnode,
    read_nodes,
    read_select,
)


@each_case(
    ("text", "nodes", "processors", "tasks", "gpus"),
    [
        ("1", 1, 1, 1, None),
        ("4:ppn=8", 4, 32, 32, None),
        ("2:ppn=8:x86_64+1:ppn=4", 3, 20, 20, None),
        ("c1+c2:ppn=4:gpus=2", 2, 5, 5, 2),
        ("1:ppn=8:dc2", 1, 8, 8, None),
        ("2:ppn=4:cpp=2", 2, 16, 8, None),
        ("2:ppn=1#shared", 2, 2, 2, None),
    ],
)
def test_nodes_are_added_up(
    text: str, nodes: int, processors: int, tasks: int, gpus: int | None
) -> None:
    chunks = read_nodes(text)
    assert chunks is not None
    assert chunks[:5] == (nodes, processors, tasks, gpus, None)


@each_case(
    ("text", "expected"),
    [
        ("1", (1, 1, 1, None, None)),
        ("3:ncpus=8", (3, 24, 3, None, None)),
        ("ncpus=8:mpiprocs=8", (1, 8, 8, None, None)),
        ("2:ncpus=8:mpiprocs=4:mem=16gb:ngpus=1+1:ncpus=1", (3, 17, 9, 2, 32.0)),
        ("1:host=n1:ncpus=2+1:ncpus=0:mpiprocs=0", (2, 2, 1, None, None)),
    ],
)
def test_chunks_are_added_up(text: str, expected: tuple[object, ...]) -> None:
    chunks = read_select(text)
    assert chunks is not None
    assert chunks[:5] == expected


@each_case(
    ("text", "features", "exclusive", "left_out"),
    [
        ("2:ppn=8:x86_64:brno", "x86_64&brno", False, ()),
        ("1:ppn=64:cl_zewura#excl", "cl_zewura", True, ()),
        ("2:ppn=1#shared", None, False, ()),
        ("1:ppn=4:gpus=2:exclusive_process:k20", "k20", False, ()),
        ("1:ppn=4:^n7", None, False, ("nodes requested by name",)),
        ("n7:ppn=4", None, False, ("nodes requested by name",)),
        ("1:ppn=4:scratch=10gb", None, False, ("scratch of each node",)),
        ("1:ppn=4+2:ppn=8:fat", None, False, ("chunks with different requests",)),
        ("1:ppn=4+2:ppn=4", None, False, ()),
    ],
)
def test_other_properties_of_nodes_are_kept_or_counted_as_left_out(
    text: str, features: str | None, *, exclusive: bool, left_out: tuple[str, ...]
) -> None:
    chunks = read_nodes(text)
    assert chunks is not None
    assert (chunks.features, chunks.exclusive, chunks.left_out) == (features, exclusive, left_out)
    assert (chunks.tasks_per_node is None) == ("chunks with different requests" in left_out)


def test_requests_of_chunks_are_kept_for_each_chunk() -> None:
    chunks = read_select("2:ncpus=8:mpiprocs=4:mem=16gb:model=has:bigmem=True:fast=false")
    assert chunks is not None
    told = (chunks.tasks_per_node, chunks.memory_per_node, chunks.features)
    assert told == (4, 16.0, "model=has&bigmem")


@each_case("text", ["", "+", "2:ppn=x", "0:ppn=4", "2:ppn=-1", "1:ppn=999999999"])
def test_damaged_node_specifications_are_refused(text: str) -> None:
    assert read_nodes(text) is None


@each_case("text", ["", "n1:ncpus=4", "2:ncpus=", "2:ncpus=0"])
def test_damaged_chunk_specifications_are_refused(text: str) -> None:
    assert read_select(text) is None


@each_case(
    ("text", "expected"),
    [
        ("c3/26", Slots(1, {"c3": 27})),
        ("c6/4,14-16", Slots(4, {"c6": 17})),
        ("n2/1+n2/0+n10/0", Slots(3, {"n2": 2, "n10": 1})),
        ("n1/0*8+n2/3*4", Slots(12, {"n1": 0, "n2": 0})),
        ("n1/5-2", None),
        ("n1", None),
    ],
)
def test_hosts_determine_slots(text: str, expected: Slots | None) -> None:
    assert read_exec_host(text) == expected


def test_virtual_nodes_determine_processors() -> None:
    assert read_exec_vnode("(n1[0]:ncpus=8:mem=1024kb)+(n2:ncpus=4:ngpus=1+n3:ncpus=2)") == 14
    assert read_exec_vnode("(n1)") is None


@each_case(
    ("text", "expected"),
    [
        ("00:00:02", 2.0),
        ("100:00:00", 360000.0),
        ("10:00", 600.0),
        ("3600", 3600.0),
        ("1:02:03:04", 93784.0),
        ("12.5", 12.5),
        ("-1", None),
        ("1e9", None),
        ("", None),
        ("٣", None),
    ],
)
def test_durations_are_read(text: str, expected: float | None) -> None:
    assert seconds(text) == expected


@each_case(
    ("text", "expected"),
    [
        ("1073741824", 1.0),
        ("1048576kb", 1.0),
        ("512MB", 0.5),
        ("2tb", 2048.0),
        ("128mw", 1.0),
        ("1.5gb", None),
        ("lots", None),
    ],
)
def test_amounts_of_memory_are_read(text: str, expected: float | None) -> None:
    assert gibibytes(text) == expected
