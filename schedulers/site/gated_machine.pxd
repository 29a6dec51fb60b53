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
    cpdef object begin(self, Py_ssize_t processors)
    cpdef object refusal(self, Job job)
    cpdef bint stops(self, Job job, object placement=*) except -1
    cpdef bint _stops(self, Job job) except -1
    cpdef bint take(self, Job job) except -1
    cpdef bint start(self, Job job, Availability availability) except -1
    cpdef Reservation reserve(self, Job job, list running, double now)
    cpdef bint take_beside(self, Job job, Reservation reservation, double end) except -1
    cpdef object without(self, Reservation reservation)
    cpdef object give_back(self, Job job)
    cpdef tuple allocate(self, Job job)
    cpdef Availability availability(self, double now)
