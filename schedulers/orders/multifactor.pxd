cimport cython
from schedulers.core.job cimport Job
from schedulers.core.orders cimport Order

cdef double NEVER, OF_TIER, MOST

cdef class _Waiting:
    cdef public double since, tier, rest
    cdef public Py_ssize_t leaf

cdef class Multifactor(Order):
    cdef public object slurm, _site, _settings, fair_share, _factors
    cdef public bint by_submission, changes, differs_by_partition, from_submission
    cdef public double weight_age, max_age, weight_share, _period, _next_step, _step
    cdef public list _shares
    cdef public dict _waiting
    cpdef object submitted(self, Job job, double now)
    cpdef object started(self, Job job, double now)
    cpdef object ended(self, Job job, double now)
    @cython.locals(waiting=_Waiting, priority=double, share=double)
    cpdef double key(self, Job job, double now) except? -1.5
    cpdef object _advance(self, double now)
    cpdef _Waiting _note(self, Job job)
    @cython.locals(waited=double)
    cpdef double _age(self, _Waiting waiting) except? -1.5
    cpdef list _weighted_shares(self)
