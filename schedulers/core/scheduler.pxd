cimport cython
from schedulers.core.backfilling cimport Backfilling
from schedulers.core.estimates cimport Learning
from schedulers.core.job cimport Job, Plan
from schedulers.core.machine cimport Machine
from schedulers.core.orders cimport Order
from schedulers.core.overruns cimport Overruns

cdef double NEVER, UNKNOWN, LONG, RARER

cdef class Scheduler:
    cdef public Order _order
    cdef public Backfilling _backfilling
    cdef public Machine _machine
    cdef public Plan _plan
    cdef public Overruns _overruns
    cdef public object _tell_submitted, _tell_started, _tell_ended
    cdef public object _queueing, _backfill, _while_running
    cdef public Learning _learning
    cdef public object fields_needed, journal, block_log, trust_log
    cdef public bint _walltimes_only, _changes, _only_fitting, _by_id, _in_place, _learns
    cdef public bint needs_fields, _plans, _asks_early, _settled, _corrected, _acts
    cdef public double _called_at, _pass_at, _valid_for, _last_event
    cdef public Py_ssize_t _number
    cdef public list refused, calls, _queue
    cdef public dict _running
    cpdef object begin(self, Py_ssize_t processors)
    cpdef object _come_to(self, double now)
    cpdef object _correct(self, double now)
    cpdef object end(self, Job job, double now)
    @cython.locals(job=Job)
    cpdef object submit(self, list jobs, double now)
    @cython.locals(acts=bint, called=bint, started=list, overruns=Overruns, at=double)
    cpdef list choose(self, double now)
    @cython.locals(at=double, quiet=double)
    cpdef object _ask_for_pass(self, double now)
    @cython.locals(queue=list, low=Py_ssize_t, high=Py_ssize_t, middle=Py_ssize_t, other=Job)
    cpdef object _submit(self, Job job, double now)
    cpdef object _refusal(self, Job job, double now)
    cpdef object _estimate(self, Job job, double now)
    @cython.locals(queue=list, machine=Machine, chosen=list, job=Job)
    cpdef object _start_jobs(self, double now, list started)
    @cython.locals(free=Py_ssize_t, jobs=list, first=Job, job=Job)
    cpdef list _ordered(self, double now)
    @cython.locals(estimate=double, planned_end=double)
    cpdef object _estimate_again(self, Job job, double now)
