cimport cython
from schedulers.core.job cimport Job
from schedulers.core.machine cimport Availability, Machine, Reservation
from schedulers.site.gate cimport Gate

cdef class GatedMachine(Machine):
    cdef public Machine inside, _inside
    cdef public Gate gate
    cdef public double _now
    cdef public bint _may_promise, _skips, _in_pass, over, needs_fields
    cdef public list _promises, _queue
    cdef public object _without
    cpdef object begin_pass(self, list queue, double now)
    cpdef object end_pass(self)
    cpdef bint stops(self, Job job, object placement=*) except -1
    cpdef bint _stops(self, Job job) except -1
    cpdef object without(self, Reservation reservation)
