"""Cleaning a log: rules for jobs to remove, in the words of the Parallel Workloads Archive."""

from workload_tools.changes.cleaning.recipes import (
    RECIPES,
    Cleaned,
    CleaningRecipe,
    NamedRecipe,
    WarmUp,
    recipe,
)

__all__ = ["RECIPES", "Cleaned", "CleaningRecipe", "NamedRecipe", "WarmUp", "recipe"]
