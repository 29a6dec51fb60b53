"""What the engine is compiled of, and what is compiled in this process."""

import os
from pathlib import Path

from predictors.compile_cache import CompiledCode


def sources() -> tuple[Path, ...]:
    """Return the files of all that is compiled."""
    own = Path(__file__).parent
    code = own.parents[1]
    return (
        code / "predictors" / "compiled.py",
        own / "compiled.py",
        own / "job_text.py",
        own / "records.py",
        own / "sources.py",
        *sorted((own / "kernel").glob("*.py")),
        *sorted((code / "schedulers" / "corrections").glob("*.py")),
        # where constants are from
        code / "pred_aware" / "simulator" / "ledger.py",
        code / "predictors" / "estimate.py",
        code / "schedulers" / "backfilling" / "trusted.py",
        code / "schedulers" / "orders" / "multifactor.py",
        code / "schedulers" / "orders" / "priority_factors.py",
        code / "schedulers" / "site" / "counters.py",
        code / "schedulers" / "slurm" / "ends.py",
        code / "schedulers" / "slurm" / "memory.py",
        code / "schedulers" / "slurm" / "planner.py",
        code / "schedulers" / "slurm" / "runs.py",
    )


CODE = CompiledCode("engine", sources, os.environ)
"""That of this process."""
