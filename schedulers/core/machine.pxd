from schedulers.core.job cimport Job

cdef class Reservation:
    cdef public double date
    cdef public Py_ssize_t extra

cdef class Availability:
    cpdef object advance(self, double now)
    cpdef object hold(self, Job job, double end)
    cpdef bint may_hold(self, Job job, double end) except -1
    cpdef double place(self, Job job, double duration) except? -1.5
    cpdef bint place_at(self, Job job, double start, double duration) except -1
    cpdef double move_up(self, Job job, double start, double duration) except? -1.5
    cpdef object give_back(self, Job job, double start, double end)
    cpdef bint start(self, Job job) except -1

cdef class Machine:
    cdef public Py_ssize_t free
    cdef public bint by_size
    cpdef object begin(self, Py_ssize_t processors)
    cpdef object refusal(self, Job job)
    cpdef bint take(self, Job job) except -1
    cpdef Reservation reserve(self, Job job, list running, double now)
    cpdef bint take_beside(self, Job job, Reservation reservation, double end) except -1
    cpdef bint start(self, Job job, Availability availability) except -1
    cpdef object give_back(self, Job job)
    cpdef tuple allocate(self, Job job)
    cpdef Availability availability(self, double now)
