cimport cython
from schedulers.core.job cimport Job

cdef double NEVER, LITTLE

cdef class Counter:
    cdef public str rule
    cdef public double most, used, begin, end
    cdef public bint alone
    cdef public dict _taken, waiting
    cpdef bint stops(self, double amount, double now) except -1
    cpdef bint _is_above(self, double used, double amount, double now) except -1
    cpdef object take(self, Job job, double amount, double now)
    @cython.locals(amount=double)
    cpdef object give_back(self, Job job)

cdef class MinutesLeft(Counter):
    cdef public double _rate
    cdef public dict _rates
    @cython.locals(rate=double)
    cpdef object take(self, Job job, double amount, double now)
    @cython.locals(rate=double)
    cpdef object give_back(self, Job job)

cdef class MinutesInSteps(MinutesLeft):
    cdef public dict _since
    cdef public double _step, period
    @cython.locals(rate=double)
    cpdef object take(self, Job job, double amount, double now)
    @cython.locals(since=double)
    cpdef object give_back(self, Job job)

cdef class UsedCounter(Counter):
    cdef public object had
    cpdef bint stops_at(self, Job job, object placement, double now) except -1

cdef class EqualJobs:
    cdef public tuple stopping, counting, windows
    cdef public str partition
    cdef public bint by_clock, is_free
    cdef public dict jobs, waited
    cdef public object rule
    cdef public double since
    cpdef bint stopped_by(self, object rule, double now) except -1
    cpdef dict waits(self, double now)
