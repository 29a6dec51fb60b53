cimport cython
from schedulers.core.job cimport Job
from schedulers.core.machine cimport Availability, Machine, Reservation
from schedulers.machine.node_fit cimport NodeFit
from schedulers.machine.node_room cimport NodeProcessors, Placement, Room
from schedulers.machine.node_reservation cimport NodeReservation, Pinned

cdef double NEVER
cdef str QUEUE, BACKFILLED

cdef class Nodes(Machine):
    cdef public object site, layout, dates
    cdef public NodeFit fit
    cdef public tuple fits
    cdef public bint dated, needs_fields
    cdef public dict held, places, _known, _free_on
    cdef public set _without
    cdef public Room room
    cdef public NodeProcessors _processors
    cdef public double now, _next_change
    cdef public Placement lost
    cpdef object _become_idle(self)
    cpdef bint look(self, double now) except -1
    cpdef double next_change(self, double now) except? -1.5
    cpdef object request_of(self, Job job)
    @cython.locals(found=tuple)
    cpdef bint take(self, Job job) except -1
    cpdef bint take_at(self, Job job, Placement placement) except -1
    cpdef object take_placement(self, Job job, Placement placement)
    @cython.locals(size=Py_ssize_t)
    cpdef bint _room_for(self, object request) except -1
    @cython.locals(placement=Placement)
    cpdef tuple placed(self, object request, Room room, object closed)
    cpdef object closed(self, Job job, double start)
    @cython.locals(beside=NodeReservation, pinned=Pinned, placement=Placement, kept=Placement, found=tuple)
    cpdef bint take_beside(self, Job job, Reservation reservation, double end) except -1
    @cython.locals(placement=Placement, size=Py_ssize_t, outside=dict, found=tuple)
    cpdef Placement _beside_any(self, object request, NodeReservation reservation, object closed)
