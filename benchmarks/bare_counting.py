"""A minimal EASY backfilling in Python: it only counts processors and writes no files.

Other benchmarks divide by its CPU seconds, because machines differ and are noisy.
"""

from bisect import bisect_left, insort
from heapq import heappop, heappush
from time import process_time

from workload_tools.batsim.workload import RawWorkload

Row = tuple[float, int, int, float, float]


def rows_of(workload: RawWorkload) -> list[Row]:
    """Return (submission, number, size, run time, walltime) of each job, in s, by submission."""
    rows = []
    for number, job in enumerate(workload.jobs):
        walltime = job.walltime or -1.0
        run_time = min(workload.profiles[job.profile].delay, walltime)
        rows.append((job.subtime, number, job.res, run_time, walltime))
    return sorted(rows)


def easy(  # noqa: C901, PLR0912 - one function, for speed
    processors: int, jobs: list[Row]
) -> tuple[float, float]:
    """Schedule the jobs; return the mean wait and the CPU time of this function, in s."""
    began = process_time()
    free, queue, ends, plan, following = processors, [], [], [], 0
    waits = 0.0
    while following < len(jobs) or ends:
        now = jobs[following][0] if following < len(jobs) else float("inf")
        if ends and ends[0][0] < now:
            now = ends[0][0]
        while ends and ends[0][0] == now:
            _, number, size, planned = heappop(ends)
            free += size
            del plan[bisect_left(plan, (planned, number, size))]
        while following < len(jobs) and jobs[following][0] == now:
            queue.append(jobs[following])
            following += 1
        started = []
        while queue and queue[0][2] <= free:
            started.append(job := queue.pop(0))
            free -= job[2]
            insort(plan, (now + job[4], job[1], job[2]))
        if queue and free:
            needed, count = queue[0][2], free
            for place, (reserved, _, size) in enumerate(plan):  # noqa: B007 - used after the loop
                count += size
                if count >= needed:
                    break
            place += 1
            while place < len(plan) and plan[place][0] == reserved:
                count += plan[place][2]
                place += 1
            extra = count - needed
            waiting = queue[:1]
            for job in queue[1:]:
                size = job[2]
                if size <= free and (now + job[4] <= reserved or size <= extra):
                    if now + job[4] > reserved:
                        extra -= size
                    free -= size
                    started.append(job)
                    insort(plan, (now + job[4], job[1], size))
                else:
                    waiting.append(job)
            queue = waiting
        for submitted, number, size, run_time, walltime in started:
            waits += now - submitted
            heappush(ends, (now + run_time, number, size, now + walltime))
    return waits / len(jobs), process_time() - began
