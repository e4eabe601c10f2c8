"""What becomes of a loop of any form: its body a function of one step, and the call that runs it.

What counts in Python's numbers is run before, and kept for each step; what goes from step to step
is what the function gets and returns.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ..edits import At, Define, Insert, Remove
from ..facts import Facts
from ..facts.layers.any_loops import AnyLoop
from ..facts.layers.layer_loops import is_compiled, is_sequence
from ..library.rerun_loops import RANGES
from . import _loop_functions
from ._loop_functions import Form
from ._new_code import code, fresh, tf

STEP = "one_step"  # the name of a function that a loop's body becomes


def form_of(facts: Facts, loop: AnyLoop) -> Form:
    """The function that runs a loop."""
    options = facts.options
    form = Form(is_over=loop.is_passed, gives=loop.filled is not None)
    schedule = options.recompute or form.schedule
    return form._replace(schedule=schedule, base=options.base, snapshots=options.snapshots)


def inside(facts: Facts, loop: AnyLoop) -> Iterator[At]:
    """The edits in the loop."""
    item, *more = _item(facts, loop)
    state, *unpacked = _state(facts, loop)
    first = [*more, *unpacked, *(f"{name} = {kind}({name})" for name, kind in loop.boxes)]
    given = _tuple(names_of(loop))
    if loop.filled is not None:
        filled = loop.filled.value.args[0]  # type: ignore[attr-defined]
        output = code(facts, filled)
        if not isinstance(filled, ast.Name) or loop.node.body[-1] is not loop.filled:
            output = fresh(facts, "output")
            yield At(loop.filled, Insert(before=f"{output} = {code(facts, filled)}\n"))
        yield At(loop.filled, Remove())
        given = f"({given}), {output}" if "," in given else f"{given}, {output}"
    for statement in loop.counted:
        yield At(statement, Remove())
    lines = "".join(f"{line}\n" for line in first)
    head = f"def {fresh(facts, STEP)}({item}, {state}):"
    yield At(loop.node, Define(head, lines, f"return {given}\n"))


def around(facts: Facts, loop: AnyLoop) -> Insert:
    """The lines above and below the loop."""
    names, call = _tuple(names_of(loop)), fresh(facts, form_of(facts, loop).name)
    state = f"({names})" if "," in names else names
    run = f"{call}({fresh(facts, STEP)}, {_items(facts, loop)}, {state})"
    if loop.filled is None:
        after = f"{names} = {run}\n"
    else:
        outputs, given = loop.filled.value.func.value.id, fresh(facts, "outputs_of_steps")  # type: ignore[attr-defined]
        after = f"{state}, {given} = {run}\n{outputs}.extend({given})\n"
    counted = _counted(facts, loop)
    is_one = not counted and loop.filled is None
    return Insert(before=counted, after=f"\n{after}", fold=is_one)


def names_of(loop: AnyLoop) -> tuple[str, ...]:
    """What a step gets from the one before and gives to the next one."""
    return (*loop.state, *loop.passed)


def _tuple(names: tuple[str, ...]) -> str:
    return ", ".join(names)


def _item(facts: Facts, loop: AnyLoop) -> list[str]:
    """The parameter for what the loop runs over, and the line that unpacks it."""
    if loop.items:
        target = _tuple(loop.items)
        is_name = len(loop.items) == 1
    else:
        assert isinstance(loop.node, ast.For)
        target, is_name = code(facts, loop.node.target), isinstance(loop.node.target, ast.Name)
        target = target[1:-1] if target.startswith("(") and target.endswith(")") else target
    item = fresh(facts, "item")
    return [target] if is_name else [item, f"{target} = {item}"]


def _state(facts: Facts, loop: AnyLoop) -> list[str]:
    names = names_of(loop)
    state = fresh(facts, "state")
    return list(names) if len(names) == 1 else [state, f"{_tuple(names)} = {state}"]


def _items(facts: Facts, loop: AnyLoop) -> str:
    if loop.items:
        return fresh(facts, "counted")
    assert isinstance(loop.node, ast.For)
    text = code(facts, loop.node.iter)
    if facts.name(getattr(loop.node.iter, "func", loop.node.iter)) in RANGES:
        return f"{tf(facts)}.unstack({text})"
    return text if is_sequence(facts, loop.node.iter) else f"list({text})"


def _counted(facts: Facts, loop: AnyLoop) -> str:
    """The loop with what it counts alone: each turn keeps the numbers of its step."""
    if not loop.items:
        return ""
    kept, names = fresh(facts, "counted"), _tuple(loop.items)
    value = names if len(loop.items) == 1 else f"({names})"
    lines = [f"{kept}.append({value})"]
    step = loop.steps[0]
    body = [ast.unparse(s) for s in loop.counted if s.lineno < step.lineno] + lines
    body += [ast.unparse(s) for s in loop.counted if s.lineno > step.lineno]
    inner = "".join(f"    {line}\n" for each in body for line in each.split("\n"))
    return f"{kept} = []\n{_head(facts, loop)}\n{inner}\n"


def _head(facts: Facts, loop: AnyLoop) -> str:
    node = loop.node
    if isinstance(node, ast.While):
        return f"while {code(facts, node.test)}:"
    return f"for {code(facts, node.target)} in {code(facts, node.iter)}:"


def definitions(facts: Facts, loops: Sequence[AnyLoop]) -> list[str]:
    """The functions that the loops need."""
    forms = sorted({form_of(facts, loop) for loop in loops})
    texts = []
    for is_over in sorted({form.is_over for form in forms}) if is_compiled(facts) else ():
        texts.append(_loop_functions.written_step(is_over, _step(facts, is_over), tf(facts)))
    for form in forms:
        step = _step(facts, form.is_over) if is_compiled(facts) else ""
        part = fresh(facts, "first_part")
        texts.append(_loop_functions.written(form, fresh(facts, form.name), tf(facts), step, part))
    return texts


def _step(facts: Facts, is_over: bool) -> str:
    return fresh(facts, "loop_step_over" if is_over else "loop_step")
