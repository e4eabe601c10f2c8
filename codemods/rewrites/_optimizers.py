"""How an optimizer is wrapped where it is made, shared by the rules that find one (D105, D301)."""

from __future__ import annotations

from ..edits import TakeOut

# Any number: the schedule takes its place in the next line but one.
PLACEHOLDER = "0.001"
WHY = "# a schedule of one's own can't be rebuilt from a config"


def wrapping(name: str, hvd: str) -> str:
    """The statement that follows the creation."""
    return f"{name} = {hvd}.DistributedOptimizer({name})\n"


def schedule_afterwards(name: str) -> TakeOut:
    """The optimizer is made without its schedule, and gets it once it is wrapped."""
    line = f"{name}.learning_rate = _  {WHY}\n"
    return TakeOut("learning_rate", 0, PLACEHOLDER, line)
