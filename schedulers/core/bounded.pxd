cimport cython
from schedulers.core.backfilling cimport Backfilling
from schedulers.core.backlog cimport Backlog, UsedFraction
from schedulers.core.conservative cimport Kinds
from schedulers.core.job cimport Job, Kind, Plan
from schedulers.core.machine cimport Availability, Machine
from schedulers.core.orders cimport Lxf
from schedulers.core.trusted cimport Trusted

cdef double NEVER
cdef str HEAD

cdef class Bounded(Backfilling):
    cdef public Backfilling inside
    cdef public Backlog backlog
    cdef public UsedFraction _worth
    cdef public Availability availability
    cdef public Trusted _while_trusting
    cdef public Lxf _ageing
    cdef public double ahead, wait, overtaken, _longest
    cdef public bint _freed
    cdef public Py_ssize_t _looks
    cdef public Kinds _kinds
    cdef public list started_by_bound
    @cython.locals(end=double)
    cpdef object ended(self, Job job, double now)
    @cython.locals(job=Job, end=double)
    cpdef object changed(self, Plan plan, double now)
    @cython.locals(chosen=list)
    cpdef list choose(self, list queue, Plan plan, double now)
    @cython.locals(job=Job, waiting=Job, work=double)
    cpdef object count_overtaken(self, list queue, list started)
    @cython.locals(protected=list, job=Job, doubtful=bint, availability=Availability, chosen=list, others=list, filling=list, late=list, place=double)
    cpdef list choose_bounded(self, list queue, Plan plan, double now)
    @cython.locals(share=double)
    cpdef double share_ahead(self) except? -1.5
    @cython.locals(share=double, job=Job, latest=double, found=bint)
    cpdef bint mark_doubtful(self, list queue, double now) except -1
    @cython.locals(share=double, late=list, kind=Kind, job=Job)
    cpdef list late_jobs(self, list others, double now)
    @cython.locals(waited=list, early=list, job=Job)
    cpdef object give_all_places(self, list protected, double now)
    @cython.locals(availability=Availability, held=list, job=Job, place=double)
    cpdef object give_places(self, list jobs, double now)
    @cython.locals(moved=bint, job=Job, place=double)
    cpdef bint move_up(self, list jobs, double now) except -1
    @cython.locals(chosen=list, job=Job)
    cpdef list start_placed(self, list jobs, list queue, Plan plan, double now)
    @cython.locals(chosen=list, refused=list, able=list, known=Py_ssize_t, job=Job)
    cpdef list choose_others(self, list others, Plan plan, double now)
    @cython.locals(able=list, free=Py_ssize_t, kind=Kind, job=Job)
    cpdef list able(self, list jobs, list refused, double now)
    @cython.locals(end=double)
    cpdef bint hold(self, Job job, Plan plan, double now) except -1
    cpdef object withdraw(self, Job job, Plan plan)
