cimport cython
from schedulers.core.job cimport Job
from schedulers.core.nodeset cimport NodeSet
from schedulers.slurm.calendar cimport Calendar
from schedulers.slurm.cluster cimport Cluster, Ending, ending_of
from schedulers.slurm.rooms cimport Rooms
from schedulers.slurm.table cimport Period, PlanTable, period_of

cdef double NEVER, SOON, MARGIN

cdef class RememberedPlan:
    cdef public Py_ssize_t size, least, entries
    cdef public double limit, start, beyond, first_end, following, sees, ends_by, begin, added_from, added_to
    cdef public bint keeps, tested, is_full, begun, enough
    cdef public object choice, licences
    cdef public list periods
    cdef public NodeSet among, usable, added

cpdef bint is_of(RememberedPlan looked, Job job, object choice, double limit, bint keeps) except -1

cdef class Planner:
    cdef public Cluster cluster
    cdef public Calendar calendar
    cdef public object settings, is_limited
    cdef public double window, kill_wait, now, ends_by, added_from, added_to
    cdef public Py_ssize_t max_job_test, most_entries, tested
    cdef public bint shares, has_openings, has_tested_enough, is_full, again, continues
    cdef public PlanTable table
    cdef public Rooms rooms
    cdef public NodeSet added
    cdef public list jobs, looked, jobs_before, before
    cdef public dict alike
    cpdef object forget(self)
    @cython.locals(calendar=Calendar, begin=double, until=double, same=bint, ending=Ending)
    cpdef object begin(self, list ends, double now)
    cpdef object keep(self, double end, NodeSet nodes, object licences)
    @cython.locals(found=NodeSet)
    cpdef object start(self, Job job, double end, bint whole, object licences)
    @cython.locals(known=RememberedPlan, alike=RememberedPlan, tested=Py_ssize_t, start=double, looked=RememberedPlan)
    cpdef double plan(self, Job job, object choice, double limit, bint keeps, object licences) except? -1.5
    @cython.locals(table=PlanTable, looked=RememberedPlan)
    cpdef RememberedPlan look(self, Job job, object choice, double limit, bint keeps, object licences)
    cpdef bint has_now(self, RememberedPlan looked, list periods) except -1
    @cython.locals(table=PlanTable)
    cpdef object fill(self, RememberedPlan looked, double start)
    cpdef object note(self, Job job, RememberedPlan looked)
    cpdef double plan_as_remembered(self, Job job, RememberedPlan looked) except? -1.5
    @cython.locals(place=Py_ssize_t, known=RememberedPlan)
    cpdef RememberedPlan known(self, Job job, object choice, double limit, bint keeps)
    @cython.locals(now=double, until=double)
    cpdef bint holds(self, RememberedPlan known) except -1
    @cython.locals(table=PlanTable, periods=list, last=RememberedPlan, enough=bint)
    cpdef bint sees_the_same(self, RememberedPlan known) except -1
    @cython.locals(last=RememberedPlan, table=PlanTable, period=Period)
    cpdef object take_up(self)
    cpdef bint leaves_the_same(self, RememberedPlan known, RememberedPlan looked) except -1
    cpdef object test(self)
    @cython.locals(table=PlanTable, now=double, limit=double, able=NodeSet, until=double, enough=bint, tested=bint, date=double, start=double, following=double, openings=list)
    cpdef double planned(self, Job job, RememberedPlan looked) except? -1.5
    @cython.locals(usable=NodeSet, closed=NodeSet)
    cpdef bint leaves_enough(self, Job job, RememberedPlan looked, NodeSet able, double date) except -1
    @cython.locals(table=PlanTable, begin=double, end=double, nodes=NodeSet, closed=NodeSet)
    cpdef bint reserve_from(self, Job job, RememberedPlan looked, double start) except -1
