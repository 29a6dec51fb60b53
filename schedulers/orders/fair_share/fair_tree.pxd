cimport cython
from schedulers.orders.fair_share.tree cimport Node, ShareTree

cdef double NEVER

cdef class _Ranking:
    cdef public dict levels
    cdef public list factors, _usage
    cdef public Py_ssize_t _users, _rank, _left
    @cython.locals(level=double, before=double, node=Node)
    cpdef object rank(self, Node account, bint tied)
    @cython.locals(usage=list, levels=dict, nodes=list, shares=double, used=double, unused=list, found=list, place=Py_ssize_t, node=Node, is_account=bint, own=double, part=double, level=double)
    cpdef list _by_level(self, Node account)
