cimport cython
from schedulers.core.job cimport Job, Plan
from schedulers.core.machine cimport Availability, Machine, Reservation

cdef double NEVER
cdef str QUEUE, BACKFILLED

cdef class Backfilling:
    cdef public Machine machine
    cdef public bint plans, remembers, only_fitting, asks
    cpdef object begin(self, Machine machine)
    cpdef list choose(self, list queue, Plan plan, double now)
    cpdef object ended(self, Job job, double now)
    cpdef object corrected(self, Job job, double planned_end, double now)
    cpdef object withdrawn(self, Job job, double now)
    cpdef object changed(self, Plan plan, double now)
    cpdef double next_pass(self, Py_ssize_t waiting, double now, bint order_changes) except? -1.5

@cython.locals(fitting=Py_ssize_t, job=Job)
cpdef list take_heads(list queue, Machine machine)
cpdef list in_order(list jobs, str candidates)

cdef class NoBackfilling(Backfilling): pass

cdef class Filler(Backfilling):
    cdef public str candidates
    @cython.locals(machine=Machine, chosen=list, fitting=list, head=Py_ssize_t, job=Job)
    cpdef list choose(self, list queue, Plan plan, double now)

cdef class Easy(Backfilling):
    cdef public str candidates
    cdef public Py_ssize_t reservations
    cdef public object _without
    @cython.locals(machine=Machine, head=Job, chosen=list, job=Job, reservation=Reservation, able=list, free=Py_ssize_t, date=double, extra=Py_ssize_t, place=Py_ssize_t, backfilled=list)
    cpdef list choose(self, list queue, Plan plan, double now)
    @cython.locals(machine=Machine, availability=Availability, started=list, job=Job, place=double)
    cpdef list around(self, list queue, Plan plan, double now)

@cython.locals(job=Job, availability=Availability)
cpdef Availability beside(Plan plan, Machine machine, double now)
