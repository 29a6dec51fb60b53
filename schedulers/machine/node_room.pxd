cimport cython

cdef class Placement:
    cdef public tuple nodes, given, taken
    cdef public list rest
    cdef public object mask
    cdef public Py_ssize_t total
    @cython.locals(total=Py_ssize_t, place=Py_ssize_t, node=Py_ssize_t)
    cpdef Py_ssize_t within(self, object nodes) except -1

cdef class Room:
    cdef public list bits, free_on, levels, rest
    cdef public Py_ssize_t free
    @cython.locals(free_on=list, nodes=tuple, amounts=list, place=Py_ssize_t, node=Py_ssize_t, row=Py_ssize_t, free=Py_ssize_t, amount=Py_ssize_t)
    cpdef bint has(self, Placement placement) except -1
    @cython.locals(other=Room)
    cpdef Room copy(self)
    cpdef object take(self, Placement placement)
    cpdef object give_back(self, Placement placement)
    @cython.locals(free_on=list, levels=list, bits=list, nodes=tuple, taken=tuple, amounts=list, row=list, free=Py_ssize_t, place=Py_ssize_t, node=Py_ssize_t, before=Py_ssize_t, after=Py_ssize_t, amount=Py_ssize_t, number=Py_ssize_t)
    cpdef object _add(self, Placement placement, Py_ssize_t sign)
    @cython.locals(place=Py_ssize_t, free=Py_ssize_t)
    cpdef object having(self, Py_ssize_t number, Py_ssize_t least)

cdef class NodeProcessors:
    cdef public list _first, _all, _free
    cdef public dict _given
    @cython.locals(free=list, first=list, masks=list, given=list, intervals=list, last=Py_ssize_t, place=Py_ssize_t, node=Py_ssize_t, count=Py_ssize_t, begin=Py_ssize_t, lowest=Py_ssize_t, processor=Py_ssize_t)
    cpdef tuple allocate(self, Py_ssize_t number, Placement placement)
    @cython.locals(free=list, node=Py_ssize_t)
    cpdef object release(self, Py_ssize_t number)
