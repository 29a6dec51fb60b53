cimport cython
from schedulers.core.job cimport Job

cdef double NEVER

cpdef double bounded(Job job, double estimate, double elapsed) except? -1.5

cdef class Correction:
    cpdef double correct(self, Job job, double elapsed) except? -1.5

cdef class NoCorrection(Correction): pass
cdef class ToWalltime(Correction): pass
cdef class Doubling(Correction): pass
cdef class Simple(Correction): pass

cdef class Power(Correction):
    @cython.locals(step=double)
    cpdef double correct(self, Job job, double elapsed) except? -1.5

cdef class Tsafrir(Correction):
    @cython.locals(step=double, estimate=double)
    cpdef double correct(self, Job job, double elapsed) except? -1.5

cdef class OpenPbs(Correction):
    @cython.locals(soft=double, estimate=double)
    cpdef double correct(self, Job job, double elapsed) except? -1.5

cdef class NextLonger(Correction):
    cdef public object walltimes
    cdef public list _usual
