"""Loops whose body a result has made a function (D501) are loops again, to be compared.

`x = loop_halves(step, items, x)` right behind `def step(item, x): …` runs its body for each item;
where the items are what a loop before it has kept, the body stands in that loop again.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from ..program.node_fields import within
from ..program.records import NamedTuple
from .expressions import helper
from .one_worker import Block, blocks, shape

LOOP, RUN = "<loop>", "<run>"
FLAG = "training"
COPIES = ("dict", "list")


class _Run(NamedTuple):
    """A function of a step, and the statement that runs it for each item."""

    step: ast.FunctionDef
    target: ast.expr
    call: ast.Call


def put_back(tree: ast.AST, fresh: Collection[str]) -> None:
    """Put the loops in place of the functions that only a result has, the innermost first."""
    for block in blocks(tree):
        for statement in block:
            put_back(statement, fresh)
        block[:] = [each for statement in block for each in _lines(statement, fresh)]
        number = 0
        while number < len(block) - 1:
            run = _run(block[number], block[number + 1], fresh)
            if run is not None:
                _put_back(block, number, run, fresh)
            number += 1


def hand_on(tree: ast.AST, fresh: Collection[str], functions: Collection[str]) -> None:
    """In a `call` of Keras `layer(x)` is told if it trains as by `layer(x, training=training)`.

    None of the file's `functions` and methods is: each has a default of its own.
    """
    plain = frozenset(functions) - frozenset(fresh)
    for node in within(tree):
        if isinstance(node, ast.FunctionDef) and node.name == "call":
            if FLAG in {each.arg for each in node.args.args}:
                _leave_out(node, fresh, plain)


def _leave_out(function: ast.FunctionDef, fresh: Collection[str], plain: Collection[str]) -> None:
    calls = [each for each in within(function) if isinstance(each, ast.Call)]
    for call in calls:
        if getattr(call.func, "attr", getattr(call.func, "id", "")) not in plain:
            call.keywords = [k for k in call.keywords if k.arg != FLAG or not _is_flag(k.value)]
        is_run = helper(getattr(call.func, "id", ""), fresh) == RUN and len(call.args) == 3
        call.args = call.args[:2] if is_run and _is_flag(call.args[2]) else call.args


def _is_flag(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == FLAG


def _lines(statement: ast.stmt, fresh: Collection[str]) -> list[ast.stmt]:
    """`x = run_halves([a, b], x)` are the lines `x = a(x)` and `x = b(x)`."""
    call = statement.value if isinstance(statement, ast.Assign) else None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        return [statement]
    is_run = helper(call.func.id, fresh) == RUN and len(call.args) in (2, 3)
    if not is_run or not isinstance(call.args[0], ast.List):
        return [statement]
    layers, carried, *training = call.args
    keywords = [ast.keyword("training", each) for each in training]
    lines: list[ast.stmt] = []
    for layer in layers.elts:  # type: ignore[attr-defined]
        value = ast.Call(layer, [carried], list(keywords))
        lines.append(ast.copy_location(ast.Assign(statement.targets, value), statement))  # type: ignore[attr-defined]
    return lines


def _run(first: ast.stmt, second: ast.stmt, fresh: Collection[str]) -> _Run | None:
    """The function and its call, if that is all that it is for."""
    if not isinstance(first, ast.FunctionDef) or first.name not in fresh:
        return None
    if not isinstance(second, ast.Assign) or not isinstance(second.value, ast.Call):
        return None
    call, (target, *others) = second.value, second.targets
    is_run = helper(getattr(call.func, "id", ""), fresh) == LOOP and len(call.args) == 3
    is_plain = not first.decorator_list and len(first.args.args) == 2 and not call.keywords
    if others or not is_run or not is_plain or not isinstance(first.body[-1], ast.Return):
        return None
    is_step = isinstance(call.args[0], ast.Name) and call.args[0].id == first.name
    return _Run(first, target, call) if is_step else None


def _put_back(block: Block, number: int, run: _Run, fresh: Collection[str]) -> None:
    """Replace what makes and runs the step by the loop, if it hands on just what it says."""
    body = list(run.step.body)
    item, state = (ast.Name(each.arg, ast.Load()) for each in run.step.args.args)
    _, items, begin = run.call.args
    filled = _filled(block, number, run)
    target = run.target.elts[0] if filled and isinstance(run.target, ast.Tuple) else run.target
    over, handed = _unpacked(body, item, fresh), _unpacked(body, state, fresh)
    given = body.pop().value  # type: ignore[attr-defined]
    if filled and isinstance(given, ast.Tuple) and len(given.elts) == 2:
        given, output = given.elts
        _fill(body, output, filled, fresh)
    if any(shape(each) != shape(handed) for each in (target, given, begin) if each is not None):
        return
    body = [s for s in body if not _is_copy(s)] or [ast.Pass()]
    end = number + (3 if filled else 2)
    _put_in(block, number, end, over, items, body, fresh)


def _unpacked(body: Block, parameter: ast.Name, fresh: Collection[str]) -> ast.expr:
    """What a parameter of a new name is unpacked into by a first line, else the parameter."""
    for statement in body[:2] if parameter.id in fresh else ():
        if isinstance(statement, ast.Assign) and shape(statement.value) == shape(parameter):
            body.remove(statement)
            return statement.targets[0]
    return parameter


def _filled(block: Block, number: int, run: _Run) -> str:
    """The list that gets what the steps have given, behind the call."""
    behind = block[number + 2] if number + 2 < len(block) else None
    call = behind.value if isinstance(behind, ast.Expr) else None
    if not isinstance(run.target, ast.Tuple) or not isinstance(call, ast.Call):
        return ""
    is_extended = isinstance(call.func, ast.Attribute) and call.func.attr == "extend"
    is_given = bool(call.args) and shape(call.args[0]) == shape(run.target.elts[-1])
    return ast.unparse(call.func.value) if is_extended and is_given else ""  # type: ignore[attr-defined]


def _fill(body: Block, output: ast.expr, filled: str, fresh: Collection[str]) -> None:
    """Put `outputs.append(x)` in place of `output = x`, or at the end."""
    to = ast.Attribute(ast.parse(filled, mode="eval").body, "append", ast.Load())
    if not (isinstance(output, ast.Name) and output.id in fresh):
        body.append(ast.copy_location(ast.Expr(ast.Call(to, [output], [])), body[-1]))
    for number, statement in enumerate(body):
        if isinstance(statement, ast.Assign) and shape(statement.targets[0]) == shape(output):
            if isinstance(output, ast.Name) and output.id in fresh:
                made = ast.Expr(ast.Call(to, [statement.value], []))
                body[number] = ast.copy_location(made, statement)


def _is_copy(statement: ast.stmt) -> bool:
    """`s = dict(s)`: each step has its own."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    is_call = isinstance(value, ast.Call) and getattr(value.func, "id", "") in COPIES
    if not is_call or len(value.args) != 1:  # type: ignore[union-attr]
        return False
    return shape(value.args[0]) == shape(statement.targets[0])  # type: ignore[union-attr,attr-defined]


def _put_in(
    block: Block,
    number: int,
    end: int,
    over: ast.expr,
    items: ast.expr,
    body: Block,
    fresh: Collection[str],
) -> None:
    if not (isinstance(items, ast.Name) and items.id in fresh):
        head = items.args[0] if _is_same_one_by_one(items) else items  # type: ignore[attr-defined]
        loop = ast.For(over, head, body, [], lineno=block[number].lineno)
        block[number:end] = [loop]
        return
    kept = _kept(block[:number], items.id)
    if kept is None:
        return
    inside, place, value = kept
    if shape(value) == shape(over):
        inside[place : place + 1] = body
        block[number:end] = []
        block[:] = [s for s in block if not _begins(s, items.id)]


def _is_same_one_by_one(items: ast.expr) -> bool:
    """Whether it is `list(x)`, or `tf.unstack(tf.range(n))`, which loops run over as over x."""
    if not isinstance(items, ast.Call) or len(items.args) != 1:
        return False
    is_range = getattr(getattr(items.args[0], "func", None), "attr", "") == "range"
    is_unstacked = getattr(items.func, "attr", "") == "unstack" and is_range
    return is_unstacked or getattr(items.func, "id", "") == "list"


def _kept(before: Block, name: str) -> tuple[Block, int, ast.expr] | None:
    """Where a loop before keeps its numbers, and which."""
    for statement in before:
        for inner in blocks(statement) if isinstance(statement, (ast.For, ast.While)) else ():
            for place, each in enumerate(inner):
                call = each.value if isinstance(each, ast.Expr) else None
                if isinstance(call, ast.Call) and shape(call.func) == shape(_append(name)):
                    return inner, place, call.args[0]
    return None


def _append(name: str) -> ast.expr:
    return ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())


def _begins(statement: ast.stmt, name: str) -> bool:
    is_list = isinstance(statement, ast.Assign) and isinstance(statement.value, ast.List)
    return is_list and name in {n.id for n in within(statement) if isinstance(n, ast.Name)}
