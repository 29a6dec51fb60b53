cimport cython
from schedulers.core.job cimport Job
from schedulers.core.machine cimport Reservation
from schedulers.machine.node_room cimport Placement, Room

cdef double NEVER

cdef class NodeReservation(Reservation):
    cdef public object nodes
    cdef public Py_ssize_t left
    cdef public Pinned pinned
    cdef public set without
    cdef public dict outside

cdef class Pinned:
    cdef public tuple nodes
    cdef public list left, rest
    @cython.locals(counts=list, rest=list, row=list, k=Py_ssize_t)
    cpdef Placement blocked_part(self, Room room)
    @cython.locals(column=Py_ssize_t, place=Py_ssize_t, row=list)
    cpdef object take(self, Placement placement)

@cython.locals(left=list, place=Py_ssize_t, node=Py_ssize_t)
cpdef list _left(list free_on, tuple nodes, object taken)
@cython.locals(above=list, place=Py_ssize_t, node=Py_ssize_t, more=Py_ssize_t)
cpdef list _above(list free_on, tuple nodes, object left)
@cython.locals(room=Room, placement=Placement, date=double, left=Py_ssize_t, earlier=double, left_there=Py_ssize_t, reservation=NodeReservation)
cpdef NodeReservation reservation_of(object machine, Job job, list running, double now)
@cython.locals(room=Room, outside=Py_ssize_t, reservation=NodeReservation)
cpdef NodeReservation _any_of(object machine, double date, Py_ssize_t left, object nodes)
@cython.locals(date=double, held=dict, everywhere=bint, room=Room, missing=Py_ssize_t, job=Job, placement=Placement)
cpdef tuple _first_enough(object machine, Py_ssize_t processors, object nodes, list running, double now)
@cython.locals(held=dict, dates=list, counts=list, high=Py_ssize_t, done=Py_ssize_t, until=Py_ssize_t, room=Room)
cpdef tuple _search(object machine, Job job, list running, double now)
@cython.locals(held=dict, size=Py_ssize_t, low=Py_ssize_t, high=Py_ssize_t, step=Py_ssize_t, last=Py_ssize_t, middle=Py_ssize_t, before=Room, room=Room, halfway=Room)
cpdef tuple _first(object machine, Job job, list running, list counts)
@cython.locals(dates=list, counts=list, latest=double, count=Py_ssize_t, job=Job)
cpdef tuple _ends(list running, double now)
@cython.locals(place=Py_ssize_t, job=Job, placement=Placement)
cpdef object _end(Room room, dict held, list running, Py_ssize_t first, Py_ssize_t last)
