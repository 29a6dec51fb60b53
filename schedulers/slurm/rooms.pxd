cimport cython
from schedulers.core.job cimport Job
from schedulers.core.nodeset cimport NodeSet
from schedulers.slurm.calendar cimport Calendar
from schedulers.slurm.cluster cimport Cluster, Ending, insert

cdef double NEVER, GROUP

cdef class Rooms:
    cdef public Cluster cluster
    cdef public Calendar calendar
    cdef public list ends, rooms
    cdef public Py_ssize_t free
    cpdef object forget(self)
    @cython.locals(same=bint)
    cpdef bint begin(self, list ends) except -1
    @cython.locals(known=list, place=Py_ssize_t, ending=Ending, other=Ending)
    cpdef bint has(self, list ends) except -1
    cpdef object reset(self)
    cpdef object start(self, Ending ending)
    @cython.locals(rooms=list, known=Py_ssize_t)
    cpdef object after(self, Py_ssize_t count)
    @cython.locals(low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t, ending=Ending)
    cpdef Py_ssize_t by(self, double date) except -1
    cpdef double first_room(self, Job job, object choice, NodeSet usable, double date, double latest) except? -1.5
    @cython.locals(cluster=Cluster, ends=list, gone=Py_ssize_t, last=Py_ssize_t, until=double, length=double, number=Py_ssize_t, ending=Ending, following=Ending)
    cpdef double first_room_since(self, Job job, object choice, NodeSet usable, double date) except? -1.5
    @cython.locals(number=Py_ssize_t, ending=Ending)
    cpdef double last_end(self, Py_ssize_t first, Py_ssize_t last) except? -1.5
    @cython.locals(cluster=Cluster, ends=list, barrier=double, length=double, end=double, last=Py_ssize_t, number=Py_ssize_t, ending=Ending, after=double, following=Ending)
    cpdef double first_room_before(self, Job job, object choice, NodeSet usable, double date, double latest) except? -1.5
