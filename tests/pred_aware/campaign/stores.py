"""What is in a store."""

from pathlib import Path


def determined(store: Path) -> dict[str, bytes]:
    """All files of runs in a store by their names, but what is measured or was never finished."""
    return {
        str(path.relative_to(store)): path.read_bytes()
        for path in sorted(store.rglob("*"))
        if path.is_file()
        and path.name not in ("measured.json", "index.cache")
        and ".part" not in str(path.relative_to(store))
    }
