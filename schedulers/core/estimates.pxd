cimport cython
from schedulers.core.job cimport Job

cdef class FromPredictor:
    cdef public object predictor
    cdef public double default, valid_for
    cpdef object estimate(self, Job job, double now)

cdef class Learning:
    cdef list _predictors, _submitted, _started, _withdrawn
    cpdef object submitted(self, Job job, double now)
    cpdef object started(self, Job job, double now)
    cpdef object withdrawn(self, Job job, double now)
    cpdef object _tell(self, list hooks, Job job, double now)
    @cython.locals(run_time=double)
    cpdef object ended(self, Job job, double now)
