cimport cython
from schedulers.core.job cimport Job, Kind
from schedulers.core.machine cimport Availability, Machine, Reservation

cdef double NEVER
cdef str QUEUE, BACKFILLED

cdef class Counting(Machine):
    cdef public object allocation, _rule, _which
    cdef public Py_ssize_t size
    cdef public Reservation _reservation
    @cython.locals(date=double, missing=Py_ssize_t, other=Job, reservation=Reservation)
    cpdef Reservation reserve(self, Job job, list running, double now)

@cython.freelist(64)
@cython.final
cdef class Step:
    cdef public double date
    cdef public Py_ssize_t free

cdef class CountedAvailability(Availability):
    cdef public list steps
    cdef public double[::1] _freed_from
    cdef public long long[::1] _freed_as
    cdef public Py_ssize_t _freed, _base, _noted
    cdef public Machine _machine
    @cython.locals(passed=Py_ssize_t, step=Step)
    cpdef object advance(self, double now)
    @cython.locals(step=Step)
    cpdef object hold(self, Job job, double end)
    @cython.locals(step=Step)
    cpdef bint may_hold(self, Job job, double end) except -1
    @cython.locals(start=double)
    cpdef double place(self, Job job, double duration) except? -1.5
    @cython.locals(kind=Kind, floor=double, place=double)
    cpdef double move_up(self, Job job, double start, double duration) except? -1.5
    @cython.locals(dates=cython.double[::1], noted=Py_ssize_t)
    cpdef object give_back(self, Job job, double start, double end)
    @cython.locals(numbers=cython.longlong[::1], noted=Py_ssize_t, low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t)
    cpdef bint is_first(self, Kind kind) except -1
    @cython.locals(steps=list, low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t, step=Step)
    cpdef Py_ssize_t holding(self, double date) except -9
    @cython.locals(place=Py_ssize_t, step=Step, new=Step)
    cpdef Py_ssize_t split(self, double date) except -9
    @cython.locals(first=Py_ssize_t, last=Py_ssize_t, steps=list, place=Py_ssize_t, step=Step, before=Step)
    cpdef object take(self, double start, double end, Py_ssize_t size)
    @cython.locals(steps=list, first=Py_ssize_t, place=Py_ssize_t, step=Step)
    cpdef bint fits(self, Py_ssize_t size, double start, double end) except -1
    @cython.locals(steps=list, step=Step, first=Py_ssize_t, end=double, waiting=bint, start=double, place=Py_ssize_t)
    cpdef double earliest(self, Py_ssize_t size, double duration, double after, double before) except? -1.5
