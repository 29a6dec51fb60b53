cimport cython

cdef double NEVER

cdef class Node:
    cdef public str name
    cdef public Node parent, above
    cdef public object shares, leaf
    cdef public list children
    cdef public Py_ssize_t level_shares
    cdef public double total

cdef class ShareTree:
    cdef public Node root
    cdef public dict accounts, users, first_account
    cdef public list leaves
    @cython.locals(node=Node)
    cpdef Py_ssize_t leaf(self, str user, str account) except -1
    @cython.locals(accounts=list, account=Node, parent=Node, leaf=Node, place=Py_ssize_t)
    cpdef list add_up(self, list usage)
cdef class FairTree:
    cdef public dict levels
    cdef public list factors, _usage
    cdef public Py_ssize_t _users, _rank, _left
    @cython.locals(level=double, before=double, node=Node)
    cpdef object _rank_below(self, Node account, bint tied)
    @cython.locals(usage=list, levels=dict, nodes=list, shares=double, used=double, unused=list, found=list, place=Py_ssize_t, node=Node, is_account=bint, node_usage=double, part=double, level=double)
    cpdef list _by_level(self, Node account)
