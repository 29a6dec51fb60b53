cimport cython
from schedulers.machine.node_room cimport Placement, Room

cdef class NodeFit:
    cdef public object _layout, _whole, _more
    cdef public list _cores, _threads, _types
    @cython.locals(plain=bint, whole=bint, found=list, pieces=list, levels=list, by_weight=tuple, units=Py_ssize_t, cores=Py_ssize_t)
    cpdef Placement place(self, object request, object choice, Room room, object closed=*)
    cpdef list _pieces(self, object request, list levels, tuple by_weight, Py_ssize_t units, object choice)
    cpdef Py_ssize_t _gpus(self, object request, Room room, Py_ssize_t node) except -1
    @cython.locals(unit=Py_ssize_t, of_rest=bint, gpus=Py_ssize_t, on_node=Py_ssize_t, of_unit=Py_ssize_t, memory=list, top=Py_ssize_t, levels=list, least=Py_ssize_t, free=Py_ssize_t, units=Py_ssize_t, node=Py_ssize_t, fits=Py_ssize_t, has=Py_ssize_t)
    cpdef list _units(self, object request, Room room, object nodes)
    cpdef Placement _with_gpus(self, object request, list levels, tuple by_weight, Room room, bint whole)
    @cython.locals(unit=Py_ssize_t, cores=list, total=Py_ssize_t, on=list, units=Py_ssize_t, count=Py_ssize_t, node=Py_ssize_t, nodes=tuple, taken=tuple, given=tuple, rest=list)
    cpdef Placement _placement(self, object request, list pieces, Room room, bint whole=*, dict gpus=*)
    @cython.locals(threads=Py_ssize_t)
    cpdef Py_ssize_t _kept(self, Py_ssize_t node, Py_ssize_t count) except -1
    @cython.locals(unit=Py_ssize_t, on_node=Py_ssize_t, of_unit=Py_ssize_t, rows=list, on_each=Py_ssize_t, only=Py_ssize_t, left=list, kind=Py_ssize_t, row=list, free=list, place=Py_ssize_t, node=Py_ssize_t)
    cpdef list _rest_taken(self, object request, Room room, list on, dict gpus)
