cimport cython
from schedulers.core.job cimport Job
from schedulers.core.machine cimport Availability
from schedulers.machine.node_room cimport Placement, Room
from schedulers.machine.nodes cimport Nodes

cdef double NEVER

cdef class NodesOverTime(Availability):
    cdef public Nodes _machine
    cdef public list times, free, totals, _bits
    cdef public dict _has
    cdef public Py_ssize_t _kept
    cdef public Placement _lost
    @cython.locals(place=Py_ssize_t, free=list, lost=Placement)
    cpdef object _lose(self)
    @cython.locals(end=double, placement=Placement, first=Py_ssize_t, last=Py_ssize_t, least=list)
    cpdef bint place_at(self, Job job, double start, double duration) except -1
    @cython.locals(present=Placement, beyond=Py_ssize_t)
    cpdef double move_up(self, Job job, double start, double duration) except? -1.5
    @cython.locals(placement=Placement)
    cpdef object give_back(self, Job job, double start, double end)
    @cython.locals(placement=Placement)
    cpdef bint start(self, Job job) except -1
    @cython.locals(date=double, placement=Placement)
    cpdef double _take_found(self, Job job, tuple found, double duration) except? -1.5
    @cython.locals(machine=Nodes, times=list, totals=list, size=Py_ssize_t, more=Py_ssize_t, rows=Py_ssize_t, dates=list, fitting=double, date=double, first=Py_ssize_t, last=Py_ssize_t, at=Py_ssize_t, least=list, later=list, placement=Placement)
    cpdef tuple _search(self, Job job, double duration, double before, Placement present, Py_ssize_t beyond)
    @cython.locals(least=list, place=Py_ssize_t)
    cpdef list _least(self, Py_ssize_t first, Py_ssize_t last, Py_ssize_t rows)
    cpdef Py_ssize_t _rows_for(self, Job job) except -1
    @cython.locals(total=Py_ssize_t, top=Py_ssize_t, cores=Py_ssize_t, machine=Nodes, room=Room, found=tuple)
    cpdef Placement _choose(self, Job job, list free, object closed)
    @cython.locals(first=Py_ssize_t, last=Py_ssize_t, place=Py_ssize_t)
    cpdef bint _fits(self, Placement placement, double start, double end) except -1
    @cython.locals(first=Py_ssize_t)
    cpdef tuple _steps_in(self, double start, double end)
    cpdef object _take(self, Job job, Placement placement, double start, double end)
    @cython.locals(first=Py_ssize_t, last=Py_ssize_t, place=Py_ssize_t)
    cpdef object _change(self, Placement placement, double start, double end, Py_ssize_t sign)
    @cython.locals(times=list, place=Py_ssize_t)
    cpdef Py_ssize_t _split(self, double date) except -1
    @cython.locals(free=list, totals=list)
    cpdef object _join(self, Py_ssize_t place)

@cython.locals(row=list)
cpdef list _copy(list free, Py_ssize_t rows)
@cython.locals(number=Py_ssize_t, row=list, beside=list, node=Py_ssize_t, count=Py_ssize_t, now=Py_ssize_t)
cpdef object _reduce(list free, list other)
@cython.locals(row=list, amounts=tuple, place=Py_ssize_t, node=Py_ssize_t, number=Py_ssize_t, more=list)
cpdef object _add(list free, Placement placement, Py_ssize_t sign)
@cython.locals(row=list, amounts=tuple, place=Py_ssize_t, node=Py_ssize_t, number=Py_ssize_t, used=list)
cpdef bint _has(list free, Placement placement) except -1
