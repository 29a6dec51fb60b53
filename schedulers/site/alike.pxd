cdef class Alike:
    cdef public tuple stopping, counting, windows
    cdef public str partition
    cdef public bint by_clock, is_free
    cdef public dict jobs, waited
    cdef public object rule
    cdef public double since
    cpdef bint stopped_by(self, object rule, double now) except -1
    cpdef dict waits(self, double now)
