cimport cython
from schedulers.core.backfilling cimport Backfilling
from schedulers.core.job cimport Job, Plan

cdef double NEVER

cdef class Overruns:
    cdef public object _correction
    cdef public Plan _plan
    cdef public Backfilling _backfilling
    cdef public bint _memoryless, asks_for_calls
    cdef public double _margin, _offset, _called_at, _settled
    @cython.locals(due=double)
    cpdef object settle_before(self, double now)
    @cython.locals(jobs=list, job=Job)
    cpdef double first_planned(self) except? -1.5
    @cython.locals(job=Job, due=double)
    cpdef double first_due(self, double before) except? -1.5
    cpdef object correct(self, double now)
    @cython.locals(job=Job, due=list, at=double)
    cpdef list due_jobs(self, double now, bint itself)
    @cython.locals(job=Job, before=list, place=Py_ssize_t)
    cpdef object correct_all(self, list due, double now)
    @cython.locals(elapsed=double, estimate=double, allowed=bint)
    cpdef object lengthen(self, Job job, double now)
    @cython.locals(job=Job, at=double)
    cpdef double next_call(self, double now) except? -1.5
