cimport cython
from schedulers.core.job cimport Job

cdef double NEVER

cdef class Order:
    cpdef double key(self, Job job, double now) except? -1.5

cdef class Fcfs(Order): pass
cdef class Sjf(Order): pass
cdef class Saf(Order): pass

cdef class Lxf(Order):
    cdef public double head_start, exponent, ageing, limit
    @cython.locals(estimate=double, wait=double, factor=double, ratio=double)
    cpdef double key(self, Job job, double now) except? -1.5

cdef class Wfp(Order):
    @cython.locals(ratio=double)
    cpdef double key(self, Job job, double now) except? -1.5
