"""What is in a store."""

import json
from pathlib import Path


def determined(store: Path) -> dict[str, bytes]:
    """All files of runs in a store by their names, but what is measured or was never finished."""
    return {
        str(path.relative_to(store)): _without_cost(path)
        for path in sorted(store.rglob("*"))
        if path.is_file()
        and path.name not in ("measured.json", "index.cache")
        and ".part" not in str(path.relative_to(store))
    }


def _without_cost(path: Path) -> bytes:
    """Return what a file has, but what the calls of a replay took."""
    if path.parent.name != "replays":
        return path.read_bytes()
    kept = json.loads(path.read_bytes())
    assert kept.pop("cost")
    return json.dumps(kept).encode()
