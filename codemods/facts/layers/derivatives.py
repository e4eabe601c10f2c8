"""Derivatives that layers which are run again do not have, or have wrong."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Union

from ...program.node_fields import within
from ..scopes import FunctionNode
from .layer_calls import Problem

if TYPE_CHECKING:
    from ..facts import Facts

With = Union[ast.With, ast.AsyncWith]
TAPE = "tensorflow.GradientTape"
SECOND = ("jacobian", "batch_jacobian")
FORWARD = "tensorflow.autodiff.ForwardAccumulator"
CHANGES = frozenset(
    ("apply", "apply_gradients", "minimize", "assign", "assign_add", "assign_sub", "set_weights",
     "load_weights", "fit", "train_on_batch", "restore")
)  # fmt: skip


def nested_tapes(facts: Facts) -> Iterator[Problem]:
    """Tapes and second derivatives that another tape may record, by the names that it mentions."""
    for block in _blocks(facts):
        asking = (*SECOND, "gradient") if len(_tapes(facts, block)) > 1 else SECOND
        for node in _mentioned(facts, block.body, *_calls(facts)):
            is_second = isinstance(node, ast.Attribute) and node.attr in asking
            if _is_tape(facts, node) or is_second or facts.name(node) == FORWARD:
                yield Problem("C06", node)


def _blocks(facts: Facts) -> list[With]:
    """The `with` statements that record."""
    return [node for node in within(facts.module) if _is_tape(facts, node)]  # type: ignore[misc]


def _is_tape(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, (ast.With, ast.AsyncWith)) and bool(_tapes(facts, node))


def _tapes(facts: Facts, block: With) -> list[ast.expr]:
    """The tapes that one `with` starts, also `with tape:`."""
    return [i.context_expr for i in block.items if _makes_tape(facts, i.context_expr)]


def _makes_tape(facts: Facts, expr: ast.expr) -> bool:
    made = facts.origins(expr).nodes if isinstance(expr, ast.Name) else (expr,)
    return any(isinstance(each, ast.Call) and facts.name(each.func) == TAPE for each in made)


def recorded(facts: Facts) -> Iterator[ast.AST]:
    """What stands where a tape records, or Keras', by the names that are mentioned there."""
    for block in _blocks(facts):
        yield from _mentioned(facts, block.body)
    yield from _mentioned(facts, [], *_of_layers(facts))


def _of_layers(facts: Facts) -> list[ast.AST]:
    """The `call` and `__call__` of classes."""
    return [each for each in _calls(facts) if facts.classes.method_of(each) is not None]


def _functions(facts: Facts) -> dict[str, list[ast.AST]]:
    """The functions and methods of the file by their names."""
    found: dict[str, list[ast.AST]] = {}
    for node in facts.index.scopes:
        if isinstance(node, FunctionNode):
            found.setdefault(node.name, []).append(node)
    return found


def _calls(facts: Facts) -> list[ast.AST]:
    """What an instance of any class runs when it is called."""
    functions = _functions(facts)
    return [*functions.get("call", ()), *functions.get("__call__", ())]


def _mentioned(facts: Facts, body: Iterable[ast.AST], *more: ast.AST) -> Iterator[ast.AST]:
    """What stands in statements, and in the functions of the file whose names stand there."""
    by_name = _functions(facts)
    waiting = [*body, *more]
    seen: set[ast.AST] = set()
    while waiting:
        root = waiting.pop()
        if root in seen:
            continue
        seen.add(root)
        for node in within(root):
            yield node
            name = getattr(node, "id", None) or getattr(node, "attr", None)
            waiting += by_name.get(name or "", ())


# -- weights that change between a run and its gradient ------------------------------------------


def changed_weights(facts: Facts) -> Iterator[Problem]:
    """Gradients that a tape gives after weights were changed: the second run would use those."""
    bound: dict[ast.AST, list[tuple[With, set[str]]]] = {}
    for block in _blocks(facts):
        home = facts.function(block) or facts.module
        bound.setdefault(home, []).append((block, _names(block)))
    for place, blocks in bound.items():
        calls = sorted((n for n in within(place) if isinstance(n, ast.Call)), key=_end)
        for block, names in blocks:
            again = [b.lineno for b, other in blocks if b.lineno > block.lineno and names & other]
            last = min(again, default=_end(calls[-1])[0] + 1)
            yield from _late(facts, [c for c in calls if block.lineno < c.lineno < last], names)


def _late(facts: Facts, calls: list[ast.Call], names: set[str]) -> Iterator[Problem]:
    changed = False
    for call in calls:
        if changed and _asks(call, names):
            yield Problem("C10", call)
        changed = changed or _changes(facts, call)


def _asks(call: ast.Call, names: set[str]) -> bool:
    """Whether a call asks one of these tapes, or hands it on to who may."""
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if isinstance(call.func, ast.Attribute):
        given.append(call.func.value)
    return any(isinstance(each, ast.Name) and each.id in names for each in given)


def _changes(facts: Facts, call: ast.Call) -> bool:
    """Whether a call changes variables, itself or in a function of the file."""
    return any(
        isinstance(node, ast.Attribute) and node.attr in CHANGES
        for node in _mentioned(facts, [call.func])
    )


def _names(block: With) -> set[str]:
    names = (item.optional_vars for item in block.items)
    return {name.id for name in names if isinstance(name, ast.Name)}


def _end(call: ast.Call) -> tuple[int, int]:
    """Calls end in the order in which they run."""
    return call.end_lineno or call.lineno, call.end_col_offset or 0
