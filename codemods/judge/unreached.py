"""What the broadcasts of a program don't reach: each worker keeps, or reads, a value of its own.

`hvd.broadcast_global_variables` finds no variables where there is no graph, `model.variables` has
none that only the program trains, and what a hook restores behind the broadcast stays rank 0's.
https://horovod.readthedocs.io/en/stable/tensorflow.html; horovod/horovod#1502.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..library.horovod_alone import RANKS, part
from ..library.horovod_names import BROADCAST_HOOK
from ..library.names import normal
from ..library.sessions import HOOKS
from ..library.tensorflow_names import VARIABLE
from ..program.node_fields import within
from .case import Case
from .own import Level, Owners
from .proof import Proof

NAME = "start"
_GLOBAL, _HOOK = "broadcast_global_variables", BROADCAST_HOOK
_BROADCASTS = ("broadcast_variables", _GLOBAL, _HOOK)
_OF_GRAPHS = ("disable_v2_behavior", "disable_eager_execution", "Graph", "Session", "function")
_RESTORING = ("restore", "load_weights", "restore_or_initialize")
EAGER = (
    "there is no graph here whose variables this could broadcast: it fails at once (`{}` works "
    "without eager execution alone)"
)
EAGER_FIX = "broadcast what there is: `hvd.broadcast_variables(model.variables, root_rank=0)`"
EXTRA = (
    "`{}` is trained here, and no broadcast reaches it: each worker keeps the value that it drew "
    "for itself in line {}"
)
EXTRA_FIX = "broadcast it, too: `hvd.broadcast_variables([{}], root_rank=0)`"
RESTORED = (
    "rank 0 alone goes on from its checkpoint: hooks are called in the order of their list, and "
    "this one restores behind the broadcast (line {})"
)
RESTORED_FIX = "put it before `hvd.BroadcastGlobalVariablesHook(0)` in the list"


def unreached(case: Case) -> list[Proof]:
    """A violation for each of them."""
    if not any("broadcast" in source.text.lower() for source in case.after.values()):
        return []
    nodes = [n for source in case.after.values() for n in within(source.module)]
    search = _Search(case, nodes)
    return [*search.eager(), *search.extra(), *search.restored()]


class _Search:
    """The broadcasts of one program, and what it trains."""

    def __init__(self, case: Case, nodes: list[ast.AST]) -> None:
        self._case, self._program, self._nodes = case, case.program, nodes
        self._calls = [node for node in nodes if isinstance(node, ast.Call)]
        self._broadcasts = [c for c in self._calls if self._parts(c) & {*_BROADCASTS}]

    def _parts(self, call: ast.Call) -> set[str]:
        return {part(name) for name in self._program.names(call.func)}

    def _lasts(self, call: ast.Call) -> set[str]:
        return {name.rpartition(".")[2] for name in self._program.names(call.func)}

    # -- no graph -------------------------------------------------------------------------------

    def eager(self) -> Iterator[Proof]:
        """The broadcasts of a graph's variables in a program that makes none."""
        made = {name for call in self._calls for name in self._lasts(call)}
        if made & {*_OF_GRAPHS} or not self._gradients():
            return
        for call in self._broadcasts:
            if self._parts(call) == {_GLOBAL} and not self._is_in_function(call):
                why = EAGER.format(ast.unparse(call.func))
                yield self._case.violated(NAME, call, why, EAGER_FIX)

    def _is_in_function(self, node: ast.AST) -> bool:
        """Whether it stands in a function, which may be traced."""
        while node in self._case.parents:
            node = self._case.parents[node]
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
                return True
        return False

    # -- variables beside a model's ---------------------------------------------------------------

    def _gradients(self) -> list[ast.expr]:
        """What gradients are taken by: the second argument of `tape.gradient(loss, variables)`."""
        given = []
        for call in self._calls:
            if getattr(call.func, "attr", "") == "gradient":
                named = [k.value for k in call.keywords if k.arg == "sources"]
                given += [*call.args[1:2], *named]
        return given

    def extra(self) -> Iterator[Proof]:
        """The variables of the program's own that are trained and that nobody broadcasts."""
        broadcast = [c for c in self._broadcasts if self._parts(c) == {"broadcast_variables"}]
        if not broadcast or len(broadcast) < len(self._broadcasts):
            return
        trained = [leaf for given in self._gradients() for leaf in self._leaves(given, 0)]
        made = {v: leaf for leaf in trained for v in self._variables(leaf)}
        if not made:
            return
        given = [*(a for c in broadcast for a in (*c.args, *(k.value for k in c.keywords)))]
        reached = {*self._program.ingredients_of(given)}
        owners = Owners(self._program)
        for variable, leaf in made.items():
            if variable not in reached and self._is_own(owners, variable):
                text = ast.unparse(leaf)
                why = EXTRA.format(text, self._case.place(variable).line)
                yield self._case.violated(NAME, leaf, why, EXTRA_FIX.format(text))

    def _leaves(self, expr: ast.expr, depth: int) -> Iterator[ast.expr]:
        """The parts of a sum of lists, through the names of such a sum."""
        if isinstance(expr, ast.BinOp) and isinstance(expr.op, ast.Add):
            yield from (*self._leaves(expr.left, depth), *self._leaves(expr.right, depth))
        elif isinstance(expr, (ast.List, ast.Tuple)):
            yield from (leaf for each in expr.elts for leaf in self._leaves(each, depth))
        elif isinstance(expr, ast.Starred):
            yield from self._leaves(expr.value, depth)
        else:
            made = self._program.origins(expr).only if depth < 2 else None
            is_sum = isinstance(made, (ast.BinOp, ast.List, ast.Tuple)) and made is not expr
            yield from self._leaves(made, depth + 1) if is_sum else [expr]  # type: ignore[arg-type]

    def _variables(self, leaf: ast.expr) -> list[ast.Call]:
        """The calls of `tf.Variable` that make what a name stands for, if all of it is known."""
        made = self._program.origins(leaf)
        calls = [node for node in made.nodes if isinstance(node, ast.Call)]
        names = [normal(name) for call in calls for name in self._program.names(call.func)]
        are_all = made.complete and len(calls) == len(made.items) == len(names)
        return calls if are_all and all(n.endswith(VARIABLE) for n in names) else []

    def _is_own(self, owners: Owners, variable: ast.Call) -> bool:
        given = [*variable.args[:1], *(k.value for k in variable.keywords)]
        return any(owners.of(each).level is Level.OWN for each in given)

    # -- hooks ------------------------------------------------------------------------------------

    def restored(self) -> Iterator[Proof]:
        """The hooks that restore by rank, behind the one that broadcasts."""
        for call in self._calls:
            for keyword in call.keywords:
                if keyword.arg in HOOKS:
                    yield from self._in_list(keyword.value)

    def _in_list(self, given: ast.expr) -> Iterator[Proof]:
        made = self._program.origins(given).only
        if not isinstance(made, (ast.List, ast.Tuple)):
            return
        hooks = [self._program.origins(element).only for element in made.elts]
        told = next((n for n, each in enumerate(hooks) if self._is_hook(each)), len(hooks))
        for element, hook in zip(made.elts[told + 1 :], hooks[told + 1 :]):
            if isinstance(hook, ast.Call) and self._restores_by_rank(hook):
                line = self._case.place(made.elts[told]).line
                yield self._case.violated(NAME, element, RESTORED.format(line), RESTORED_FIX)

    def _is_hook(self, made: ast.AST | None) -> bool:
        return isinstance(made, ast.Call) and self._parts(made) == {_HOOK}

    def _restores_by_rank(self, hook: ast.Call) -> bool:
        """Whether a session that was made is restored on some workers by its hook."""
        classes = self._program.classes(hook.func).nodes
        bodies = [each for cls in classes for each in getattr(cls, "body", ())]
        inside = [
            node
            for each in bodies
            if getattr(each, "name", "") == "after_create_session"
            for node in within(each)
            if isinstance(node, ast.Call)
        ]
        restores = any(getattr(node.func, "attr", "") in _RESTORING for node in inside)
        return restores and any(self._parts(node) & RANKS for node in inside)
