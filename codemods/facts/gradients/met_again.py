"""Where what is computed of a share of the rows meets all of them, or goes on behind the steps.

`plt.plot(x, pred)`: after the cut `pred` has a row of each example of this worker's, `x` of all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from ...program.node_fields import within
from ..data.arrays import is_array
from ..data.full_batch import code_of_steps
from ..facts import Facts
from ..problems import Problem
from .loss_kinds import CONST, MEAN, OWN, PER_ROW
from .mean_losses import losses_of

_SHOWING = (
    *("numpy.save", "matplotlib.", "pickle."),
    *("tensorflow.io.write_file", "tensorflow.summary."),
)
_CHANGING = (ast.Store, ast.Del)
_MEETS = (
    "this is computed of the rows of one worker, where it meets those of all, or is taken for them"
)
_APART = "compute it anew of all rows, outside of the training steps"
_PUT_IN = "a step changes the array of which it takes the rows"
_BEFORE = "change it before the steps, or a copy of it"
_SO_MANY = "this takes tensors of so many rows, and a share has fewer"
_ANY = "let the number of rows be None"


def met_again(facts: Facts, reads: Sequence[ast.expr]) -> Iterator[Problem]:
    """Why something else than the loss needs all of the rows that a step reads."""
    yield from (Problem(each, _SO_MANY, _ANY) for each in _of_so_many(facts))
    yield from (Problem(each, _PUT_IN, _BEFORE) for each in _put_in(facts, reads))
    yield from (Problem(each, _MEETS, _APART) for each in _met(facts, reads))


def _met(facts: Facts, reads: Sequence[ast.expr]) -> Iterator[ast.expr]:
    """Reads of shares where an array is read whole, and those that are made behind the steps."""
    cut, steps = frozenset(reads), code_of_steps(facts)
    arrays = {node for each in reads for node in _made(facts, each)}
    loads = [n for nodes in facts.index.loads.values() for n in nodes if isinstance(n, ast.Name)]
    others = [name for name in loads if arrays.isdisjoint(_made(facts, name))]
    same = set(loads) - cut - set(others)
    beside = {facts.statement(n) for n in loads if n in same or _is_whole(facts, n, cut)}
    for name in (*others, *_kept(facts)):
        is_beside = facts.statement(name) in beside
        is_out = is_beside or name not in steps or _is_shown(facts, name)
        if is_out and _is_share(facts, name, cut, is_beside):
            yield name


def _is_whole(facts: Facts, name: ast.Name, cut: frozenset[ast.expr]) -> bool:
    """Whether it is an array, maybe another name of one, and none of a share."""
    is_other = name not in cut and is_array(facts, name)
    if not is_other or losses_of(facts).kinds(name) <= {CONST, OWN}:
        return False
    return cut.isdisjoint(facts.program.ingredients(name))


def _is_shown(facts: Facts, name: ast.expr) -> bool:
    """Whether it is written to a file, or shown: `np.save("pred", pred)`, `plt.plot(pred)`."""
    calls = (each for each in facts.parents(name) if isinstance(each, ast.Call))
    names = (facts.name(call.func) or "" for call in calls)
    return any(each.startswith(_SHOWING) for each in names)


def _kept(facts: Facts) -> Iterator[ast.Attribute]:
    """What objects keep: `self.pred`, and no method that is called."""
    for node in facts.index.nodes(ast.Attribute):
        call = facts.parent(node)
        is_method = isinstance(call, ast.Call) and call.func is node
        if isinstance(node.ctx, ast.Load) and not is_method:
            yield node


def _made(facts: Facts, name: ast.expr) -> Iterator[ast.AST]:
    """Where a name is bound: `y` of the program is another one than that of a function."""
    yield from (each.node for each in facts.names.bindings(name))


def _is_share(facts: Facts, name: ast.expr, cut: frozenset[ast.expr], is_beside: bool) -> bool:
    """Whether it has the rows of a share; beside all rows what nobody knows may have them."""
    kinds = losses_of(facts).kinds(name)
    may_be = not kinds <= {MEAN, CONST, OWN} if is_beside else bool(kinds & {*PER_ROW})
    is_model = facts.role(name) is not None or bool(facts.program.functions(name).nodes)
    return may_be and not is_model and not cut.isdisjoint(facts.program.ingredients(name))


def _put_in(facts: Facts, reads: Sequence[ast.expr]) -> Iterator[ast.expr]:
    """Where a step changes an array in place: `x[:] = …`, `x[0] += 1`."""
    spelled = {each.id for each in reads if isinstance(each, ast.Name)}
    parts = (node for node in code_of_steps(facts) if isinstance(node, ast.Subscript))
    for part in (each for each in parts if isinstance(each.ctx, _CHANGING)):
        if any(getattr(node, "id", "") in spelled for node in within(part.value)):
            yield part


def _of_so_many(facts: Facts) -> Iterator[ast.expr]:
    """Where a function takes tensors of a written number of rows: `tf.TensorSpec([100, 3])`."""
    for call in facts.calls_of("tensorflow.TensorSpec"):
        shape = facts.argument(call, "shape", 0)
        made = facts.origins(shape).only if shape is not None else None
        first = made.elts[:1] if isinstance(made, (ast.List, ast.Tuple)) else [shape]
        if not all(isinstance(n, ast.Constant) and n.value is None for n in first):
            yield call
