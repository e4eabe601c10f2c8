"""Which parts of a list of layers or steps are run again: the schedules, and their settings.

Halves: Siskind and Pearlmutter. Segments: Chen et al., Training Deep Nets with Sublinear Memory
Cost, 2016. Binomial: Griewank and Walther, Algorithm 799: revolve, 2000.
"""

from __future__ import annotations

HALVES, SEGMENTS, BINOMIAL = "halves", "sqrt", "binomial"
KINDS = {HALVES: "halves", SEGMENTS: "segments", BINOMIAL: "binomial"}

FIRST_PART = '''\
def {name}(steps, snapshots):
    """How many steps to run before a state is kept, so that the fewest are run again."""
    runs, reach = 0, 1
    while reach < steps:  # the most steps for so many snapshots, each run so often at most
        runs += 1
        reach = reach * (snapshots + runs) // runs
    total = snapshots + runs
    first = reach * runs * (runs - 1) // (total * (total - 1))
    return max(1, first, steps - reach * snapshots // total)
'''
