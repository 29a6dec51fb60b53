"""What the loops that ask predictors are compiled of, and what is compiled in this process."""

import os
from pathlib import Path

from predictors.compile_cache import CompiledCode


def sources() -> tuple[Path, ...]:
    """Return the files of all that is compiled."""
    own = Path(__file__).parent
    code = own.parents[2]
    return (
        code / "predictors" / "compile_cache.py",
        code / "predictors" / "compiled.py",
        code / "predictors" / "rules" / "nearest.py",
        # where constants are from
        code / "predictors" / "regression" / "activity.py",
        code / "predictors" / "regression" / "encoding.py",
        own.parent / "compiled.py",
        own.parent / "records.py",
        own.parent / "kernel" / "codes.py",
        *(
            own / f"{name}.py"
            for name in ("activity", "functions", "loop", "models", "nearest", "sources", "values")
        ),
    )


CODE = CompiledCode("predicting", sources, os.environ)
"""That of this process."""
