cimport cython
from schedulers.core.job cimport Job

cdef class FromPredictor:
    cdef public object predictor
    cdef public double default, valid_for
    cpdef object estimate(self, Job job, double now)

cdef class Learning:
    cdef list _predictors
    cdef dict _hooks
    cpdef object notify(self, str what, Job job, double now)
    @cython.locals(run_time=double)
    cpdef object ended(self, Job job, double now)
