"""What a value is made from, whether it only moves on, is changed in place, or can get a name."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from itertools import takewhile
from operator import is_not

from ..library.agreement import COUNTERS
from ..library.changes import Place, changed
from ..library.effects import leaves_alone
from ..library.purity import METHODS, TELLING
from ..program.parts import FUNCTIONS
from ..program.sought import Test
from ..program.things import Bound, Box, Class, Function, Instance, Method, Partial, Record, Thing
from ..syntax.agreed import is_agreed
from .facts import Facts, recorded
from .roles import Role

# -- what a value is made from -------------------------------------------------------------------
# What a value may be made from: everything in its expression, and behind the names in there.
#
# Where `origins` says what a value *is*, and gives up at a call of who knows what, this goes on:
# `copy(opt)`, `opts["first"]`, `state.opt` and `next(iter(opts))` hold what went into them.


def ingredients(
    facts: Facts, expr: ast.AST, closed: frozenset[Role] = frozenset()
) -> Iterator[ast.AST]:
    """The parts of the expression and of what flows into it, each once; none of closed roles.

    Nothing behind a value of which a check at run time shows that all workers have the same.
    """

    return facts.program.ingredients(expr, _end(facts, closed) if closed else is_agreed)


def _end(facts: Facts, closed: frozenset[Role]) -> Test:
    """Where the ways end; one for all that ask, so that what is found is kept."""
    known = _ends(facts)
    if closed not in known:

        def is_closed(node: ast.AST) -> bool:
            return is_agreed(node) or (isinstance(node, ast.expr) and facts.role(node) in closed)

        known[closed] = is_closed
    return known[closed]


@recorded
def _ends(facts: Facts) -> dict[frozenset[Role], Test]:
    return {}


# -- what only moves on --------------------------------------------------------------------------
# Whether a value only moves on at a place, so that the engine says where it goes.

_PASSING = (ast.NamedExpr, ast.IfExp, ast.BoolOp, ast.arguments)
_GIVING = (ast.Return, ast.Yield, ast.Lambda)
_HOLDING = (ast.Tuple, ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.GeneratorExp)
_CALLED = (Function, Bound, Record, Method)
_RECORDS = ("types.SimpleNamespace", "argparse.Namespace", "builtins.dict")


class Moves:
    """Answers for one module."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts

    def to(self, parent: ast.AST | None, node: ast.expr) -> bool:
        """Whether the syntax around hands the value on: to a name, a result, a container."""
        if isinstance(parent, (ast.Assign, ast.AnnAssign)):
            targets = parent.targets if isinstance(parent, ast.Assign) else [parent.target]
            return all(map(self._holds, targets))
        if isinstance(parent, _HOLDING):
            return not isinstance(self._facts.parent(parent), ast.Expr)
        if isinstance(parent, ast.DictComp):
            return parent.value is node
        if isinstance(parent, _GIVING):
            return self._is_ours(parent)
        return isinstance(parent, _PASSING)

    def _is_ours(self, giving: ast.AST) -> bool:
        """Whether only code of the module gets what a function gives here."""
        around = (giving, *self._facts.parents(giving))
        function = next((node for node in around if isinstance(node, FUNCTIONS)), None)
        return function is None or not self._facts.program.is_handed_out(function)

    def _holds(self, target: ast.expr) -> bool:
        """Whether the engine finds what is stored there wherever it is read."""
        is_part = isinstance(target, (ast.Attribute, ast.Subscript))
        return not is_part or self._is_found_again(target.value)  # type: ignore[attr-defined]

    def _is_found_again(self, holder: ast.expr) -> bool:
        things = self._facts.program.things(holder)
        return bool(things) and all(isinstance(t, (Instance, Class, Box)) for t in things)

    def into(self, call: ast.Call, node: ast.expr) -> bool:
        """Whether an argument gets to a parameter of the module's, or into a container."""
        name = self._facts.name(call.func)
        if name == "builtins.setattr":
            return node is not call.args[0] and self._is_found_again(call.args[0])
        if name in _RECORDS:
            return node not in call.args
        things = self._facts.program.things(call.func)
        return bool(things) and all(map(self._takes, things))

    def _takes(self, thing: Thing) -> bool:
        if isinstance(thing, Partial):
            inner = self._facts.program.things(thing.func)
            return bool(inner) and all(isinstance(t, _CALLED) for t in inner)
        if not isinstance(thing, Class):
            return isinstance(thing, _CALLED)
        init = self._facts.classes.method(thing.node, "__init__")
        return init is not None or bool(thing.fields)


# -- what can be named ---------------------------------------------------------------------------
# Whether a value can be named by a statement of its own, right before the one that uses it.

_FIXED = (ast.Constant, ast.operator, ast.unaryop, ast.cmpop, ast.expr_context)
SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)


def bound_to(facts: Facts, call: ast.Call) -> str | None:
    """The name or attribute that a statement binds to nothing but this call's value."""
    parent = facts.parent(call)
    if isinstance(parent, ast.Assign) and len(parent.targets) == 1:
        target: ast.expr = parent.targets[0]
    elif isinstance(parent, ast.AnnAssign):
        target = parent.target
    else:
        return None
    return ast.unparse(target) if _is_path(target) else None


def _is_path(target: ast.expr) -> bool:
    """`a`, `self.a`, `self.model.a`: reading it again gives what was stored."""
    while isinstance(target, ast.Attribute):
        target = target.value
    return isinstance(target, ast.Name)


def can_be_named(facts: Facts, node: ast.expr) -> bool:
    """Whether a statement right before means the same: not in a lambda or a branch."""
    statement = facts.statement(node)
    if not isinstance(statement, SIMPLE):
        return False
    between = []
    for parent in facts.parents(node):
        if parent is statement:
            break
        between.append(parent)
    deferred = (
        ast.Lambda,
        ast.IfExp,
        ast.BoolOp,
        ast.comprehension,
        ast.ListComp,
        ast.GeneratorExp,
        ast.DictComp,
        ast.SetComp,
        ast.JoinedStr,  # no place that can be edited
    )
    return not any(isinstance(parent, deferred) for parent in between)


def is_first(facts: Facts, node: ast.expr) -> bool:
    """Whether its statement looks at nothing that may change before it comes to this expression.

    `print("step", f())` calls `f` first; `print(w, f())` reads `w` before.
    """
    statement, inner = facts.statement(node), node
    for parent in facts.parents(node):
        if parent is statement:
            break
        before = takewhile(partial(is_not, inner), ast.iter_child_nodes(parent))
        if not all(_stays(facts, parent, each) for each in before):
            return False
        inner = parent  # type: ignore[assignment]
    return True


def _stays(facts: Facts, parent: ast.AST, part: ast.AST) -> bool:
    """Whether it is a constant, a count, or the name of what is called."""
    if isinstance(parent, ast.Call) and part is parent.func:
        return isinstance(part, ast.expr) and _is_path(part)
    return isinstance(part, _FIXED) or (isinstance(part, ast.Name) and _is_count(facts, part))


def _is_count(facts: Facts, name: ast.Name) -> bool:
    """Whether it only ever counts: `for step in range(10)`."""
    bindings = facts.bindings(name)
    loops = [b.node for b in bindings if isinstance(b.node, (ast.For, ast.AsyncFor))]
    calls = [loop.iter for loop in loops if isinstance(loop.iter, ast.Call)]
    is_all = bool(bindings) and len(calls) == len(bindings)
    return is_all and all(facts.name(call.func) in COUNTERS for call in calls)


# -- what calls change ---------------------------------------------------------------------------
# What calls change in place, as `library.changes` says it of their names.


def changes(facts: Facts, call: ast.Call) -> tuple[Place, ...]:
    """The arguments of a call that it changes, by position or keyword, and the receiver.

    A text is changed by no method: where the value of `a.partition(b)` is used, `a` is a text.
    """
    name = facts.name(call.func)
    if name is None and isinstance(call.func, ast.Attribute):
        name = "." + call.func.attr
        if name == ".partition" and not isinstance(facts.parent(call), ast.Expr):
            return ()
    return () if name is None else changed(name, _keywords(call), [])


def _keywords(call: ast.Call) -> list[str]:
    return [k.arg for k in call.keywords if k.arg is not None and not _is_off(k.value)]


def _is_off(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and not value.value


def is_computing(facts: Facts, call: ast.Call, func: ast.Attribute) -> bool:
    """Whether a method of that name gives a value, or tells a person something, and no more.

    Nobody computes for nothing: one whose value is not used changes something.
    """
    if func.attr in TELLING:
        return True
    is_used = not isinstance(facts.parent(call), ast.Expr)
    is_queue = func.attr == "get" and not call.args
    return func.attr in METHODS and is_used and not is_queue and not _is_foreign(facts, func.value)


def _is_foreign(facts: Facts, receiver: ast.expr) -> bool:
    """Whether it may be an object of a library that no table knows: its `get` may take away."""
    makers = [facts.name(n.func) for n in facts.origins(receiver).nodes if isinstance(n, ast.Call)]
    return any(name is not None and not leaves_alone(name) for name in makers)
