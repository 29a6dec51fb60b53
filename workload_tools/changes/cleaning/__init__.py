"""Cleaning a log: what is to be removed, said as the Parallel Workloads Archive says it."""

from workload_tools.changes.cleaning.cleaned import Cleaned, WarmUp
from workload_tools.changes.cleaning.recipes import RECIPES, CleaningRecipe, NamedRecipe, recipe

__all__ = ["RECIPES", "Cleaned", "CleaningRecipe", "NamedRecipe", "WarmUp", "recipe"]
