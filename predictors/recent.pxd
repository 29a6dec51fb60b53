cimport cython

cdef class Recent:
    cdef Py_ssize_t _size
    cdef list _dates
    cdef public list values
    @cython.locals(dates=list, values=list, place=Py_ssize_t)
    cpdef object add(self, double value, double now)

cdef class RecentByGroup:
    cdef Py_ssize_t _size
    cdef dict _groups
    @cython.locals(recent=Recent)
    cpdef list add(self, object group, double value, double now)
