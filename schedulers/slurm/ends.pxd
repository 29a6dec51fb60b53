cimport cython
from schedulers.core.nodeset cimport NodeSet

cdef class Ending:
    cdef public double date
    cdef public Py_ssize_t number
    cdef public NodeSet held
    cdef public object placement

@cython.locals(ending=Ending)
cpdef Ending ending_of(double date, Py_ssize_t number, NodeSet held, object placement)
@cython.locals(place=Py_ssize_t, other=Ending)
cpdef object insert(list ends, Ending ending)
