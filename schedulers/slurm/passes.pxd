cimport cython
from schedulers.core.backfilling cimport Backfilling
from schedulers.core.job cimport Job, Plan, take_out
from schedulers.core.nodeset cimport NodeSet
from schedulers.slurm.calendar cimport Calendar, ceil, floor
from schedulers.slurm.cluster cimport Cluster, Ending, Line, ending_of, insert
from schedulers.slurm.planner cimport Planner

cdef double NEVER, SOON
cdef Py_ssize_t ALL
cdef str BACKFILLED

cdef class SlurmPasses(Backfilling):
    cdef public Cluster cluster
    cdef public Calendar calendar
    cdef public Planner planner
    cdef public object licences, share, key_in, is_limited
    cdef public dict tiers, first
    cdef public bint has_licences, plans_with_licences, reserves_running, defers, backfills
    cdef public bint listed, has_ended, has_unseen
    cdef public double interval, min_age_reserve, full_interval, batch_delay, gives_up_after
    cdef public double due, main_due, last_main, last_full, last_backfill, still_since
    cdef public Py_ssize_t most_starts, depth, partition_depth, running, waited, newest
    @cython.locals(at=double)
    cpdef object schedule_next(self, double now)
    @cython.locals(at=double, full=double)
    cpdef double next_pass(self, Py_ssize_t waiting, double now, bint order_changes) except? -1.5
    @cython.locals(ahead=list, chosen=list, started=list, come=list, full=bint, number=Py_ssize_t, job=Job)
    cpdef list choose(self, list queue, Plan plan, double now)
    @cython.locals(due=double)
    cpdef bint main_is_due(self, double now) except -1
    @cython.locals(new=list, numbers=list, job=Job)
    cpdef list submissions(self, list queue)
    @cython.locals(cluster=Cluster, chosen=list, stopped=dict, kept=NodeSet, started=set, looked=set, of_partition=dict, line=Line, job=Job, usable=NodeSet, has_room=bint)
    cpdef list main_pass(self, list queue, double now, bint full)
    @cython.locals(usable=NodeSet, closed=NodeSet)
    cpdef NodeSet usable(self, Job job, object choice, NodeSet kept, double now)
    cpdef bint stops(self, Job job, object placement) except -1
    cpdef bint take(self, Job job) except -1
    @cython.locals(planner=Planner, started=list)
    cpdef list backfill(self, list queue, Plan plan, list chosen, double now)
    @cython.locals(planner=Planner, started=list, numbers=set, earliest=dict, line=Line, job=Job, keeps=bint, start=double)
    cpdef list plan_all(self, list queue, double now)
    cpdef bint skips(self, Job job, object choice) except -1
    @cython.locals(planner=Planner, cluster=Cluster)
    cpdef bint starts(self, Job job, object choice, double now, bint keeps, object licences) except -1
    @cython.locals(ends=list, ending=Ending, cluster=Cluster, calendar=Calendar, soon=double, date=double, job=Job)
    cpdef list ends(self, Plan plan, list chosen, double now)
    @cython.locals(cluster=Cluster, ends=list)
    cpdef object keep_running(self, Plan plan, list chosen, double now)

@cython.locals(job=Job)
cpdef object note_overtaking(list queue, list chosen)
