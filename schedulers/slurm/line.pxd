cimport cython
from schedulers.core.job cimport Job
from schedulers.slurm.cluster cimport Cluster

cdef class Line:
    cdef public list queue, choices, entries
    cdef public Cluster cluster
    cdef public Py_ssize_t place, of_job
    cdef public bint once
    cdef public Job job
    cdef public object choice
    @cython.locals(entry=tuple)
    cpdef bint advance(self) except -1
