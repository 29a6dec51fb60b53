cimport cython
from schedulers.core.job cimport Job
from schedulers.site.counters cimport Alike, Counter

cdef double NEVER

cdef class _Booked:
    cdef public Alike alike
    cdef public double since
    cdef public tuple submitted
    cdef public object before, stopped

cdef class Gate:
    cdef public object unsure, site, _books, freezes, kinds, last_dates, log
    cdef public list windows, dates, held, _come
    cdef public double _past, _changes
    cdef public bint by_clock, runs_off, _eligible, by_time
    cdef public dict _booked, _touched, _stopped, _waiting
    @cython.locals(since=double, counter=Counter, alike=Alike)
    cpdef object refusal(self, Job job, double now)
    cpdef bint has_changed(self, double now) except -1
    @cython.locals(alike=Alike, last=double, job=Job)
    cpdef tuple to_look_at(self, double now)
    @cython.locals(booked=_Booked, alike=Alike)
    cpdef object _join(self, Job job, double now)
    @cython.locals(counter=Counter)
    cpdef object _wait(self, Job job, Alike alike)
    @cython.locals(counter=Counter)
    cpdef object _leave(self, Job job, Alike alike)
    @cython.locals(booked=_Booked)
    cpdef Alike alike(self, Job job)
    @cython.locals(booked=_Booked)
    cpdef bint is_held(self, Job job, double now) except -1
    cpdef bint looked_at(self, Alike alike, double now) except -1
    @cython.locals(booked=_Booked)
    cpdef Alike limits_of(self, Job job)
    @cython.locals(counter=Counter, amount=double)
    cpdef object rule(self, Alike alike, double now)
    @cython.locals(job=Job)
    cpdef object _rule_of_time(self, Alike alike, double now)
    @cython.locals(booked=_Booked, counter=Counter, amount=double)
    cpdef bint stops(self, Job job, double now) except -1
    @cython.locals(booked=_Booked)
    cpdef bint stops_at(self, Job job, object placement, double now) except -1
    @cython.locals(alike=Alike)
    cpdef bint has_stopped_more(self) except -1
    @cython.locals(booked=_Booked, alike=Alike, counter=Counter, other=Alike, amount=double, asked=double, filled=bint)
    cpdef object took(self, Job job, double now)
    @cython.locals(booked=_Booked, counter=Counter, other=Alike)
    cpdef object gave_back(self, Job job, bint waits)
    @cython.locals(counter=Counter)
    cpdef object _close(self, Job job, _Booked booked)
    @cython.locals(booked=_Booked)
    cpdef object forget(self, Job job)
    @cython.locals(dates=list, alike=Alike, counter=Counter)
    cpdef double next_change(self, double now, bint quiet) except? -1.5
