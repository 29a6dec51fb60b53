"""A pybatsim class for each named scheduler; ``pybatsim`` finds them by entry point.

pybatsim has a ``filler`` of its own: ours is a combination of ``policy`` there.
"""

from schedulers.pybatsim.adapter import PolicyScheduler


def _scheduler(name: str) -> type[PolicyScheduler]:
    return type(name, (PolicyScheduler,), {"name": name, "__module__": __name__})


conservative = _scheduler("conservative")
conservative_bf = _scheduler("conservative_bf")
easy = _scheduler("easy")
easy_bf = _scheduler("easy_bf")
easy_plus_plus = _scheduler("easy_plus_plus")
easy_plus_plus_power = _scheduler("easy_plus_plus_power")
easy_plus_plus_simple = _scheduler("easy_plus_plus_simple")
easy_sjbf = _scheduler("easy_sjbf")
fcfs = _scheduler("fcfs")
policy = _scheduler("policy")
power_only = _scheduler("power_only")
pred_aware = _scheduler("pred_aware")
recommended = _scheduler("recommended")
regression_power = _scheduler("regression_power")
regression_simple = _scheduler("regression_simple")
simple_only = _scheduler("simple_only")
soft_conservative = _scheduler("soft_conservative")
soft_walltime = _scheduler("soft_walltime")
user_estimates = _scheduler("user_estimates")
wfp = _scheduler("wfp")
wfp_adjusted = _scheduler("wfp_adjusted")
wfp_s001 = _scheduler("wfp_s001")
wfp_s010 = _scheduler("wfp_s010")
wfp_s100 = _scheduler("wfp_s100")
wfp_s110 = _scheduler("wfp_s110")
wfp_s111 = _scheduler("wfp_s111")
wfp_selective = _scheduler("wfp_selective")
