"""What each kind of operation does, as the second half of its TLA+ action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Callable

from ..kernel import (
    ASSIGN,
    COLLECTIVE,
    DEQUEUE,
    ENQUEUE,
    READ,
    READS,
    SWITCH,
    VAR,
    Operation,
    Unmodelled,
)
from ..semantics import Transition
from .tla_names import CHOICE, Words, identifier, unchanged

Rule = Callable[[Words, Transition, Operation, "Sequence[str]"], str]


def function(
    writer: Words, transition: Transition, operation: Operation, data: Sequence[str]
) -> str:
    """A function of numbers; one that is a choice gives 0 or 1."""
    if operation.function == CHOICE:
        moved = writer.moved(transition, "Tensor(v)")
        return f"(\\E v \\in {{0, 1}} : {moved}) /\\ {unchanged()}"
    value = f"Tensor({_value_of(writer, transition, operation, data)})"
    return f"{writer.moved(transition, value)} /\\ {unchanged()}"


def _value_of(
    writer: Words, transition: Transition, operation: Operation, data: Sequence[str]
) -> str:
    given, value = _numbers(writer, transition, data), int(operation.value or 0)
    known = {
        "const": lambda: str(value),
        "Const": lambda: str(value),
        "id": lambda: given[0],
        "Identity": lambda: given[0],
        "add": lambda: f"({' + '.join(given) or '0'})",
        "mul": lambda: f"({given[0]} * {given[1]})",
        "inc": lambda: f"({given[0]} + 1)",
        "gt": lambda: f"(IF {given[0]} > {value} THEN 1 ELSE 0)",
        "lt": lambda: f"(IF {given[0]} < {value} THEN 1 ELSE 0)",
    }
    compute = known.get(operation.function)
    enough = given or operation.function in ("const", "Const", "add")
    more = f" + {value}" if value else ""
    return compute() if compute and enough else _other(given) + more


def _numbers(writer: Words, transition: Transition, data: Sequence[str]) -> list[str]:
    """The inputs that are numbers: not those from a variable, and no controls."""
    operations = writer.machine.programs[transition.worker].operations
    inputs = operations[transition.number].inputs
    return [f"{each}[2]" for each, port in zip(data, inputs) if operations[port.of].kind != VAR]


def _other(given: Sequence[str]) -> str:
    return " + ".join(f"{k + 2} * {each}" for k, each in enumerate(given)) or "0"


def _variable(writer: Words, transition: Transition, op: Operation, data: Sequence[str]) -> str:
    reference = f'<<"ref", "{identifier(op.of)}">>'
    return f"{writer.moved(transition, reference)} /\\ {unchanged()}"


def _read(writer: Words, transition: Transition, op: Operation, data: Sequence[str]) -> str:
    name = writer.variable(transition.worker, op.accesses[0].variable)
    return f"{writer.moved(transition, f'Tensor(VarValue.{name})')} /\\ {unchanged()}"


def _assign(writer: Words, transition: Transition, op: Operation, data: Sequence[str]) -> str:
    given = _numbers(writer, transition, data)
    new = given[0] if len(given) == 1 else f"({_other(given)})"
    value = {"set": new, "add": f"@ + {new}", "sub": f"@ - {new}"}.get(
        op.function, f"2 * @ + {new}"
    )
    names = [writer.variable(transition.worker, each) for each, how in op.accesses if how != READS]
    changes = ", ".join(f"!.{name} = {value}" for name in names)
    return (
        f"{writer.moved(transition, 'GO')} /\\ VarValue' = [VarValue EXCEPT {changes}]"
        f" /\\ {unchanged('VarValue')}"
    )


def _switch(writer: Words, transition: Transition, op: Operation, data: Sequence[str]) -> str:
    value, decision = data[0], f"{data[1]}[2]"

    def taken(slot: int) -> str:
        if op.slots == 2:
            chosen = f"{decision} {'/=' if slot else '='} 0"
        elif slot == op.slots - 1:
            chosen = f"{decision} >= {slot}"
        else:
            chosen = f"{decision} {'=' if slot else '<='} {slot}"
        return f"(IF {chosen} THEN {value} ELSE DEAD)"

    return f"{writer.moved(transition, taken)} /\\ {unchanged()}"


def _enqueue(writer: Words, transition: Transition, op: Operation, data: Sequence[str]) -> str:
    name = writer.queue(transition.worker, op.of)
    room = writer.machine.programs[transition.worker].queues[op.of]
    fits = f"Len(Queue.{name}) < {room} /\\ " if room >= 0 else ""
    value = (_numbers(writer, transition, data) or ["0"])[0]
    added = f"Queue' = [Queue EXCEPT !.{name} = Append(@, {value})]"
    return f"{fits}{writer.moved(transition, 'Tensor(0)')} /\\ {added} /\\ {unchanged('Queue')}"


def _dequeue(writer: Words, transition: Transition, op: Operation, data: Sequence[str]) -> str:
    name = writer.queue(transition.worker, op.of)
    moved = writer.moved(transition, f"Tensor(Head(Queue.{name}))")
    taken = f"Queue' = [Queue EXCEPT !.{name} = Tail(@)]"
    return f"Len(Queue.{name}) > 0 /\\ {moved} /\\ {taken} /\\ {unchanged('Queue')}"


def _post(writer: Words, transition: Transition, op: Operation, data: Sequence[str]) -> str:
    place = writer.posted(transition.worker, writer.machine.names.index(op.of))
    given = _numbers(writer, transition, data)
    value = f"Tensor({given[0] if given else 0})"
    posted = f"Posted' = [Posted EXCEPT !.{place} = {value}]"
    free = f"Posted.{place} = NONE"
    return f"{free} /\\ {writer.moved(transition, '')} /\\ {posted} /\\ {unchanged('Posted')}"


RULES: Mapping[str, Rule] = {
    VAR: _variable,
    READ: _read,
    ASSIGN: _assign,
    SWITCH: _switch,
    ENQUEUE: _enqueue,
    DEQUEUE: _dequeue,
    COLLECTIVE: _post,
}


def completion(writer: Words, number: int, label: str) -> Iterator[str]:
    """What a collective does when all workers have called it. Raises Unmodelled."""
    machine = writer.machine
    calls = [f"Posted.{writer.posted(k, number)}" for k in range(len(machine.programs))]
    callers = [
        t
        for t in machine.into
        if machine.operation(t).kind == COLLECTIVE
        and machine.operation(t).of == machine.names[number]
    ]
    if len({t.worker for t in callers}) < len(callers):
        raise Unmodelled(f"{machine.names[number]} is called twice by one worker")
    yield f"{label} ==\n  /\\ " + " /\\ ".join(f"{each} /= NONE" for each in calls)
    total = f"Tensor({' + '.join(f'{each}[2]' for each in calls)})"
    fits = len({(machine.operation(t).function, machine.operation(t).digest) for t in callers})
    changes = []
    for caller in callers:
        first = "roadcast" in machine.operation(caller).function
        value = "DEAD" if fits > 1 else calls[0] if first else total
        for each in machine.out[caller]:
            control = machine.edges[each].kind == "control"
            filled = ("DEAD" if fits > 1 else "GO") if control else value
            changes.append(f"![{each + 1}] = {filled}")
    empty = [f"!.{writer.posted(k, number)} = NONE" for k in range(len(machine.programs))]
    yield f"  /\\ InTransit' = [InTransit EXCEPT {', '.join(changes)}]"
    yield f"  /\\ Posted' = [Posted EXCEPT {', '.join(empty)}]"
    yield "  /\\ UNCHANGED <<VarValue, Queue>>"
