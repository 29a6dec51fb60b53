cimport cython
from schedulers.core.backfilling cimport Backfilling, Easy
from schedulers.core.job cimport Job, Plan
from schedulers.core.machine cimport Machine

cdef class ComparedJob:
    cdef public double estimate, walltime, run
    cdef public Py_ssize_t pairs, right, of_walltimes

cdef class Concordance:
    cdef public list seen
    cdef public Py_ssize_t jobs, least, pairs, right, right_of_walltimes
    @cython.locals(seen=list, job=ComparedJob, first=Py_ssize_t, place=Py_ssize_t, other=ComparedJob, longer=ComparedJob, shorter=ComparedJob)
    cpdef object ended(self, double estimate, double run_time, double walltime)
    cpdef object count(self, ComparedJob job, Py_ssize_t times)
    cpdef double of_estimates(self) except? -1.5
    cpdef double of_walltimes(self) except? -1.5

cdef class Trusted(Backfilling):
    cdef public Backfilling inside
    cdef public Easy _easy
    cdef public double least
    cdef public Concordance _concordance
    cdef public dict _kept
    cdef public bint trusts
    cdef public object log
    @cython.locals(seen=Concordance, estimate=double, concordance=double, of_walltimes=double, least=double, waiting=Job)
    cpdef object ended(self, Job job, double now)
    @cython.locals(job=Job, waiting=list, chosen=list)
    cpdef list choose(self, list queue, Plan plan, double now)
