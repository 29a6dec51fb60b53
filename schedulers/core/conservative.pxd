cimport cython
from schedulers.core.backfilling cimport Backfilling
from schedulers.core.job cimport Job, Kind, Plan
from schedulers.core.machine cimport Availability, Machine

cdef str BACKFILLED

cdef class Conservative(Backfilling):
    cdef public str candidates
    cdef public Availability availability
    cdef public bint _freed, _anew
    cdef public Kinds _kinds
    @cython.locals(begin=double, end=double)
    cpdef object withdrawn(self, Job job, double now)
    @cython.locals(ordered=list, late=bint, job=Job, chosen=list, passed=bint)
    cpdef list choose(self, list queue, Plan plan, double now)
    cpdef object give_place(self, Job job)
    @cython.locals(job=Job, place=double)
    cpdef object compress(self, list queue, double now)

cdef class Kinds:
    cdef public dict _known
    @cython.locals(kind=Kind)
    cpdef Kind note(self, Job job)
