"""Systems, policies and predictors of paper 000's claims."""

COARE, GAIA, SETH, CURIE = "COARE", "Gaia", "HPC2N", "Curie"
METACENTRUM = "MetaCentrum2"
OTHERS = ("Saliksik",)
"""COARE's second cluster, which the authors did not use: there most walltimes are of an hour."""
SIMULATED = (COARE, GAIA, CURIE, SETH)
"""The paper's systems, but for MetaCentrum2."""
SYSTEMS = (*SIMULATED, *OTHERS)
EASY_PLUS_PLUS, REGRESSION, DEFAULT = "last_two", "ada_boost", "ten minutes"
"""What is predicted: by EASY++, by regression, and where corrections are alone."""
SLOWDOWN = "mean_bounded_slowdown"
PREDICTING = (
    "easy_plus_plus_simple",
    "easy_plus_plus_power",
    "regression_simple",
    "regression_power",
)
CORRECTING = ("simple_only", "power_only")
ALL = (*CORRECTING, *PREDICTING)

BY_TABLE_4 = (
    "they simulated Slurm, with nodes and tasks inferred, and we a machine whose processors are "
    "counted; table 4 has their minutes, which are not in the text that we have"
)
BY_TABLE_5 = BY_TABLE_4.replace("table 4 has their minutes", "table 5 has their slowdowns")
"""What decides about waits, and about slowdowns."""
NO_MONTH = (
    "of METACENTRUM-2013-3 the most recent month was taken, and the log is not at hand to see "
    "which that is: `pred-aware log fetch METACENTRUM-2013-3`, then a campaign with its `from`"
)
