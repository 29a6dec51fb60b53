cimport cython
from schedulers.core.job cimport Job
from schedulers.site.counters cimport EqualJobs, Counter

cdef double NEVER

cdef class _Booked:
    cdef public EqualJobs group
    cdef public double since
    cdef public tuple submitted
    cdef public object before, stopped

cdef class Gate:
    cdef public object unsure, site, _books, freezes, kinds, last_dates, log
    cdef public list windows, dates, held, _come
    cdef public double _past, _changes
    cdef public bint by_clock, runs_off, _eligible, by_time
    cdef public dict _booked, _touched, _stopped, _waiting
    @cython.locals(since=double, counter=Counter, group=EqualJobs)
    cpdef object refusal(self, Job job, double now)
    cpdef bint has_changed(self, double now) except -1
    @cython.locals(group=EqualJobs, last=double, job=Job)
    cpdef tuple to_look_at(self, double now)
    @cython.locals(booked=_Booked, group=EqualJobs)
    cpdef object _join(self, Job job, double now)
    @cython.locals(counter=Counter)
    cpdef object _wait(self, Job job, EqualJobs group)
    @cython.locals(counter=Counter)
    cpdef object _leave(self, Job job, EqualJobs group)
    @cython.locals(booked=_Booked)
    cpdef EqualJobs group(self, Job job)
    @cython.locals(booked=_Booked)
    cpdef bint is_held(self, Job job, double now) except -1
    cpdef bint rule_changed(self, EqualJobs group, double now) except -1
    @cython.locals(booked=_Booked)
    cpdef EqualJobs limits_of(self, Job job)
    @cython.locals(counter=Counter, amount=double)
    cpdef object rule(self, EqualJobs group, double now)
    @cython.locals(job=Job)
    cpdef object _rule_of_time(self, EqualJobs group, double now)
    @cython.locals(booked=_Booked, counter=Counter, amount=double)
    cpdef bint stops(self, Job job, double now) except -1
    @cython.locals(booked=_Booked)
    cpdef bint stops_at(self, Job job, object placement, double now) except -1
    @cython.locals(group=EqualJobs)
    cpdef bint has_stopped_more(self) except -1
    @cython.locals(booked=_Booked, group=EqualJobs, counter=Counter, other=EqualJobs, amount=double, requested=double, filled=bint)
    cpdef object start_counting(self, Job job, double now)
    @cython.locals(booked=_Booked, counter=Counter, other=EqualJobs)
    cpdef object stop_counting(self, Job job, bint waits)
    @cython.locals(counter=Counter)
    cpdef object _close(self, Job job, _Booked booked)
    @cython.locals(booked=_Booked)
    cpdef object forget(self, Job job)
    @cython.locals(dates=list, group=EqualJobs, counter=Counter)
    cpdef double next_change(self, double now, bint quiet) except? -1.5
