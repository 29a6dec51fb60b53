cimport cython
from schedulers.machine.node_room cimport Placement

cdef class NodeProcessors:
    cdef public list _first, _all, _free
    cdef public dict _given
    @cython.locals(free=list, first=list, masks=list, given=list, intervals=list, last=Py_ssize_t, place=Py_ssize_t, node=Py_ssize_t, count=Py_ssize_t, begin=Py_ssize_t, lowest=Py_ssize_t, processor=Py_ssize_t)
    cpdef tuple allocate(self, Py_ssize_t number, Placement placement)
    @cython.locals(free=list, node=Py_ssize_t)
    cpdef object release(self, Py_ssize_t number)
