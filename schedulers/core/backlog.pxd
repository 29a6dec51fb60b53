cimport cython
from schedulers.core.job cimport Job

cdef double NEVER

cdef class UsedFraction:
    cdef public double used, requested
    cpdef object ended(self, Job job, double now)
    @cython.locals(part=double)
    cpdef double part(self) except? -1.5

cdef class Backlog:
    cdef public double share, least, waiting, settled, largest
    cdef public Py_ssize_t processors, first
    cdef public list open
    cdef public dict known
    @cython.locals(come=bint, job=Job, length=double)
    cpdef object look(self, list queue, double worth)
    cpdef object withdrawn(self, Job job)
    @cython.locals(job=Job)
    cpdef object started(self, list jobs)
    @cython.locals(by=double, was_largest=bint, place=Py_ssize_t, work=double)
    cpdef object ended(self, Job job, double now)
    @cython.locals(first=Py_ssize_t, other=Job, gone=Py_ssize_t)
    cpdef object forget(self, Job job)
    @cython.locals(wait=double)
    cpdef double wait(self) except? -1.5
