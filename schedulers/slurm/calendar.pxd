cdef double NEVER

cpdef double floor(double number) noexcept
cpdef double ceil(double number) noexcept

cdef class Calendar:
    cdef public double resolution, epoch
    cdef public bint old
    cpdef double whole(self, double date) noexcept
    cpdef double ceil_second(self, double date) noexcept
    cpdef double down(self, double date) except? -1.5
    cpdef double round_end(self, double date) except? -1.5
    cpdef double barrier(self, double date, double length) except? -1.5
