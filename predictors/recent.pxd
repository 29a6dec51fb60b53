cimport cython

cdef class Recent:
    cdef public Py_ssize_t _size
    cdef public list _dates, values
    @cython.locals(dates=list, values=list, place=Py_ssize_t)
    cpdef object add(self, object value, double now)

cdef class RecentByGroup:
    cdef public dict _groups
    cdef public Py_ssize_t _size
    @cython.locals(recent=Recent)
    cpdef list add(self, object group, object value, double now)
