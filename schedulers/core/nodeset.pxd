cimport cython

ctypedef unsigned long long Word
cdef enum:
    FEW = 4

@cython.final
cdef class NodeSet:
    cdef Word* words
    cdef Word[FEW] few
    cdef readonly Py_ssize_t nodes
    cdef Py_ssize_t length
    cpdef NodeSet copy(self)
    cpdef NodeSet minus(self, NodeSet other)
    cpdef object assign(self, NodeSet other)
    cpdef object add(self, NodeSet other)
    cpdef object add_range(self, Py_ssize_t first, Py_ssize_t last)
    cpdef object remove(self, NodeSet other)
    cpdef bint keep(self, NodeSet other) except -1
    cpdef Py_ssize_t count(self) except -1
    cpdef Py_ssize_t count_common(self, NodeSet other) except -1
    cpdef bint equals(self, NodeSet other) except -1
    cpdef bint overlaps(self, NodeSet other) except -1
    cpdef bint contains(self, NodeSet other) except -1
    cpdef bint gains(self, NodeSet before, NodeSet after, NodeSet among) except -1
    cdef inline Py_ssize_t next_place(self, Py_ssize_t place, bint member) noexcept
    cpdef NodeSet runs(self, Py_ssize_t count)
