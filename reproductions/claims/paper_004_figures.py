"""Paper 004's figures: relative to the base, as in the paper, but with intervals."""

from reproductions.claims.paper_004_trying import (
    BELOW,
    EXACT,
    FCFS,
    LENGTHS,
    LOGS,
    MEASURES,
    ON_BLOCKS,
    ROLES,
    SCHEMES,
    SIZES,
    STARTS,
    WFP,
)
from reproductions.figures.figures import Gains, Labelled, PaperFigure, Starts, WaitsInClasses

_SHORT = ("wait", "unitless wait", "slowdown")
_ALL = tuple(zip(_SHORT, MEASURES, strict=True))
_BELOW = tuple(zip(_SHORT, BELOW, strict=True))
_KINDS = tuple(zip(("from the head", "past the head", "backfilled"), STARTS, strict=True))
_VARIANTS = (("", ", counted"), (ON_BLOCKS, ", on blocks"))
_EXACTLY = "run times in some roles"


def _named(*names: str) -> Labelled:
    """Label policies as the paper does."""
    return tuple(("S111" if name == EXACT else name, name) for name in names)


def _accuracies(names: tuple[str, ...]) -> Labelled:
    return tuple((name.rpartition(" ")[2] if "=" in name else "a=0", name) for name in names)


def _gains(place: str, title: str, policies: Labelled, base: str) -> list[PaperFigure]:
    return [
        Gains(f"{place}{part}", f"{title}{of}", LOGS, policies, base, measures, _VARIANTS)
        for part, of, measures in (
            ("a", ", all jobs", _ALL),
            ("b", ", jobs below the 99th percentile", _BELOW),
        )
    ]


def _starts(place: str, title: str, policies: Labelled) -> PaperFigure:
    return Starts(place, f"how jobs are started, {title}", LOGS, policies, _KINDS, _VARIANTS)


_IN_CLASSES = (
    *_named("user-based", "combined", "selective"),
    ("exact run times", EXACT),
)

FIGURES: tuple[PaperFigure, ...] = (
    Gains("IV.C, table III", "WFP against FCFS", LOGS, _named("WFP"), "FCFS", (*_ALL,), _VARIANTS),
    *_gains("IV.C, figure 4", "FCFS with accuracy a", _accuracies(FCFS[1:]), "FCFS"),
    _starts("IV.C, figure 4c", "FCFS with accuracy a", _accuracies(FCFS)),
    *_gains("IV.C, figure 5", "WFP with accuracy a", _accuracies(WFP[1:]), "WFP"),
    _starts("IV.C, figure 5c", "WFP with accuracy a", _accuracies(WFP)),
    *_gains("IV.C, figure 6", _EXACTLY, _named(*ROLES, EXACT), "WFP"),
    _starts("IV.C, figure 7", _EXACTLY, _named("WFP", *ROLES, EXACT)),
    *_gains("V.B, figure 8", "estimates adjusted by past jobs", _named(*SCHEMES), "WFP"),
    _starts("V.B, figure 8c", "estimates adjusted by past jobs", _named("WFP", *SCHEMES)),
    *(
        WaitsInClasses(
            f"V.B, figure {number}",
            f"mean wait by {what}{against}",
            LOGS,
            policies,
            classes,
            base,
            _VARIANTS,
        )
        for number, what, classes in ((9, "size", SIZES), (10, "length", LENGTHS))
        for against, base, policies in (
            ("", "", (*_named("WFP"), *_IN_CLASSES)),
            (", less than with walltimes", "WFP", _IN_CLASSES),
        )
    ),
)
