"""What things of the model are called in TLA+, and what an action says of the edges."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..kernel import MERGE
from ..semantics import Machine, Transition

CHOICE = "choice"  # a value that may be either, on each worker for itself


class Words:
    """The names of one machine's variables, queues and collectives, and how its tokens move."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def variable(self, worker: int, name: str) -> str:
        return f"w{worker}_{self.machine.variables[worker].index(name)}_{identifier(name)}"

    def queue(self, worker: int, name: str) -> str:
        return f"w{worker}_{self.machine.queues[worker].index(name)}_{identifier(name)}"

    def posted(self, worker: int, number: int) -> str:
        return f"w{worker}_{number}_{identifier(self.machine.names[number])}"

    def moved(self, transition: Transition, value: str | Callable[[int], str]) -> str:
        """Inputs are emptied and outputs filled; a function gives the value of each slot."""
        changes = [f"![{each + 1}] = EMPTY" for each in self.machine.into[transition]]
        for each in self.machine.out[transition] if value else ():
            edge = self.machine.edges[each]
            filled = value if isinstance(value, str) else value(edge.slot)
            if edge.kind == "control":
                filled = "DEAD" if value == "DEAD" else "GO"
                if self.machine.operation(transition).kind == MERGE and value != "DEAD":
                    filled = f"(IF {value} = DEAD THEN DEAD ELSE GO)"
            changes.append(f"![{each + 1}] = {filled}")
        return f"InTransit' = [InTransit EXCEPT {', '.join(changes)}]"


def unchanged(*but: str) -> str:
    """Everything beside InTransit that an action leaves as it is."""
    return f"UNCHANGED <<{', '.join(e for e in ('VarValue', 'Posted', 'Queue') if e not in but)}>>"


def identifier(name: str) -> str:
    """A name as TLA+ takes it."""
    return re.sub(r"\W", "_", name, flags=re.ASCII)
