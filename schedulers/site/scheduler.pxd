cimport cython
from schedulers.core.job cimport Job
from schedulers.core.machine cimport Machine
from schedulers.core.scheduler cimport Scheduler
from schedulers.site.counters cimport EqualJobs
from schedulers.site.gate cimport Gate
from schedulers.site.gated_machine cimport GatedMachine

cdef double NEVER, QUIET

cdef class SiteScheduler(Scheduler):
    cdef public bint _remembers, _skips, _by_time, _quiet, _due, _passes
    cdef public Gate _gate
    cdef public GatedMachine _gated
    cdef public Machine _bare
    cdef public double _cycle, _wake
    cdef public object _look, _next_change, _lasting_refusal, stop_log
    @cython.locals(gate=Gate, acts=bint, woken=bint, started=list, changes=bint)
    cpdef list choose(self, double now)
    @cython.locals(last=double)
    cpdef object _refusal(self, Job job, double now)
    @cython.locals(gated=GatedMachine, gate=Gate, promises=dict)
    cpdef object _start_jobs(self, double now, list started)
    @cython.locals(gate=Gate, gone=dict, back=dict, group=EqualJobs, job=Job)
    cpdef object _apply_rules(self, double now)
    @cython.locals(queue=list, job=Job)
    cpdef object _requeue(self, dict back, dict gone, double now)
    @cython.locals(at=double, cycle=double, quiet=bint)
    cpdef object _ask(self, double now)
