cimport cython

cdef class Timetable:
    cdef public list _begins, _free
    @cython.locals(begins=list, passed=Py_ssize_t)
    cpdef object advance(self, object now)
    @cython.locals(begins=list, free=list, first=Py_ssize_t, last=Py_ssize_t, place=Py_ssize_t)
    cpdef object give_back(self, object bits, object begin, object end)
    @cython.locals(begins=list, free=list, first=Py_ssize_t, last=Py_ssize_t, place=Py_ssize_t)
    cpdef tuple take(self, Py_ssize_t size, object length, object after=*)
    @cython.locals(begins=list, free=list, count=Py_ssize_t, last=Py_ssize_t)
    cpdef tuple _first_fit(self, Py_ssize_t size, object length, Py_ssize_t first)
    @cython.locals(begins=list, place=Py_ssize_t)
    cpdef Py_ssize_t _split(self, object date) except -1
    cpdef object _join(self, Py_ssize_t place)

cdef class Floors:
    cdef public object _longest
    cdef public dict _known
    @cython.locals(place=Py_ssize_t)
    cpdef object of(self, Py_ssize_t size, object length)
    @cython.locals(first=Py_ssize_t, last=Py_ssize_t)
    cpdef object add(self, Py_ssize_t size, object length, object date)
    @cython.locals(place=Py_ssize_t)
    cpdef object freed(self, object begin)
