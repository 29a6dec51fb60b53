cimport cython
from schedulers.core.job cimport Job

cdef class Plan:
    cdef public list jobs
    @cython.locals(jobs=list, low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t, other=Job)
    cpdef Py_ssize_t place(self, Job job) except -1
    cpdef object add(self, Job job)
    cpdef object remove(self, Job job)
    cpdef object start(self, Job job, double now)
