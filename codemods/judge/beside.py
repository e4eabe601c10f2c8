"""What changes a model while it trains, beside its steps: where, to what, and by which tests.

Before the first step it does no harm: the broadcast makes the workers alike.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Callable

from ..library import updates as table
from ..library.call_results import gives
from ..library.callbacks import steers_by_logs
from ..library.collectives import collective
from ..program.node_fields import children, within
from ..program.parts import methods
from ..program.program import Program
from ..program.records import NamedTuple
from .keras_calls import is_hook
from .meetings import Meetings

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_TESTS = (ast.If, ast.While, ast.IfExp)
_JUMPS = (ast.Return, ast.Continue, ast.Break)
_START = ("on_train_begin",)  # Horovod's callbacks tell all what it sets
_OBJECT = "builtins.object"
WEIGHTS, NUMBER, LOGS = "weights", "number", "logs"


class Change(NamedTuple):
    """A change, at `place`, of weights, of a number of an optimizer or of what steers training.

    `is_asked`: outside code asks for it, and may have set the attributes that it is made of.
    """

    what: str
    place: ast.AST
    values: tuple[ast.expr, ...]
    is_rate: bool = False
    is_asked: bool = False


class Beside:
    """The changes of one program that happen while it trains."""

    def __init__(
        self,
        program: Program,
        meetings: Meetings,
        tree: ast.Module,
        applied: list[ast.Call] | None = None,
    ) -> None:
        self._program, self._tree = program, tree
        self._meetings, self._applied = meetings, applied
        self.nodes = self._meetings.nodes  # all of the program
        self._known: dict[ast.AST, bool] = {}

    def changes(self) -> Iterator[Change]:
        """All of them."""
        for each in (*self._calls(), *self._stores(), *self._given()):
            is_beside = each.what == LOGS or self.is_while_training(each.place)
            if is_beside and not (each.what == WEIGHTS and self._is_told(each.place)):
                yield each

    # -- which ----------------------------------------------------------------------------------

    def _calls(self) -> Iterator[Change]:
        for call in self._meetings.calls:
            found = self._set_by(call)
            if found is not None:
                yield found

    def _set_by(self, call: ast.Call) -> Change | None:
        """What a call sets, and to which values."""
        given = [*call.args, *(k.value for k in call.keywords)]
        names = self._program.names(call.func)
        if any(map(table.sets_value, names)):
            return self._set(call, given[:1], given[1:] or given)
        if "builtins.setattr" in names and len(call.args) == 3:
            name = _text(call.args[1])
            is_number = name in table.NUMBERS and self.is_of_optimizer(call.args[0])
            made = Change(NUMBER, call, (call.args[2],), name in table.RATES)
            return made if is_number else None
        func = call.func
        if not isinstance(func, ast.Attribute) or not given:
            return None
        if func.attr in table.OF_VARIABLES and self._is_in_optimizer(call):
            return Change(WEIGHTS, call, tuple(given[:1]), is_asked=True)
        if func.attr == "update" and self._is_logs(func.value):
            values = tuple(self._told_to_logs(call))
            return Change(LOGS, call, values) if values else None
        if func.attr in table.OF_MODELS and not self._program.functions(func).nodes:
            is_known = func.attr == "set_weights" or self.is_of_model(func.value)
            return Change(WEIGHTS, call, (given[0],)) if is_known else None
        return self._set(call, [func.value], given) if func.attr in table.OF_VARIABLES else None

    def _set(self, call: ast.Call, target: list[ast.expr], given: list[ast.expr]) -> Change | None:
        """A variable that a call sets: one of a model, or a number of an optimizer."""
        if not target:
            return None
        if self._is_number(target[0]):
            is_assigned = getattr(call.func, "attr", "") not in table.OF_CHANGES
            is_rate = getattr(target[0], "attr", "") in table.RATES and is_assigned
            return Change(NUMBER, call, tuple(given[:1]), is_rate)
        return Change(WEIGHTS, call, tuple(given[:1])) if self._is_of_weights(target[0]) else None

    def _is_in_optimizer(self, node: ast.AST) -> bool:
        """Whether a node stands in what a step asks of an optimizer of the program's own."""
        home = self._meetings.around.get(node)
        cls = self.parents.get(home) if home is not None else None
        is_step = getattr(home, "name", "") in table.OF_OPTIMIZERS
        bases = self._bases(cls) if isinstance(cls, ast.ClassDef) else []
        return is_step and any(gives(name) == "optimizer" for name in bases)

    def _told_to_logs(self, call: ast.Call) -> Iterator[ast.expr]:
        """The values by which training is steered, of `logs.update({"score": score})`."""
        yield from (k.value for k in call.keywords if k.arg in self._steering)
        for each in call.args[:1]:
            keys, values = (each.keys, each.values) if isinstance(each, ast.Dict) else ([], [])
            yield from (v for k, v in zip(keys, values) if k and _text(k) in self._steering)

    def _is_number(self, target: ast.expr) -> bool:
        is_named = isinstance(target, ast.Attribute) and target.attr in table.NUMBERS
        return is_named and self.is_of_optimizer(target.value)  # type: ignore[attr-defined]

    def _stores(self) -> Iterator[Change]:
        for node in self._meetings.of(ast.Assign, ast.AugAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                what = self._stored(target)
                if what:
                    is_new = isinstance(node, ast.Assign)
                    is_rate = is_new and getattr(target, "attr", "") in table.RATES
                    yield Change(what, node, (node.value,), is_rate)

    def _stored(self, target: ast.expr) -> str:
        if self._is_number(target):
            return NUMBER
        if isinstance(target, ast.Subscript) and self._is_logs(target.value):
            return LOGS if _text(target.slice) in self._steering else ""
        return ""

    def _given(self) -> Iterator[Change]:
        """What constraints say that weights become, and schedules that rates are."""
        for node in self._meetings.of(ast.Return) if self._asked_for else ():
            if node.value is not None:
                what = self._asked_for.get(self._meetings.around.get(node, node))
                if what is not None:
                    yield Change(what, node, (node.value,), is_asked=True)

    @cached_property
    def _asked_for(self) -> dict[ast.AST, str]:
        """The methods that each step asks: those of constraints and schedules."""
        found: dict[ast.AST, str] = {}
        for cls in self._meetings.of(ast.ClassDef):
            names = [name for base in cls.bases for name in self._program.names(base)]
            what = WEIGHTS if any(map(table.is_constraint, names)) else NUMBER
            if what == WEIGHTS or any(gives(name) == "schedule" for name in names):
                found.update((method, what) for method in methods(cls, ("__call__",)))
        return found

    @cached_property
    def _is_of_weights(self) -> Callable[[ast.expr], bool]:
        return self._program.sought(_names_weights)

    @cached_property
    def is_of_optimizer(self) -> Callable[[ast.expr], bool]:
        """Asks whether something is an optimizer, or holds one."""
        return self._program.sought(self._makes_optimizer)

    @cached_property
    def is_of_model(self) -> Callable[[ast.expr], bool]:
        """Asks whether something is a model, or a checkpoint of one, or holds one."""
        return self._program.sought(self._makes_model)

    def _makes_model(self, node: ast.AST) -> bool:
        names = self._program.names(node.func) if isinstance(node, ast.Call) else ()
        return any(gives(name) in ("model", "checkpoint") for name in names)

    def _makes_optimizer(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Attribute):
            return node.attr in table.OPTIMIZERS
        names = self._program.names(node.func) if isinstance(node, ast.Call) else ()
        return any(gives(name) == "optimizer" for name in names)

    def _is_logs(self, expr: ast.expr) -> bool:
        """Whether it is what Keras hands to a callback at the end of an epoch."""
        home = self._meetings.around.get(expr)
        args = home.args.args if isinstance(home, ast.FunctionDef) else []
        is_hook = getattr(home, "name", "") == "on_epoch_end"
        return is_hook and isinstance(expr, ast.Name) and any(a.arg == expr.id for a in args[2:])

    @cached_property
    def _steering(self) -> frozenset[str]:
        """The names of `logs` by which training ends, or its rate changes."""
        calls = self._meetings.calls
        steering = (c for c in calls if any(map(steers_by_logs, self._program.names(c.func))))
        given = ([k.value for k in c.keywords if k.arg == "monitor"] or c.args for c in steering)
        return frozenset(_text(values[0]) if values else "val_loss" for values in given) - {""}

    @cached_property
    def loops(self) -> list[ast.For]:
        """The loops over something in which the program trains by itself."""
        return [loop for loop in self._meetings.of(ast.For) if self._trains(loop)]

    @cached_property
    def averages(self) -> frozenset[ast.AST | None]:
        """The calls whose gradients are averaged."""
        known = self._meetings.known
        found = (c for c in known if getattr(c.func, "attr", "") in table.OF_GRADIENTS)
        return frozenset(call for call in found if not known[call].is_perhaps)

    @cached_property
    def first_numbers(self) -> frozenset[ast.AST | None]:
        """What the first numbers of variables are made of: all get worker 0's before a step."""
        names = self._program.names
        made = (c for c in self._meetings.calls if any(map(table.is_variable, names(c.func))))
        given = [arg for call in made for arg in call.args[:1]]
        return frozenset(self._program.ingredients_of(given)) if given else frozenset()

    def gradients(self, applied: ast.Call) -> Iterator[ast.expr]:
        """What an application gets of gradients, without the variables that they are for."""
        for each in applied.args[:1]:
            made = self._program.origins(each).nodes
            pairs = [node for node in made if isinstance(node, ast.Call) and self._zips(node)]
            yield from (pair.args[0] for pair in pairs)
            yield from [] if pairs else [each]

    def _zips(self, call: ast.Call) -> bool:
        return bool(call.args) and "builtins.zip" in self._program.names(call.func)

    @cached_property
    def applied(self) -> list[ast.Call]:
        """The calls that apply gradients as they are, of optimizers that average nothing."""
        calls = (c for c in self._meetings.calls if isinstance(c.func, ast.Attribute) and c.args)
        applying = (c for c in calls if c.func.attr in table.OF_APPLYING)  # type: ignore[attr-defined]
        found = [call for call in applying if call not in self._meetings.known]
        return found if self._applied is None else self._applied

    # -- when -----------------------------------------------------------------------------------

    def is_while_training(self, node: ast.AST) -> bool:
        """Whether a node runs between steps, or as a part of one."""
        home = self._meetings.around.get(node)
        if any(isinstance(up, _LOOPS) and self._trains(up) for up in self._ways_up(node)):
            return True
        return home is not None and self._is_run_beside(home)

    def rounds(self, node: ast.AST) -> Iterator[int]:
        """How often the loops around a node go round, in its function and those that call it."""
        for up in self._around(node):
            each = getattr(up, "iter", None)
            if each is not None:
                yield self._program.rounds(each)
            yield from (self._program.rounds(g.iter) for g in getattr(up, "generators", ()))

    def is_of_keras(self, place: ast.AST) -> bool:
        """Whether outside code comes to a place, or it sets all the weights of a model."""
        home = self._meetings.around.get(place)
        is_model = getattr(getattr(place, "func", None), "attr", "") in table.OF_MODELS
        is_asked = self._is_in_optimizer(place) or home in self._asked_for
        return is_model or is_asked or self.is_in_hook(place)

    def is_in_hook(self, node: ast.AST) -> bool:
        """Whether a node stands in what Keras calls of a callback."""
        home = self._meetings.around.get(node)
        parent = self.parents.get(home) if home is not None else None
        is_of_callback = not isinstance(parent, ast.ClassDef) or any(self._bases(parent))
        name = getattr(home, "name", None) or getattr(parent, "arg", None) or ""
        return home in self._handed or (is_of_callback and is_hook(name))

    @cached_property
    def _handed(self) -> frozenset[ast.AST]:
        """The functions that are handed on as hooks: `LambdaCallback(on_epoch_end=stop)`."""
        given = [n for n in self._meetings.of(ast.keyword) if is_hook(n.arg or "")]
        return frozenset(f for each in given for f in self._program.functions(each.value).nodes)

    def _bases(self, cls: ast.ClassDef) -> list[str]:
        """The names of what a class is derived from, outside of the program."""
        return [name for base in cls.bases for name in self._program.names(base) if name != _OBJECT]

    def _is_run_beside(self, function: ast.AST) -> bool:
        if function not in self._known:
            self._known[function] = False  # where it calls itself
            self._known[function] = self._is_hook(function) or any(
                map(self.is_while_training, self._callers(function))
            )
        return self._known[function]

    def _callers(self, function: ast.AST) -> tuple[ast.AST, ...]:
        return self._program.call_sites(function).nodes  # type: ignore[arg-type]

    def _is_hook(self, function: ast.AST) -> bool:
        """Whether Keras calls it while it trains."""
        parent = self.parents.get(function)
        name = getattr(function, "name", None) or getattr(parent, "arg", None) or ""
        if name in _START:
            return False
        is_step = name in table.OF_STEPS or name in table.OF_OPTIMIZERS
        return is_hook(name) or is_step or function in self._handed | self._asked_for.keys()

    def _trains(self, loop: ast.AST) -> bool:
        known, meeting = self._meetings.known, self._meetings.meeting
        calls = (n for n in within(loop) if isinstance(n, ast.Call))
        return any(
            (c in known and not known[c].is_perhaps)
            or any(f in meeting for f in self._meetings.run_by(c))
            for c in calls
        )

    def _is_told(self, node: ast.AST, depth: int = 2) -> bool:
        """Whether all get worker 0's weights behind it, whichever way the program goes on."""
        below = node
        for up in self._ways_up(node):
            if any(map(self._tells, _behind(up, below))):
                return True
            below = up
        home = self._meetings.around.get(node)
        calls = self._callers(home) if depth and home is not None else ()
        return bool(calls) and all(self._is_told(call, depth - 1) for call in calls)

    def _tells(self, statement: ast.stmt) -> bool:
        call = statement.value if isinstance(statement, ast.Expr) else None
        names = self._program.names(call.func) if isinstance(call, ast.Call) else ()
        return any(collective(name) == "broadcast" for name in names)

    # -- by which tests -------------------------------------------------------------------------

    def tests(self, node: ast.AST, depth: int = 2) -> Iterator[ast.expr]:
        """What decides whether a node is reached, within its function and those that call it."""
        below = node
        for up in self._ways_up(node):
            if isinstance(up, _TESTS) and below is not up.test:
                yield up.test
            yield from _jumped_past(up, below)
            below = up
        home = self._meetings.around.get(node)
        if depth and home is not None:
            for call in self._callers(home):
                yield from self.tests(call, depth - 1)

    def _around(self, node: ast.AST, depth: int = 2) -> Iterator[ast.AST]:
        yield from self._ways_up(node)
        home = self._meetings.around.get(node)
        for call in self._callers(home) if depth and home is not None else ():
            yield from self._around(call, depth - 1)

    def around(self, node: ast.AST) -> list[ast.AST]:
        """What stands around a node, up to its function."""
        return list(self._ways_up(node))

    def _ways_up(self, node: ast.AST) -> Iterator[ast.AST]:
        """What stands around a node, up to its function."""
        up = self.parents.get(node)
        while up is not None:
            yield up
            up = None if isinstance(up, _FUNCTIONS) else self.parents.get(up)

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        """What holds each node."""
        return {child: node for node in self.nodes for child in children(node)}


def _jumped_past(up: ast.AST, below: ast.AST) -> Iterator[ast.expr]:
    """`if test: return` before a statement of the same block."""
    block = _block(up, below)
    for before in block[: block.index(below)] if block else ():  # type: ignore[arg-type]
        if isinstance(before, ast.If) and any(isinstance(s, _JUMPS) for s in before.body):
            yield before.test


def _behind(up: ast.AST, below: ast.AST) -> list[ast.stmt]:
    """The statements that follow one in its block."""
    block = _block(up, below)
    return block[block.index(below) + 1 :] if block else []  # type: ignore[arg-type]


def _block(up: ast.AST, below: ast.AST) -> list[ast.stmt]:
    """The block of a statement in which another one, or an expression, stands."""
    blocks = (getattr(up, field, None) for field in ("body", "orelse", "finalbody"))
    return next((b for b in blocks if isinstance(b, list) and below in b), [])


def _names_weights(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in table.WEIGHTS


def _text(expr: ast.AST) -> str:
    value = expr.value if isinstance(expr, ast.Constant) else None
    return value if isinstance(value, str) else ""
