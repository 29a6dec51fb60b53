"""A brute-force model of nodes, and small random sites and requests for it."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from schedulers.core.job import Job
from schedulers.machine.nodes import Nodes
from schedulers.site.reader import site_of

TYPES = ("a", "b")


@dataclass
class Node:
    """The total or free resources of a node; memory in GiB, `None` if no rule uses it."""

    cores: int
    memory: int | None
    gpus: dict[str, int]
    features: tuple[str, ...]
    partitions: tuple[str, ...]
    whole: bool


@dataclass(frozen=True)
class Ask:
    """A request, as the rules of the site see it."""

    units: int
    unit: int = 1
    nodes: int = 0
    most: int = 0
    memory_on_node: int = 0
    memory_each: int = 0
    gpus: int = 0
    gpu_type: str = ""
    whole: bool = False
    features: tuple[str, ...] = ()
    partitions: tuple[str, ...] = ()

    def job(self, number: int, walltime: float) -> Job:
        size = self.units * self.unit
        fields: dict[str, Any] = {
            "tasks": self.units, "node": self.nodes, "tasks_per_node": self.most,
            "memory_per_node": self.memory_on_node, "mem": self.memory_each * size,
            "gpu": self.gpus, "gpu_type": self.gpu_type, "features": "&".join(self.features),
            "exclusive": self.whole,
        }  # fmt: skip
        told = {name: value for name, value in fields.items() if value}
        return Job(
            f"w0!{number}", 0.0, size, walltime, fields=told, number=number,
            partitions=self.partitions,
        )  # fmt: skip


@dataclass
class Site:
    """A small site as a value of the tool, and its nodes as the model has them."""

    content: dict[str, Any]
    nodes: list[Node]
    whole_partitions: frozenset[str] = field(default_factory=frozenset)

    def machine(self) -> Nodes:
        machine = Nodes(site_of(self.content), float)
        machine.begin(sum(node.cores for node in self.nodes))
        return machine


def random_site(rng: random.Random) -> Site:
    classes, nodes = [], []
    for place in range(rng.randint(1, 3)):
        one: dict[str, Any] = {"name": f"{'xyz'[place]}", "count": rng.randint(1, 2)}
        one["cores"] = rng.randint(1, 4)
        if one["cores"] < 3 and rng.random() < 0.4:
            one["threads"] = 2
        if rng.random() < 0.5:
            one["memory"] = rng.randint(1, 8)
        one["gpus"] = {name: rng.randint(1, 3) for name in TYPES if rng.random() < 0.3}
        one["features"] = [name for name in ("fast", "big") if rng.random() < 0.5]
        one["weight"] = rng.randint(0, 2)
        one["whole"] = rng.random() < 0.15
        classes.append(one)
        nodes += [
            Node(
                one["cores"] * one.get("threads", 1),
                one.get("memory"),
                dict(one["gpus"]),
                tuple(one["features"]),
                (),
                one["whole"],
            )
            for _ in range(one["count"])
        ]
    names = [f"{one['name']}{number}" for one in classes for number in range(1, one["count"] + 1)]
    partitions = []
    for name in ("p", "q")[: rng.randint(0, 2)]:
        chosen = sorted(rng.sample(range(len(names)), rng.randint(1, len(names))))
        for place in chosen:
            nodes[place].partitions += (name,)
        partitions.append(
            {"name": name, "nodes": [names[place] for place in chosen], "whole": rng.random() < 0.2}
        )
    whole = frozenset(one["name"] for one in partitions if one["whole"])
    return Site({"nodes": classes, "partitions": partitions}, nodes, whole)


def random_ask(rng: random.Random, site: Site) -> Ask:
    unit = rng.choice((1, 1, 1, 2))
    units = rng.randint(1, 5)
    nodes = rng.choice((0, 0, rng.randint(1, min(units, 3))))
    most = rng.choice((0, 0, rng.randint(1, 3)))
    if nodes * most < units and nodes:
        most = 0
    memory = rng.choice((0, 0, 1, 2))
    gpus = rng.choice((0, 0, 0, 1, 2, 3)) * max(1, nodes)
    known = [one["name"] for one in site.content["partitions"]]
    return Ask(
        units, unit, nodes, most,
        memory_on_node=memory if rng.random() < 0.5 else 0,
        memory_each=memory,
        gpus=gpus,
        gpu_type=rng.choice(("", "a")) if gpus else "",
        whole=rng.random() < 0.15,
        features=tuple(name for name in ("fast", "big") if rng.random() < 0.15),
        partitions=tuple(rng.sample(known, rng.randint(0, len(known)))),
    )  # fmt: skip


def free_gpus(node: Node, ask: Ask) -> int:
    return node.gpus.get(ask.gpu_type, 0) if ask.gpu_type else sum(node.gpus.values())


def allowed(  # noqa: PLR0911 - a rule each
    site: Site, free: Sequence[Node], ask: Ask, given: Sequence[int], partition: str
) -> bool:
    """Return True if the processors on each node satisfy the request by the site's rules."""
    used = [place for place, count in enumerate(given) if count]
    if sum(given) != ask.units * ask.unit or (ask.nodes and len(used) != ask.nodes):
        return False
    gpus = 0
    for place in used:
        node, count = free[place], given[place]
        if partition and partition not in node.partitions:
            return False
        if not set(ask.features) <= set(node.features) or count % ask.unit:
            return False
        if ask.most and count > ask.most * ask.unit:
            return False
        whole = ask.whole or node.whole or partition in site.whole_partitions
        if count > node.cores or (whole and node.cores < site.nodes[place].cores):
            return False
        memory = ask.memory_on_node or ask.memory_each * count
        if node.memory is not None and memory > node.memory:
            return False
        if ask.nodes and free_gpus(node, ask) < ask.gpus // ask.nodes:
            return False
        gpus += free_gpus(node, ask)
    return gpus >= ask.gpus


def fits(site: Site, free: Sequence[Node], ask: Ask) -> bool:
    """Try all ways to give a job processors of the nodes."""
    ways = list(product(*(range(max(0, node.cores) + 1) for node in free)))
    return any(
        allowed(site, free, ask, given, partition)
        for partition in ask.partitions or ("",)
        for given in ways
        if sum(given) == ask.units * ask.unit
    )


def free_beside(
    site: Site, machine: Nodes, numbers: Iterable[int], of: Mapping[int, Any] | None = None
) -> list[Node]:
    """Return what is free beside jobs that have what the machine says that they have."""
    free = [
        Node(node.cores, node.memory, dict(node.gpus), node.features, node.partitions, node.whole)
        for node in site.nodes
    ]
    types = sorted({name for node in site.nodes for name in node.gpus})
    for number in numbers:
        placement = (machine.held if of is None else of)[number]
        for column, place in enumerate(placement.nodes):
            node = free[place]
            node.cores -= placement.taken[column]
            if placement.rest is not None:
                if node.memory is not None:
                    node.memory -= placement.rest[0][column] / 2**20
                for row, name in enumerate(types, 1):
                    node.gpus[name] = node.gpus.get(name, 0) - placement.rest[row][column]
    for node in free:
        assert node.cores >= 0
        assert node.memory is None or node.memory >= 0
        assert all(count >= 0 for count in node.gpus.values())
    return free
