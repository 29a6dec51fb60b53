cimport cython

cdef class Node:
    cdef public Py_ssize_t column
    cdef public double threshold, value
    cdef public Node left, right

cdef class Trees:
    cdef public list roots
    cdef public double before, after
    cdef public Py_ssize_t parts
    @cython.locals(node=Node, below=Node)
    cpdef double leaf(self, Node root, list row) except? -1.5
    @cython.locals(root=Node)
    cpdef list leaves(self, list row)
    @cython.locals(root=Node, total=double)
    cpdef double predict(self, list row) except? -1.5

@cython.locals(node=Node, one=Py_ssize_t, other=Py_ssize_t)
cpdef Node linked(list nodes, list left, list right)
