"""Clean a log: conditions remove jobs, in the notation of the Parallel Workloads Archive."""

from workload_tools.changes.cleaning.recipes import (
    RECIPES,
    Cleaned,
    CleaningRecipe,
    NamedRecipe,
    WarmUp,
    recipe,
)

__all__ = ["RECIPES", "Cleaned", "CleaningRecipe", "NamedRecipe", "WarmUp", "recipe"]
