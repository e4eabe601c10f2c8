"""Programs as a module of TLA+ and its configuration, for who wants to check them with TLC.

The rules are those of `semantics.py`, one action an operation; `Next` stutters where all is done,
so that TLC's check for deadlocks means what ours does. Values are tuples, so that TLC can compare
them: <<"T", 3>>, <<"EMPTY">>.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..kernel import EXIT, HEAD, MERGE, Operation, Unmodelled
from ..semantics import JOIN, Machine, Transition
from .operation_rules import RULES, completion, function
from .tla_names import Words, identifier, unchanged

CONFIGURATION = "SPECIFICATION Spec\nINVARIANT Agreement\nCHECK_DEADLOCK TRUE\n"
LARGE = 60  # operations; of more TLC does not come to an end
HEADER = """\
VARIABLES InTransit, VarValue, Posted, Queue
vars == <<InTransit, VarValue, Posted, Queue>>
EMPTY == <<"EMPTY">>
GO == <<"GO">>
DEAD == <<"DEAD">>
NONE == <<"NONE">>
Tensor(n) == <<"T", n>>"""


def module(machine: Machine, name: str, loops: Sequence[str] = ()) -> str:
    """The text of a module; `loops` were left out, which is said in it.

    Raises Unmodelled where a loop or a Join is in the machine.
    """
    first, *others = _Writer(machine, name).lines()
    said = [f"\\* left out is the loop that {each} decides about: it touches nothing of the rest"
            for each in loops]  # fmt: skip
    return "\n".join([first, *said, *others]) + "\n"


class _Writer(Words):
    def __init__(self, machine: Machine, name: str) -> None:
        super().__init__(machine)
        self.name = name
        for program in machine.programs:
            for each in program.operations:
                if each.kind in (HEAD, EXIT) or each.function == JOIN:
                    raise Unmodelled(f"{each.name}: loops and Join are not written as TLA+")

    def lines(self) -> Iterator[str]:
        machine = self.machine
        yield f"---- MODULE {self.name} ----"
        yield "EXTENDS Integers, Sequences, TLC"
        size = sum(len(each.operations) for each in machine.programs)
        if size > LARGE:
            yield f"\\* {size} operations: TLC will hardly come to an end"
        yield HEADER
        for number, edge in enumerate(machine.edges, 1):
            source, target = (
                self._end(edge.worker, edge.source),
                self._end(edge.worker, edge.target),
            )
            ends = f"{source or 'input'}:{edge.slot} -> {target or 'output'}"
            yield f"\\* edge {number}: worker {edge.worker}, {ends} ({edge.kind})"
        yield from self._start()
        actions = []
        for transition in machine.into:
            actions.append(self._label(transition))
            yield from self._action(transition)
        for number, name in enumerate(machine.names):
            actions.append(f"Complete_{number}_{identifier(name)}")
            yield from completion(self, number, actions[-1])
        yield from self._whole(actions)

    def _end(self, worker: int, number: int | None) -> str:
        return "" if number is None else self.machine.programs[worker].operations[number].name

    def _label(self, transition: Transition) -> str:
        name = identifier(self.machine.operation(transition).name)
        return f"W{transition.worker}_{transition.number}_{name}"

    def _start(self) -> Iterator[str]:
        machine, workers = self.machine, range(len(self.machine.programs))
        tokens = ("GO" if edge.source is None else "EMPTY" for edge in machine.edges)
        values = [
            f"{self.variable(k, name)} |-> {value}"
            for k in workers
            for name, value in machine.programs[k].variables.items()
        ]
        calls = [
            f"{self.posted(k, n)} |-> NONE" for k in workers for n in range(len(machine.names))
        ]
        queues = [f"{self.queue(k, name)} |-> <<>>" for k in workers for name in machine.queues[k]]
        yield "Init =="
        yield f"  /\\ InTransit = <<{', '.join(tokens)}>>"
        yield f"  /\\ VarValue = {_record(values)}"
        yield f"  /\\ Posted = {_record(calls)}"
        yield f"  /\\ Queue = {_record(queues)}"

    def _action(self, transition: Transition) -> Iterator[str]:
        edges = self.machine.into[transition]
        yield f"{self._label(transition)} =="
        yield "  /\\ " + " /\\ ".join(f"{_at(each)} /= EMPTY" for each in edges)
        dead = f"{self.moved(transition, 'DEAD')} /\\ {unchanged()}"
        data = [_at(each) for each in edges if self.machine.edges[each].kind == "data"]
        operation = self.machine.operation(transition)
        if operation.kind == MERGE:
            alive = data[-1]
            for each in reversed(data[:-1]):
                alive = f"(IF {each} /= DEAD THEN {each} ELSE {alive})"
            live = f"{self.moved(transition, alive)} /\\ {unchanged()}"
            condition = " /\\ ".join(f"{each} = DEAD" for each in data)
        else:
            live = self._live(transition, operation, data)
            condition = " \\/ ".join(f"{_at(each)} = DEAD" for each in edges)
        yield f"  /\\ IF {condition} THEN {dead}\n     ELSE {live}"

    def _live(self, transition: Transition, operation: Operation, data: Sequence[str]) -> str:
        return RULES.get(operation.kind, function)(self, transition, operation, data)

    def _whole(self, actions: Sequence[str]) -> Iterator[str]:
        outputs = [_at(k) for k, edge in enumerate(self.machine.edges) if edge.target is None]
        yield "Done == " + " /\\ ".join(f"{each} /= EMPTY" for each in outputs)
        yield "Next ==\n  \\/ " + "\n  \\/ ".join(actions)
        yield "  \\/ (Done /\\ UNCHANGED vars)"
        yield "Spec == Init /\\ [][Next]_vars /\\ WF_vars(Next)"
        yield f"Agreement == {self._agreement()}"
        yield "Termination == <>Done"
        yield "===="

    def _agreement(self) -> str:
        first, *others = self.machine.variables
        same = [
            f"VarValue.{self.variable(k, name)} = VarValue.{self.variable(0, name)}"
            for k, names in enumerate(others, 1)
            for name in first
            if name in names
        ]
        return "Done => " + " /\\ ".join(same) if same else "TRUE"


def _at(edge: int) -> str:
    return f"InTransit[{edge + 1}]"


def _record(fields: Sequence[str]) -> str:
    return f"[{', '.join(fields) or 'none |-> 0'}]"
