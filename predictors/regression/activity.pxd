cimport cython

cdef double UNKNOWN
cdef tuple _NOTHING_ENDED, _NO_MEANS, _NOT_TOLD, _IDLE

cdef class _User:
    cdef public list ended, requests
    cdef public tuple means
    cdef public dict running
    cdef public double sum_of_starts
    cdef public Py_ssize_t processors, waiting

cdef class Activity:
    cdef public object _pick, _of_job
    cdef public tuple _means, _last_request
    cdef public dict _users, _pending
    cdef public bint _has_submissions
    cpdef tuple values(self, object submission, double now)
    @cython.locals(user=_User)
    cpdef object submitted(self, object submission, double now)
    @cython.locals(user=_User)
    cpdef object started(self, object submission, double now)
    cpdef object withdrawn(self, object submission, double now)
    @cython.locals(user=_User, ended=list)
    cpdef tuple ended(self, object submission, double run_time, double now)
    cpdef _User _activity_of(self, object name)
    @cython.locals(requests=list)
    cpdef object _note_request(self, _User user, object submission, double date)
    @cython.locals(place=Py_ssize_t, column=Py_ssize_t, known=list)
    cpdef tuple _means_of(self, list requests)
    cpdef tuple _mean_request(self, _User user, double date)
    @cython.locals(user=_User)
    cpdef tuple _everything(self, object submission, double date, bint with_jobs)

cpdef object _leave(_User user, str job)
cpdef tuple _of_ended(list ended, double date)
cpdef tuple _of_running(_User user, double date)
