cimport cython

cdef double NEVER

cdef class Kind:
    cdef public Py_ssize_t looked, room_at, noted_at
    cdef public bint fits
    cdef public double room
    cdef public object noted_by

cdef class Job:
    cdef public object id, delay, kept_fields, kept_submission, source, kind
    cdef public str started_as
    cdef public tuple intervals, partitions
    cdef public Kind alike
    cdef public Py_ssize_t number, processors, index, began, corrections, first_seen, last_seen
    cdef public double submit_time, walltime, queueing, backfilling, running, first_estimate
    cdef public double started, planned_end, run, end, first_promise, last_promise, key, divisor
    cdef public double reserved_at, work, overtaken, kept_estimate
    cdef public bint waited, late
    cpdef object promise(self, double start)

@cython.locals(low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t, other=Job)
cpdef Py_ssize_t place_of(list queue, Job job) except -1

@cython.locals(job=Job)
cpdef object take_out(list queue, list jobs)

cdef class Plan:
    cdef public list jobs
    @cython.locals(jobs=list, low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t, other=Job)
    cpdef Py_ssize_t place(self, Job job) except -1
    cpdef object add(self, Job job)
    cpdef object remove(self, Job job)
    cpdef object start(self, Job job, double now)
