cimport cython
from schedulers.core.nodeset cimport NodeSet

cdef double NEVER

cdef class Period:
    cdef public double begin
    cdef public NodeSet free
    cdef public object licences

@cython.locals(period=Period)
cpdef Period period_of(double begin, NodeSet free, object licences)
@cython.locals(low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t, period=Period)
cpdef Py_ssize_t begun_by(list periods, double date) except -1

cdef class PlanTable:
    cdef public NodeSet nodes, usable
    cdef public object licences
    cdef public double following, begin, until, beyond
    cdef public list periods
    cdef public bint looks_beyond, owns_periods, begun
    cdef public Py_ssize_t entries, place
    cpdef object reset(self, double begin, double until)
    @cython.locals(period=Period)
    cpdef double end_of_first(self, list periods) except? -1.5
    @cython.locals(first=double, place=Py_ssize_t, period=Period)
    cpdef double sees_until(self, list periods, double now, double limit) except? -1.5
    @cython.locals(usable=NodeSet, last=Py_ssize_t, end=double, place=Py_ssize_t, period=Period, after=Period, enough=bint, changed=bint)
    cpdef bint look(self, list periods, double start, double limit, Py_ssize_t least, NodeSet among, object licences) except -1
    @cython.locals(period=Period, after=Period)
    cpdef object look_beyond(self, list periods, Py_ssize_t place, NodeSet among, object licences)
    @cython.locals(periods=list, first=Py_ssize_t, place=Py_ssize_t, period=Period)
    cpdef bint is_free(self, double start, double end, NodeSet nodes, object licences) except -1
    @cython.locals(first=Py_ssize_t, last=Py_ssize_t, periods=list, place=Py_ssize_t, period=Period)
    cpdef object add(self, double start, double end, NodeSet nodes, object licences)
    @cython.locals(place=Py_ssize_t, period=Period)
    cpdef Py_ssize_t split(self, double date) except -1
    @cython.locals(periods=list, place=Py_ssize_t, period=Period, before=Period)
    cpdef object join_one(self)

cpdef bint has(Period period, object licences) except -1
cpdef bint has_more(Period after, Period before, object licences) except -1
