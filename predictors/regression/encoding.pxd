cimport cython

cdef class SubmissionEncoder:
    cdef public tuple features, _codes
    cdef public object _fields, _texts
    cdef public list _next
    @cython.locals(row=list, codes=dict, column=Py_ssize_t)
    cpdef list encode(self, object submission)
    @cython.locals(codes=dict, column=Py_ssize_t)
    cpdef list learn(self, object submission)
