cimport cython

@cython.locals(total=double, number=double)
cpdef double in_turn(object numbers) except? -1.5
