"""Names that a shell completes."""


def scheduler_names(begun: str) -> list[str]:
    """Return the schedulers whose names begin so."""
    from schedulers import scheduler_names as known

    return [name for name in known() if name.startswith(begun)]


def predictor_names(begun: str) -> list[str]:
    """Return the predictors whose names begin so."""
    from predictors.registry import PREDICTORS

    return [name for name in PREDICTORS.names() if name.startswith(begun)]
