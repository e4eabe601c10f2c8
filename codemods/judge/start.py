"""**start**: every trained variable and slot equals worker 0's before its second use at the latest.

Weights and slots together, and again behind whatever sets them by itself (a restore,
`set_weights`). A broadcast that a flag lets run once is counted by objects: where several models or
optimizers come to it, one flag for all of them leaves all but the first as they were. A state that
is made of weights is broadcast, too. What else today's checks find belongs here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ..library.one_worker import part
from ..program.node_fields import within
from ..program.parts import COMPREHENSIONS, FUNCTIONS, LOOPS
from ..program.sources import FunctionNode
from . import slots
from .case import Case, proved
from .known import wrapped
from .one_worker import shape
from .proof import Proof
from .unreached import unreached

NAME = "start"
HOW = "what each broadcast brings to one start is one object, or has a flag of its own"
SHARED = (
    "several objects come to this broadcast as `{}`, and one flag, `{}`, stands for all of them: "
    "all but the first keep values of each worker's own"
)
FIX = "make a step, with its model, optimizer and flag, for each of them, or broadcast each once"
_PARTS = ("variables", "weights", "optimizer")  # of a model, too
_PUTTING = ("append", "extend", "insert", "__setitem__")


def prove(case: Case) -> Iterator[Proof]:
    """What today's checks find, what no broadcast reaches, flags that stand for several objects.

    Of what a person has written the older checks have told the rest.
    """
    missed = unreached(case)
    if not case.is_result:
        yield from missed or [proved(NAME, HOW)]
        return
    yield from (*wrapped(case, NAME), *missed)
    objects = _Objects(case)
    guards = [
        guard
        for source in case.after.values()
        for node in within(source.module)
        for guard in _guards(node)
    ]
    found = [proof for guard in guards for proof in objects.of(*guard)]
    found += [case.violated(NAME, each, slots.LEFT, slots.FIX) for each in slots.left_alone(case)]
    yield from found or [proved(NAME, HOW)]


def _guards(node: ast.AST) -> Iterator[tuple[ast.If, ast.expr]]:
    """A condition under which a flag is set, with the flag that it asks: `if not done:`."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.UnaryOp):
        flag = node.test.operand
        calls = (s.value for s in node.body if isinstance(s, ast.Expr))
        methods = (c.func for c in calls if isinstance(c, ast.Call))
        sets = (m for m in methods if isinstance(m, ast.Attribute) and m.attr == "assign")
        if any(shape(each.value) == shape(flag) for each in sets):
            yield node, flag


class _Objects:
    """How many objects there may be behind an expression of one program."""

    def __init__(self, case: Case) -> None:
        self._case, self._program, self._parents = case, case.program, case.parents

    def of(self, guard: ast.If, flag: ast.expr) -> Iterator[Proof]:
        """The expressions of a broadcast that stand for several objects with one flag."""
        for value in self._broadcast(guard):
            if self._is_beside(flag, value) or not self._are_several(value):
                continue
            if not self._are_one_after_another(value, flag, guard):
                why = SHARED.format(ast.unparse(value), ast.unparse(flag))
                yield self._case.not_proved(NAME, guard, why, FIX)
                return

    def _broadcast(self, guard: ast.If) -> Iterator[ast.expr]:
        """Whose variables are broadcast: `model` of `model.variables`, the elements of a list."""
        for node in within(guard):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            names = map(part, self._program.names(node.func))
            if "broadcast_variables" in names:
                yield from map(_owner, self._elements(node.args[0]))

    def _elements(self, value: ast.expr) -> Iterator[ast.expr]:
        """The elements of a list, the sides of a sum; of `[v for v in x]`, what holds each `v`."""
        value = value.value if isinstance(value, ast.Starred) else self._listed(value)
        if isinstance(value, (ast.List, ast.Tuple)):
            yield from (part for each in value.elts for part in self._elements(each))
        elif isinstance(value, ast.BinOp):
            yield from (*self._elements(value.left), *self._elements(value.right))
        elif isinstance(value, (ast.ListComp, ast.GeneratorExp)):
            if len(value.generators) == 1:  # else all of several objects are gathered
                holders = self._holders(_owner(value.elt))
                yield from holders or self._elements(value.generators[0].iter)
        elif isinstance(_owner(value), (ast.Name, ast.Attribute)):
            yield value

    def _listed(self, value: ast.expr) -> ast.expr:
        """The list that a name is, where it is one list that is written out: its elements count."""
        made = self._program.origins(value).nodes if isinstance(value, ast.Name) else ()
        if len(made) != 1 or not isinstance(made[0], ast.List) or self._grows(made[0], value):
            return value
        return made[0]

    def _grows(self, made: ast.AST, name: ast.expr) -> bool:
        """Whether something else is put into a list: `found += model.weights`."""
        top = made
        while top in self._parents:
            top = self._parents[top]
        changed = (
            getattr(node, "target" if isinstance(node, ast.AugAssign) else "value", None)
            for node in within(top)
            if isinstance(node, ast.AugAssign) or getattr(node, "attr", "") in _PUTTING
        )
        return any(shape(each) == shape(name) for each in changed if each is not None)

    def _holders(self, variable: ast.expr) -> list[ast.expr]:
        """`model` of a variable of `model.variables`, in a list that is made anew each time."""
        made = self._program.origins(variable)
        nodes = [each.node for each in made.items if isinstance(each.node, ast.Attribute)]
        owners = [_owner(node) for node in nodes]
        are_all = not made.unknown and len(nodes) == len(made.items)
        return owners if are_all and all(o is not n for o, n in zip(owners, nodes)) else []

    def _is_beside(self, flag: ast.expr, value: ast.expr) -> bool:
        """Whether the flag lies with the object: in the same one, or keyed by it.

        A flag of a class is one flag, though each of its objects seems to hold it.
        """
        if isinstance(flag, ast.Subscript):
            return True
        bases = [each.value for each in (flag, value) if isinstance(each, ast.Attribute)]
        if len(bases) != 2 or shape(bases[0]) != shape(bases[1]):
            return False
        made = self._program.origins(flag).nodes
        return all(self._runs_often(each, flag, set()) for each in made)

    def _are_several(self, value: ast.expr, seen: frozenset[ast.AST] = frozenset()) -> bool:
        made = [each for each in self._program.origins(value).nodes if each not in seen]
        whole = [_whole(each) for each in made]
        seen |= {*made}
        if any(each is not None and self._are_several(each, seen) for each in whole):
            return True
        own = [each for each, of in zip(made, whole) if of is None]
        return any(self._runs_often(each, value, set()) for each in own) or (
            len(made) > 1 and self._differs_by_call(value)
        )

    def _runs_often(self, node: ast.AST, value: ast.expr, seen: set[ast.AST]) -> bool:
        """Whether an expression may make more than one of what comes here."""
        while node in self._parents and not isinstance(node, FUNCTIONS):
            node = self._parents[node]
            if isinstance(node, (*LOOPS, *COMPREHENSIONS)):
                return True
        if not isinstance(node, FUNCTIONS) or node in seen:
            return False
        calls = self._calls(node, value)
        return len(calls) > 1 or any(self._runs_often(c, value, {*seen, node}) for c in calls)

    def _calls(self, function: FunctionNode, value: ast.expr) -> list[ast.AST]:
        """The calls of a function through which a value comes, or all of them."""
        calls = self._program.call_sites(function).nodes
        ends = self._program.follow(value, until=lambda key: key in calls)
        through = {self._program.key(n) for n in ends}
        return [call for call in calls if call in through] or list(calls)

    def _differs_by_call(self, value: ast.expr) -> bool:
        """Whether a parameter is one thing in one call, and another one in another."""
        number, function = self._parameter(value)
        if function is None:
            return False
        name = getattr(value, "id", "")
        found = set()
        for call in self._program.call_sites(function).nodes:
            given = [k.value for k in getattr(call, "keywords", ()) if k.arg == name]
            given += getattr(call, "args", [])[number : number + 1]
            found |= {frozenset(self._program.origins(each).nodes) for each in given[:1]}
        return len(found) > 1

    def _parameter(self, value: ast.expr) -> tuple[int, ast.FunctionDef | None]:
        """The number of the parameter that a name is, and its function."""
        node: ast.AST = value
        while isinstance(value, ast.Name) and node in self._parents:
            node = self._parents[node]
            names = [a.arg for a in node.args.args] if isinstance(node, ast.FunctionDef) else []
            if isinstance(node, ast.FunctionDef) and value.id in names:
                is_method = isinstance(self._parents.get(node), ast.ClassDef)
                return names.index(value.id) - is_method, node
        return 0, None

    def _are_one_after_another(self, value: ast.expr, flag: ast.expr, guard: ast.If) -> bool:
        """Whether each is made, its flag set back, and trained, before the next one is made."""
        made = self._program.origins(value).nodes
        places = list(self._made_by(made[0], value)) if len(made) == 1 else []
        return any(self._is_set_back(p, flag) and self._trains(p, guard) for p in places)

    def _made_by(self, node: ast.AST, value: ast.expr) -> Iterator[ast.AST]:
        """What makes an object, and the only call of the function that does, and so on."""
        seen: set[ast.AST] = set()
        function = None
        while function not in seen:
            yield node
            seen |= {function} if function else set()
            function = self._function(node)
            calls = self._calls(function, value) if function else []
            if len(calls) != 1:
                return
            (node,) = calls

    def _is_set_back(self, made: ast.AST, flag: ast.expr) -> bool:
        """Whether the flag is made, or set back, behind what makes the object, in its block."""
        node = made
        while not isinstance(node, ast.stmt):
            if isinstance(node, COMPREHENSIONS):
                return False
            node = self._parents[node]
        block = self._block(node)
        behind = block[block.index(node) :] if node in block else []
        return any(_sets_back(statement, flag) for statement in behind)

    def _block(self, node: ast.AST) -> list[ast.stmt]:
        while not isinstance(node, ast.stmt):
            node = self._parents[node]
        parent = self._parents[node]
        fields = (getattr(parent, name, None) for name in ("body", "orelse", "finalbody"))
        return next((each for each in fields if isinstance(each, list) and node in each), [])

    def _trains(self, made: ast.AST, guard: ast.If) -> bool:
        """Whether the block that makes the object leads to the broadcast."""
        goal = self._function(guard)
        waiting: list[ast.AST] = list(self._block(made))
        seen: set[ast.AST] = set()
        while waiting:
            for node in within(waiting.pop()):
                if node is guard:
                    return True
                called = (
                    self._program.functions(node.func).nodes if isinstance(node, ast.Call) else ()
                )
                if goal in called:
                    return True
                waiting += (each for each in called if each not in seen)
                seen.update(called)
        return False

    def _function(self, node: ast.AST) -> FunctionNode | None:
        while node in self._parents:
            node = self._parents[node]
            if isinstance(node, FUNCTIONS):
                return node
        return None


def _whole(made: ast.AST) -> ast.expr | None:
    """What a value is a part of: one object's `model.heads`, all of a list's gathered variables."""
    if isinstance(made, ast.Attribute):
        return made.value
    is_gathered = isinstance(made, (ast.ListComp, ast.GeneratorExp)) and len(made.generators) > 1
    return made.generators[0].iter if is_gathered else None  # type: ignore[attr-defined]


def _owner(value: ast.expr) -> ast.expr:
    """The object of `model.variables`, `optimizer.variables()`; a variable itself."""
    value = value.func if isinstance(value, ast.Call) else value
    while isinstance(value, ast.Attribute) and value.attr.endswith(_PARTS):
        value = value.value
    return value


def _sets_back(statement: ast.stmt, flag: ast.expr) -> bool:
    """`done.assign(False)`, `done = tf.Variable(False)`."""
    if isinstance(statement, ast.Assign):
        return any(shape(target) == shape(flag) for target in statement.targets)
    call = statement.value if isinstance(statement, ast.Expr) else None
    method = call.func if isinstance(call, ast.Call) else None
    is_assign = isinstance(method, ast.Attribute) and method.attr == "assign"
    return is_assign and shape(method.value) == shape(flag)  # type: ignore[union-attr]
