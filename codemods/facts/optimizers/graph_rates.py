"""Decaying rates of TensorFlow 1 that are scaled where they are made, so that all see one rate.

`rate = tf.train.exponential_decay(0.1, …)`, which an optimizer takes and a summary shows: whoever
multiplied the optimizer's argument alone would show another rate than the one that is trained with.
Only where nothing else reads it: what is reckoned from a rate otherwise would become a multiple.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from ...library.decays import old_decay
from ...library.meetings import prints
from ...library.names import in_v1
from ..by_rank import depends_on_size
from ..facts import Facts
from ..scopes import FunctionNode
from ..training.session_runs import session_runs

_SHOWING = in_v1("summary.scalar", "summary.histogram", "train.LoggingTensorHook")
_NAMING = in_v1("identity")  # `tf.identity(rate, name="rate")`: a name for hooks that log
_READ = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.BinOp)
# Something else gives them their value, when the program runs.
_FILLED = in_v1("placeholder", "placeholder_with_default", "Variable", "get_variable")
_HOLDERS = (ast.Dict, ast.List, ast.Tuple, ast.keyword)
_TEXTS = (ast.BinOp, ast.JoinedStr, ast.FormattedValue, ast.Tuple, ast.keyword, ast.Starred)
_NUMBERS = ("format", "float", "str", "round", "item")


def maker_of(facts: Facts, rate: ast.expr) -> ast.Call | ast.BinOp | None:
    """The only expression that makes a rate, if it is a decay or reckons with tensors."""
    made = facts.origins(rate)
    only = made.nodes[0] if made.complete and len(made.nodes) == 1 else None
    if isinstance(only, ast.BinOp):
        return only
    name = facts.name(only.func) or "" if isinstance(only, ast.Call) else ""
    is_known = name.startswith("tensorflow.") and name not in _FILLED
    return only if isinstance(only, ast.Call) and is_known else None


def is_scaled_where_made(
    facts: Facts, maker: ast.Call | ast.BinOp, rates: Collection[ast.expr]
) -> bool:
    """Whether nothing reads it but the optimizers that take `rates`, and what shows it.

    A decay has a rate to scale; of others only what is shown needs to be scaled there.
    """
    is_decay = isinstance(maker, ast.Call) and old_decay(facts.name(maker.func)) is not None
    hides = isinstance(maker, ast.Call) and facts.has_hidden_arguments(maker)
    if hides or depends_on_size(facts, maker):
        return False
    uses = list(_uses(facts, maker))
    is_wanted = is_decay or any(_is_shown(facts, use) for use in uses)
    return is_wanted and all(_is_harmless(facts, use, maker, rates) for use in uses)


def _uses(facts: Facts, decay: ast.expr) -> Iterator[ast.expr]:
    """What may be its value, wherever it is read; also what may be anything, by its attribute."""
    kept = {n.attr for n in facts.index.nodes(ast.Attribute) if _is_kept_in(facts, n, decay)}
    for kind in _READ:
        for node in facts.index.nodes(kind):
            if not isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
                made = facts.origins(node)
                is_unknown = not made.complete or node in made.nodes
                if decay in made.nodes or (is_unknown and getattr(node, "attr", None) in kept):
                    yield node


def _is_kept_in(facts: Facts, target: ast.Attribute, decay: ast.expr) -> bool:
    """Whether `self.rate = …` keeps it there."""
    statement = facts.parent(target)
    value = statement.value if isinstance(statement, ast.Assign) else None
    is_put = isinstance(target.ctx, ast.Store) and value is not None
    return is_put and decay in facts.origins(value or target).nodes


def _is_harmless(facts: Facts, use: ast.expr, decay: ast.expr, rates: Collection[ast.expr]) -> bool:
    if use in rates:
        return maker_of(facts, use) is decay
    return _is_handed_on(facts, use) or _is_shown(facts, use)


def _is_handed_on(facts: Facts, use: ast.expr) -> bool:
    """Whether it only gets a name, or goes into or out of a function of this file, as it is."""
    parent = facts.parent(use)
    if isinstance(parent, (ast.Assign, ast.AnnAssign)):
        targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
        return all(isinstance(target, (ast.Name, ast.Attribute)) for target in targets)
    if isinstance(parent, ast.Return):
        function = facts.function(use)
        return function is not None and not facts.values.escapes(function)
    call = facts.parent(parent) if isinstance(parent, ast.keyword) else parent
    return isinstance(call, ast.Call) and use is not call.func and _is_of_file(facts, call)


def _is_of_file(facts: Facts, call: ast.Call) -> bool:
    function = facts.callee(call)
    if not isinstance(function, FunctionNode) or facts.has_hidden_arguments(call):
        return False
    return function.args.vararg is None and function.args.kwarg is None


def _is_shown(facts: Facts, use: ast.expr) -> bool:
    """Whether it goes into a summary, the log of a hook, or a run of which it is only printed."""
    call = _call_around(facts, use)
    if call is None:
        return False
    name = facts.name(call.func)
    if name in _NAMING:
        return isinstance(facts.parent(call), ast.Expr)
    is_run = any(run.call is call for run in session_runs(facts))
    return name in _SHOWING or (is_run and _is_only_printed(facts, call, use))


def _call_around(facts: Facts, use: ast.expr) -> ast.Call | None:
    node = facts.parent(use)
    while isinstance(node, _HOLDERS):
        node = facts.parent(node)
    return node if isinstance(node, ast.Call) else None


def _is_only_printed(facts: Facts, run: ast.Call, use: ast.expr) -> bool:
    """`_, value = session.run([train, rate])`, where nothing but a print reads `value`."""
    statement = facts.parent(run)
    if not isinstance(statement, ast.Assign):
        return _is_printed(facts, run)
    target = statement.targets[0] if len(statement.targets) == 1 else None
    holder = facts.parent(use)
    if isinstance(target, ast.Tuple) and isinstance(holder, (ast.List, ast.Tuple)):
        is_alike = len(target.elts) == len(holder.elts) and holder is not target
        target = target.elts[holder.elts.index(use)] if is_alike else None
    if not isinstance(target, ast.Name):
        return False
    return all(_is_printed(facts, read) for read in facts.index.loads.get(target.id, ()))


def _is_printed(facts: Facts, value: ast.AST) -> bool:
    """Whether it only goes into a text, or as a number into a call that prints or writes it."""
    node, parent = value, facts.parent(value)
    while isinstance(parent, _TEXTS) or _is_text_of(parent, node):
        node, parent = parent, facts.parent(parent)  # type: ignore[assignment,arg-type]
    if not isinstance(parent, ast.Call) or node is parent.func:
        return False
    return prints(facts.name(parent.func) or "") and isinstance(facts.parent(parent), ast.Expr)


def _is_text_of(parent: ast.AST | None, node: ast.AST) -> bool:
    """`"…".format(value)`, `float(value)`; a comparison or a sum that is printed is a text, too."""
    if not isinstance(parent, ast.Call) or node is parent.func:
        return False
    return getattr(parent.func, "attr", getattr(parent.func, "id", "")) in _NUMBERS
