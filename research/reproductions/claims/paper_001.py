"""Paper 001: run times predicted on Marconi100, and part 2: jobs scheduled by them."""

from reproductions.checks.claim import CHANGED, OTHER, THEIRS, in_order
from reproductions.checks.of_the_day import DAY
from reproductions.claims.paper_001_predictions import CLAIMS as PREDICTIONS
from reproductions.claims.paper_001_schedules import CLAIMS as SCHEDULES
from reproductions.claims.paper_001_trying import BIG, SMALL, TABLE, TABLES
from reproductions.figures.day_tables import Improvement
from reproductions.paper import OwnLog, Paper

PAPER = Paper(
    "001",
    "Job run time prediction and run-time-aware scheduling in HPC systems",
    in_order(*PREDICTIONS, *SCHEDULES),
    own={
        DAY: OwnLog(
            jobs=4_407,
            differs="the outputs of its runs are theirs; the day that is simulated is rebuilt from "
            "them, without user, qos, memory, nodes and GPUs; its submissions are the jobs' real "
            "starts, its sizes those of the first 4,407 rows of the whole table; our tree has "
            "learned from the day alone, theirs from 624,570 jobs before",
        ),
        TABLE: OwnLog(jobs=628_977),
    },
    answers={
        THEIRS: "which jobs their splits drew, and what their models were set to, is not told",
        CHANGED: "it is so in their own output (001.54, 001.55); what their tree learned from, "
        "624,570 jobs with users and nodes, is not published, so another predictor orders the jobs",
        OTHER: "these are other machines and users; CINECA's job table decides",
    },
    quick=("KTH", DAY),
    figures=(
        Improvement("2, experiments 1 and 2", SMALL, TABLES[SMALL], divided_by_new=True),
        Improvement("2, experiments 3 and 4", BIG, TABLES[BIG], divided_by_new=False),
    ),
)
