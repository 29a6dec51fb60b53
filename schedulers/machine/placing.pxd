cimport cython

cdef Py_ssize_t FEW

@cython.locals(few=Py_ssize_t, many=Py_ssize_t, end=Py_ssize_t)
cpdef object first_of(object nodes, Py_ssize_t count)
@cython.locals(room=Py_ssize_t, units=Py_ssize_t)
cpdef Py_ssize_t room_in(list levels, object nodes) except -1
cpdef list at_most(list levels, Py_ssize_t most)
@cython.locals(pieces=list, level=Py_ssize_t, enough=Py_ssize_t)
cpdef list fewest(list levels, object nodes, Py_ssize_t units)
@cython.locals(pieces=list, level=Py_ssize_t, room=Py_ssize_t)
cpdef list spread(list levels, object by_weight, Py_ssize_t units)
@cython.locals(each=Py_ssize_t, more=Py_ssize_t, share=Py_ssize_t)
cpdef list on_exactly(list levels, object by_weight, Py_ssize_t units, Py_ssize_t count, Py_ssize_t most)
@cython.locals(level=Py_ssize_t)
cpdef object _fullest(list levels, object by_weight, Py_ssize_t units, Py_ssize_t count)
@cython.locals(pieces=list, level=Py_ssize_t)
cpdef list _emptiest(list levels, object nodes, Py_ssize_t count)
@cython.locals(shared=list, level=Py_ssize_t, given=Py_ssize_t)
cpdef list _shared(list pieces, Py_ssize_t units, Py_ssize_t count)
