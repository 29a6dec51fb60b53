cimport cython
from schedulers.core.job cimport Job
from schedulers.core.scheduler cimport Scheduler

cdef double NEVER
cdef str HEAD

cdef class Submissions:
    cdef public list ids, _columns
    cdef public double[::1] submit_times, walltimes, delays, runs
    cdef public long long[::1] processors, by_date
    cdef public object fields, _known
    @cython.locals(job=Job)
    cpdef Job make(self, Py_ssize_t place)
    @cython.locals(values=dict, column=list)
    cpdef object submission(self, Job job)

cdef class Ends:
    cdef public list heap
    @cython.locals(heap=list, job=Job)
    cpdef double first(self) except? -1.5
    @cython.locals(heap=list, child=Py_ssize_t, parent=Py_ssize_t, above=Job)
    cpdef object add(self, Job job)
    @cython.locals(heap=list, first=Job, job=Job, count=Py_ssize_t, place=Py_ssize_t, child=Py_ssize_t, below=Job, other=Job)
    cpdef Job pop(self)

cdef class Schedule:
    cdef public double[::1] start, end, first_estimate, last_estimate, first_promise, last_promise
    cdef public long long[::1] corrections, over, changes
    cdef public list started_as, intervals, refused
    cdef public Py_ssize_t ended, changed
    cdef public double last_date
    cpdef object note_over(self, Py_ssize_t place)
    cpdef object note_change(self, Py_ssize_t change)

cdef class Loop:
    cdef public Scheduler scheduler
    cdef public Submissions submissions
    cdef public object progress
    cdef public Schedule schedule
    cdef public Ends ends
    cdef public list calls
    cdef public Py_ssize_t starts, reported
    @cython.locals(scheduler=Scheduler, ends=Ends, calls=list, order=cython.longlong[::1], dates=cython.double[::1], following=Py_ssize_t, count=Py_ssize_t, coming=double, now=double, job=Job, new=list)
    cpdef Schedule run(self)
    @cython.locals(schedule=Schedule, place=Py_ssize_t)
    cpdef object start(self, Job job, double now)
    @cython.locals(schedule=Schedule, place=Py_ssize_t)
    cpdef object note_end(self, Job job, double now)
    @cython.locals(job=Job)
    cpdef object note_refusals(self)
    @cython.locals(over=Py_ssize_t)
    cpdef object report(self)
