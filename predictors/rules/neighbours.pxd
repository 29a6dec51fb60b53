cimport cython

cdef class Place:
    cdef public list coordinates, numbers, values
    cdef public Py_ssize_t owner

cdef class Neighbours:
    cdef public Py_ssize_t size, added
    cdef public list lowest, highest, along, places
    cdef public dict at
    cdef public object latest
    @cython.locals(
        place=Place, oldest=Place, index=Py_ssize_t, first=Py_ssize_t, axis=Py_ssize_t, here=double,
        left=list,
    )
    cpdef add(self, list point, Py_ssize_t owner, double value)
    @cython.locals(
        place=Place, axis=Py_ssize_t, here=double, span=double, spans=list, squared=double,
        difference=double, near=list, reach=double, first=Py_ssize_t, last=Py_ssize_t, found=list,
    )
    cpdef list nearest(
        self, list point, Py_ssize_t owner, Py_ssize_t k, double epsilon, double most
    )
