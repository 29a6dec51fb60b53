"""An example site with one table of each kind."""

from schedulers.site.reader import site_of

EXAMPLE = site_of(
    {
        "name": "example",
        "time_zone": "Europe/Stockholm",
        "cycle": 60,
        "nodes": [
            {"name": "thin", "count": 96, "cores": 32, "memory": 128},
            {
                "name": "fat", "count": 4, "cores": 32, "memory": 1024, "gpus": {"a100": 4},
                "weight": 10,
            },
        ],
        "partitions": [
            {"name": "batch", "nodes": "thin", "default": True, "max_walltime": "24:00:00"},
            {"name": "large", "nodes": ["thin[1-16]", "fat"], "accounts": ["physics", "chemistry"]},
        ],
        "limits": [
            {"of": "jobs", "per": "user", "most": 10, "by": {"service": 40}},
            {
                "of": "processors", "per": ["user", "partition"], "most": 1024,
                "only": {"qos": "short"},
            },
        ],
        "windows": [{"days": "Mon-Fri", "closed": "08:00-17:00", "longer_than": "04:00"}],
        "freezes": [{"begin": "2026-03-01T06:00:00", "end": "2026-03-01T18:00:00"}],
        "capacity": [{"begin": "2026-06-01T00:00:00", "processors": 3136}],
        "outages": [
            {"nodes": "fat[3-4]", "begin": "2026-02-02T09:00:00", "end": "2026-02-05T00:00:00"}
        ],
        "reservations": [
            {
                "name": "course", "nodes": "thin[1-8]", "accounts": "teaching",
                "begin": "2026-04-01T08:00:00", "end": "2026-04-01T18:00:00",
            }
        ],
    }
)  # fmt: skip
"""Nodes, partitions and each kind of rule."""
