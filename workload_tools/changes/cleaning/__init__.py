"""Cleaning a log: what is to be removed, said as the Parallel Workloads Archive says it."""

from workload_tools.changes.cleaning.recipes import (
    RECIPES,
    Cleaned,
    CleaningRecipe,
    NamedRecipe,
    WarmUp,
    recipe,
)

__all__ = ["RECIPES", "Cleaned", "CleaningRecipe", "NamedRecipe", "WarmUp", "recipe"]
