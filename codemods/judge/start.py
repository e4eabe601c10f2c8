"""**start**: every trained variable and slot equals worker 0's before its second use at the latest.

Weights and slots together, and again behind whatever sets them by itself (a restore,
`set_weights`). A broadcast that a flag lets run once is counted by objects: where several models or
optimizers come to it, one flag for all of them leaves all but the first as they were. A state that
is made of weights is broadcast, too. What else today's checks find belongs here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from ..library.horovod_alone import part
from ..program.node_fields import within
from ..program.objects import Objects
from . import set_back, slots
from .case import Case, proved
from .known import wrapped
from .one_worker import shape
from .proof import Proof
from .traced import handed_to_tracing, is_decorated
from .unreached import unreached

NAME = "start"
HOW = "what each broadcast brings to one start is one object, or has a flag of its own"
SHARED = (
    "several objects come to this broadcast as `{}`, and one flag, `{}`, stands for all of them: "
    "all but the first keep values of each worker's own"
)
TRACED = (
    "`{}` would be made while a graph is traced, anew for each of several objects: TensorFlow "
    "makes variables in the first graph of a function alone"
)
OUTSIDE = "make a step by `tf.function` for each of them, or train without it"
FIX = "make a step, with its model, optimizer and flag, for each of them, or broadcast each once"
_PARTS = ("variables", "weights", "optimizer")  # of a model, too
_PUTTING = ("append", "extend", "insert", "__setitem__")


def prove(case: Case) -> Iterator[Proof]:
    """What today's checks find, what no broadcast reaches, flags that stand for several objects.

    Of what a person has written the older checks have told the rest.
    """
    missed = [*unreached(case), *_put_back(case)]
    if not case.is_result:
        yield from missed or [proved(NAME, HOW)]
        return
    yield from (*wrapped(case, NAME), *missed)
    flags = _Flags(case)
    guards = [
        guard
        for source in case.after.values()
        for node in within(source.module)
        for guard in _guards(node)
    ]
    found = [proof for guard in guards for proof in flags.shared(*guard)]
    found += [case.violated(NAME, each, slots.LEFT, slots.FIX) for each in slots.left_alone(case)]
    yield from found or [proved(NAME, HOW)]


def _put_back(case: Case) -> Iterator[Proof]:
    """The calls that put back weights of before the broadcast, which comes but once."""
    for call, kept in set_back.set_back(case):
        why = set_back.SET_BACK.format(case.place(kept).line)
        model = ast.unparse(call.func.value)  # type: ignore[attr-defined]
        yield case.violated(NAME, call, why, set_back.FIX.format(model))


def _guards(node: ast.AST) -> Iterator[tuple[ast.If, ast.expr]]:
    """A condition under which a flag is set, with the flag that it asks: `if not done:`."""
    if isinstance(node, ast.If) and isinstance(node.test, ast.UnaryOp):
        flag = node.test.operand
        calls = (s.value for s in node.body if isinstance(s, ast.Expr))
        methods = (c.func for c in calls if isinstance(c, ast.Call))
        sets = (m for m in methods if isinstance(m, ast.Attribute) and m.attr == "assign")
        if any(shape(each.value) == shape(flag) for each in sets):
            yield node, flag


class _Flags:
    """Whether the flags of one program lie with the objects that are broadcast."""

    def __init__(self, case: Case) -> None:
        self._case, self._program, self._parents = case, case.program, case.parents
        self._objects = Objects(case.program, case.parents)

    def shared(self, guard: ast.If, flag: ast.expr) -> Iterator[Proof]:
        """The expressions of a broadcast that stand for several objects with one flag."""
        for value in self._broadcast(guard):
            if self._is_beside(flag, value) or not self._objects.are_several(value):
                continue
            sets_back = partial(_sets_back, flag=flag)
            if not self._objects.are_one_after_another(value, guard, sets_back):
                why = SHARED.format(ast.unparse(value), ast.unparse(flag))
                yield self._case.not_proved(NAME, guard, why, FIX)
                return
        if isinstance(flag, ast.Call) and self._is_traced_for_several(flag):
            yield self._case.not_proved(NAME, guard, TRACED.format(ast.unparse(flag)), OUTSIDE)

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
        elif isinstance(_owner(value), (ast.Name, ast.Attribute, ast.Subscript)):
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
            return shape(value) in map(shape, within(flag.slice))
        if isinstance(flag, ast.Call):
            return shape(value) in map(shape, flag.args) and self._goes_by_arguments(flag)
        holders = [value, value.value] if isinstance(value, ast.Attribute) else [value]
        if not isinstance(flag, ast.Attribute) or shape(flag.value) not in map(shape, holders):
            return False
        made = self._program.origins(flag).nodes
        return all(self._objects.is_made_often(each, flag) for each in made)

    def _goes_by_arguments(self, flag: ast.Call) -> bool:
        """Whether a function gives what a table holds for its arguments themselves.

        Not for the numbers that `id` gives: another object may get the number of one that is gone.
        """
        function = self._program.functions(flag.func).only
        if function is None:
            return False
        returned = [node.value for node in within(function) if isinstance(node, ast.Return)]
        tables = [each for each in returned if isinstance(each, ast.Subscript)]
        is_all = bool(tables) and len(tables) == len(returned)
        return is_all and all(self._holds_all(function, each.slice) for each in tables)

    def _holds_all(self, function: ast.AST, key: ast.expr) -> bool:
        """Whether a key is made of all that a function is given."""
        given: ast.arguments = function.args  # type: ignore[attr-defined]
        parts = {*self._program.ingredients(key)}
        named = (each for each in parts if isinstance(each, ast.Name))
        names = {name for each in named for name in self._program.names(each)}
        every = (*given.posonlyargs, *given.args, given.vararg)
        return "builtins.id" not in names and all(each in parts for each in every if each)

    def _is_traced_for_several(self, flag: ast.Call) -> bool:
        """Whether one graph after the other is traced of a function for the objects of a flag.

        The flag of the second one would be made there, which TensorFlow forbids.
        """
        given = [arg for arg in flag.args if self._objects.are_several(arg)]
        return any(self._comes_through(f, arg) for f in self._traced_around(flag) for arg in given)

    def _comes_through(self, function: ast.AST, value: ast.expr) -> bool:
        """Whether a value is handed to a function as an argument, not as a part of its object."""
        given: ast.arguments = function.args  # type: ignore[attr-defined]
        every = {*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg}
        if isinstance(self._parents.get(function), ast.ClassDef):
            every -= {*given.args[:1]}
        ends = self._program.follow(value, until=every.__contains__)
        return any(self._program.key(n) in every for n in ends)

    def _traced_around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The functions around a node, and around its callers, that are traced by themselves."""
        nodes = (n for source in self._case.after.values() for n in within(source.module))
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        handed = {*handed_to_tracing(self._program, calls)}
        waiting, seen = [node], set[ast.AST]()
        while waiting:
            function = self._objects.function(waiting.pop())
            if function is None or function in seen:
                continue
            seen.add(function)
            if function in handed or is_decorated(self._program, function):
                yield function
            waiting += self._program.call_sites(function).nodes


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
