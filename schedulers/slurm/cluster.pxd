cimport cython
from schedulers.core.counting cimport Counting
from schedulers.core.job cimport Job, Plan
from schedulers.core.machine cimport Machine
from schedulers.core.nodeset cimport NodeSet

cdef class Ending:
    cdef public double date
    cdef public Py_ssize_t number
    cdef public NodeSet held
    cdef public object placement

@cython.locals(ending=Ending)
cpdef Ending ending_of(double date, Py_ssize_t number, NodeSet held, object placement)
@cython.locals(place=Py_ssize_t, other=Ending)
cpdef object insert(list ends, Ending ending)

cdef class Cluster:
    cdef public Counting machine
    cdef public NodeSet nodes, found, all_free, common
    cdef public object room, placement
    cdef public bint has_dates
    cdef public list everywhere, unsettled
    cdef public dict nodes_of
    @cython.locals(running=list, job=Job, guessed=NodeSet, held=NodeSet, first=Py_ssize_t, last=Py_ssize_t, free=Py_ssize_t)
    cpdef object look(self, Plan plan)
    @cython.locals(held=NodeSet)
    cpdef object ended(self, Job job)
    @cython.locals(room=NodeSet)
    cpdef Py_ssize_t free(self) except? -9
    cpdef list choices(self, Job job)
    cpdef object kind(self, Job job)
    cpdef NodeSet of_choice(self, object choice)
    cpdef NodeSet of_partition(self, object choice)
    cpdef NodeSet able(self, Job job, object choice)
    cpdef Py_ssize_t least_nodes(self, Job job) except -1
    @cython.locals(free=NodeSet)
    cpdef bint place(self, Job job, object choice, object room, NodeSet usable) except -1
    cpdef bint may_place(self, Job job, object room, NodeSet usable) except -1
    cpdef bint gets_whole_nodes(self, Job job, object choice) except -1
    cpdef NodeSet held(self, Job job)
    cpdef object placement_of(self, Job job)
    @cython.locals(room=NodeSet)
    cpdef bint take(self, Job job, Machine machine) except -1
    @cython.locals(free=NodeSet, after=NodeSet, number=Py_ssize_t, ending=Ending)
    cpdef object room_after(self, object room, list ends, Py_ssize_t first, Py_ssize_t last)
    cpdef NodeSet closed(self, Job job, double start)
    cpdef list openings(self, double now)

cdef class Line:
    cdef public list queue, choices, entries
    cdef public Cluster cluster
    cdef public Py_ssize_t place, of_job
    cdef public bint once
    cdef public Job job
    cdef public object choice
    @cython.locals(entry=tuple)
    cpdef bint advance(self) except -1
