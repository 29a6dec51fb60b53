"""Check that there is a GPU for each one that running jobs requested."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.schedulers.site.rules_model import Ran

ANY = "*"


def gpus_suffice(nodes: Sequence[Mapping[str, Any]], beside: Sequence[Ran]) -> bool:
    """Find a GPU for each requested one: a matching by augmenting paths."""
    there = [
        (node, kind, number)
        for node, one in enumerate(nodes)
        for kind, count in one.get("gpus", {}).items()
        for number in range(count)
    ]
    asked: list[tuple[set[int], str]] = []
    for one in beside:
        count, told = one.job.get("gpu", 0), one.job.get("node", 0)
        kind = one.job.get("gpu_type", ANY)
        if told:
            asked += [({node}, kind) for node in one.on for _ in range(-(-count // told))]
        else:
            asked += [(set(one.on), kind)] * count
    given: dict[tuple[int, str, int], int] = {}

    def find(place: int, seen: set[tuple[int, str, int]]) -> bool:
        places, kind = asked[place]
        for gpu in there:
            if gpu in seen or gpu[0] not in places or kind not in (ANY, gpu[1]):
                continue
            seen.add(gpu)
            if gpu not in given or find(given[gpu], seen):
                given[gpu] = place
                return True
        return False

    return all(find(place, set()) for place in range(len(asked)))
