"""Requests of the PBS hook: a job described by its PBS attributes."""

from collections import Counter
from collections.abc import Mapping

from pred_aware.production.messages import JobDescription
from workload_tools.pbs.ended import limit, project_of
from workload_tools.pbs.quantities import Attributes
from workload_tools.pbs.request import read_request


def job_of_pbs(job_attributes: Mapping[str, str]) -> JobDescription:
    """Convert attributes into the same values that the job's end record will have.

    Parameters
    ----------
    job_attributes
        Attributes, named as in PBS's accounting log.

    Examples
    --------
    >>> resources = {"Resource_List.select": "2:ncpus=8", "Resource_List.place": "scatter"}
    >>> job = job_of_pbs({"user": "ann", **resources})
    >>> job.user, job.processors, job.nodes
    ('ann', 16, 2)
    """
    attributes = Attributes(job_attributes, Counter())
    request = read_request(attributes)
    return JobDescription(
        processors=request.processors or 1,
        walltime=attributes.value("Resource_List.walltime", limit),
        user=attributes.name("user"),
        project=project_of(attributes),
        queue=attributes.name("queue"),
        partition=attributes.name("Resource_List.partition"),
        qos=attributes.name("Resource_List.qos"),
        name=attributes.name("jobname"),
        nodes=request.nodes,
        gpus=request.gpus,
        memory=request.memory,
    )
