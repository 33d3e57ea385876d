"""Errors that tools/filters_check/check can make on purpose, and must find."""

ERRORS = {  # the case in which it shows, and what is wrong
    "forgetting": ("plain", "the forgetting time is longer by 1e-9 of itself"),
    "process noise": ("plain", "the process noise is larger by 1e-9 of itself"),
    "sigmoid": ("plain", "the greatest argument of a sigmoid is larger by 1e-9 of itself"),
    "residual": ("plain", "the variance of one joint's torque is larger by 2e-11 of itself"),
    "row": ("missing rows", "one row in the dead zone counts"),
    "gap": ("missing rows", "a gap takes no time"),
    "rank": ("no prior", "one row too many predicts"),
    "cut-off": ("causal", "the cut-off of the low-pass is higher by 1e-10 of itself"),
    "delay": ("causal", "torques come by one sample less late than differences"),
    "lag": ("coloured", "the last lag of the autocorrelation is left out"),
    "tool": ("told", "the tool is there from the beginning"),
    "payload": ("untold", "the payload's place is off by 1e-10 m"),
    "gravity": ("simulated", "gravity is larger by 1e-11 of itself"),
}
made = None  # the error that is made, or None


def unless_planted(error, right, wrong):
    """Returns `right`, or `wrong` if that error is made."""
    assert error in ERRORS
    return wrong if made == error else right
