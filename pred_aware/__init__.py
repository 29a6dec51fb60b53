"""Show, on your own job log, what run time prediction would change.

In a script or a notebook, use ``import pred_aware as pa``. docs/reference/api.md describes all
names.
"""

from typing import TYPE_CHECKING, Any

from pred_aware.version import __version__

if TYPE_CHECKING:
    from pred_aware.campaign.campaign import Campaign, read_campaign
    from pred_aware.comparison.comparing import compare
    from pred_aware.comparison.comparison import Comparison
    from pred_aware.execution.simulate import simulate
    from pred_aware.explanation.explainer import Explainer, explain
    from pred_aware.explanation.explanation import Explanation
    from pred_aware.log.job_log import JobLog, read_log
    from pred_aware.log.workload import Workload, read_workload
    from pred_aware.metrics.lower_bound import LowerBound, lower_bound
    from pred_aware.prediction.predict import Measured, predict
    from pred_aware.recorded_queue.baseline_check import BaselineCheck
    from pred_aware.recorded_queue.check import check_baseline
    from pred_aware.rehearsal.rehearsal import Rehearsal, rehearse
    from pred_aware.runs.reading import read_run
    from pred_aware.runs.run import Run
    from pred_aware.site_configuration import read_site
    from pred_aware.site_inference.fitting import infer_site
    from pred_aware.site_inference.inferred_site import InferredSite
    from schedulers.machine.block import BlockList
    from schedulers.machine.block_file import read_blocks
    from schedulers.machine.blue_gene import blue_gene
    from schedulers.options import PolicyOptions
    from schedulers.site.site import Site
    from workload_tools.platform.platform import Platform

__all__ = [
    "BaselineCheck",
    "BlockList",
    "Campaign",
    "Comparison",
    "Explainer",
    "Explanation",
    "InferredSite",
    "JobLog",
    "LowerBound",
    "Measured",
    "Platform",
    "PolicyOptions",
    "Rehearsal",
    "Run",
    "Site",
    "Workload",
    "__version__",
    "blue_gene",
    "check_baseline",
    "compare",
    "explain",
    "infer_site",
    "lower_bound",
    "predict",
    "read_blocks",
    "read_campaign",
    "read_log",
    "read_run",
    "read_site",
    "read_workload",
    "rehearse",
    "simulate",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - functions and classes
    # `python -m pred_aware` runs this module before it removes the working folder from the path. A
    # `predictors.py` in that folder may be any program, so the top level imports only this package.
    from predictors.on_demand import on_demand

    return on_demand(__name__)(name)


def __dir__() -> list[str]:
    return sorted(__all__)
