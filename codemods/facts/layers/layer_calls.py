"""Whether a layer may be run twice in a step: by its class, its `call`, and its derivatives."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Callable, Union

from ...library.layers import (
    ACCEPTED,
    COMMON,
    RANDOM,
    REPAIRED,
    STATEFUL,
    is_activation,
    is_pure,
    layer,
)
from ...library.rerun_loops import SEEDED
from ...library.tensorflow_names import CALLED_METHODS, FORWARD, SEQUENTIAL, TAPE, VARIABLE
from ...program.node_fields import children, within
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from .layer_lists import made_once

if TYPE_CHECKING:
    from ...program.parts import Function
    from ..facts import Facts


# -- layer calls ---------------------------------------------------------------------------------
# Whether what a `call` does may be done twice in a step.
#
# It must give the same tensor, change nothing, and read no tensor but its arguments and weights.

WEIGHTS = (VARIABLE,)
CHANGES = ("add_update", "add_loss", "add_metric", "update_state", "reset_state")


class Problem(NamedTuple):
    """What is in the way: the code of the restriction, the place, and what stands there.

    `repair`: what would be the same in every run, a layer by its class or a function by its name.
    """

    code: str
    node: ast.AST
    what: str = ""
    repair: str = ""


Ask = Callable[[ast.expr], Iterable[Problem]]  # of the expression that holds a layer


class Body:
    """What a `call` does: assignments to names and a return, from known functions and layers."""

    def __init__(self, facts: Facts, method: Function, of_layer: Ask) -> None:
        self.facts, self.method, self.of_layer = facts, method, of_layer

    def problems(self) -> Iterator[Problem]:
        """Everything in the body that is not known to be the same in every run."""
        arguments = self.method.args
        if arguments.vararg or arguments.kwarg or isinstance(self.method, ast.AsyncFunctionDef):
            yield Problem("C05", self.method, "arguments that can't be seen")
        for statement in self.method.body:
            yield from self._statement(statement)

    def _statement(self, statement: ast.stmt) -> Iterator[Problem]:
        is_named = isinstance(statement, ast.Assign) and all(map(_is_name, statement.targets))
        value = getattr(statement, "value", None)
        if isinstance(value, ast.expr) and (is_named or isinstance(statement, ast.Return)):
            yield from self._value(value)
        elif not _is_docstring(statement):
            found = list(self._effects(statement))
            yield from found or [Problem("C05", statement, ast.unparse(statement).splitlines()[0])]

    def _effects(self, statement: ast.stmt) -> Iterator[Problem]:
        """What a statement changes or draws, said more precisely than that it is unknown."""
        for call in within(statement):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                if call.func.attr.startswith("assign") or call.func.attr in CHANGES:
                    yield Problem("C02", call, call.func.attr)

    def _value(self, expr: ast.expr) -> Iterator[Problem]:
        if isinstance(expr, ast.Constant):
            return
        if isinstance(expr, ast.Name):
            if not self._is_local(expr):
                yield Problem("C03", expr, expr.id)
        elif isinstance(expr, ast.Attribute):
            yield from self._attribute(expr)
        elif isinstance(expr, ast.Call):
            yield from self._call(expr)
        elif isinstance(expr, _COMPOSED):
            for child in children(expr):
                if isinstance(child, ast.expr):
                    yield from self._value(child)
        else:
            yield Problem("C05", expr, ast.unparse(expr))

    def _is_local(self, name: ast.Name) -> bool:
        """A parameter or a name of the body; or a number that the module binds once."""
        bindings = self.facts.bindings(name)
        if bindings and all(self._is_inside(binding.node) for binding in bindings):
            return True
        value = made_once(self.facts, name)
        return isinstance(value, ast.Constant)

    def _is_inside(self, node: ast.AST) -> bool:
        return self.method in self.facts.parents(node)

    def _attribute(self, expr: ast.Attribute) -> Iterator[Problem]:
        """`x.shape`, a weight of this layer, or a number that it keeps."""
        if expr.attr in ("shape", "dtype") and not self._is_self(expr.value):
            yield from self._value(expr.value)
            return
        value = made_once(self.facts, expr)
        if isinstance(value, ast.Constant) or self._is_weight(value):
            return
        yield Problem("C03" if self._is_self(expr.value) else "C05", expr, ast.unparse(expr))

    def _is_self(self, expr: ast.expr) -> bool:
        return self.facts.classes.self_class(expr) is not None

    def _is_weight(self, value: ast.expr | None) -> bool:
        if not isinstance(value, ast.Call):
            return False
        if isinstance(value.func, ast.Attribute) and value.func.attr == "add_weight":
            return self._is_self(value.func.value)
        return self.facts.name(value.func) in WEIGHTS

    def _call(self, call: ast.Call) -> Iterator[Problem]:
        name = self.facts.name(call.func)
        for given in [*call.args, *(keyword.value for keyword in call.keywords)]:
            yield from self._value(given)
        if self._is_pure(call.func):
            return
        found = list(self._effects(ast.Expr(call)))
        if found:
            yield from found
        elif name is not None and (".random." in name or name.endswith("dropout")):
            yield Problem("C01", call, name.replace("tensorflow.", "tf.", 1), _seeded(call, name))
        else:
            yield from self._of_unknown(call)

    def _of_unknown(self, call: ast.Call) -> Iterator[Problem]:
        """A layer that this one holds, or nobody knows what."""
        if isinstance(call.func, ast.Attribute) and self._is_self(call.func.value):
            yield from self.of_layer(call.func)
        else:
            yield Problem("C05", call, ast.unparse(call.func))

    def _is_pure(self, function: ast.expr) -> bool:
        """A function of its arguments only, or an attribute of the layer that is one."""
        value = made_once(self.facts, function)
        return any(
            is_pure(self.facts.name(each) or "") for each in (function, value) if each is not None
        )


_COMPOSED = (
    ast.BinOp,
    ast.UnaryOp,
    ast.Compare,
    ast.Tuple,
    ast.List,
    ast.Subscript,
    ast.Slice,
    ast.Starred,
)


def _seeded(call: ast.Call, name: str) -> str:
    """The function that draws the same for a seed, if it can be told one."""
    function, most = SEEDED.get(name, ("", 0))
    has_own = any(keyword.arg in (None, "seed") for keyword in call.keywords)
    is_plain = len(call.args) <= most and not any(isinstance(a, ast.Starred) for a in call.args)
    return function if is_plain and not has_own else ""


def _is_name(target: ast.expr) -> bool:
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    return all(isinstance(name, ast.Name) for name in names)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


# -- layer bodies --------------------------------------------------------------------------------
# Whether a layer may be run twice in a step: by its class, or by what its own `call` does.
#
# Running it again must give the same tensor and change nothing, and its gradient must flow
# through its argument and its weights only. What is not known to be so is a problem.

DROPOUTS = ("dropout", "recurrent_dropout")
ACTIVATIONS = ("activation", "recurrent_activation")


def without_training(problem: Problem) -> Problem:
    """The problem where nobody tells a layer whether it trains: it can't be repaired there."""
    return problem._replace(repair="") if needs_training(problem) else problem


def needs_training(problem: Problem) -> bool:
    """Whether it is repaired as a layer, which does something else where nothing trains."""
    return problem.repair in REPAIRED


def problems(facts: Facts, made: ast.expr, around: tuple[ast.AST, ...] = ()) -> Iterator[Problem]:
    """What keeps a layer, made by this expression, from being run twice."""
    call = made if isinstance(made, ast.Call) else made_once(facts, made)
    if not isinstance(call, ast.Call) or call in around:
        yield Problem("C05", made, ast.unparse(made))
        return
    name = facts.name(call.func) or ""
    known = layer(name)
    if name == SEQUENTIAL:
        yield from _of_sequence(facts, call, (*around, call))
    elif known is not None:
        yield from _of_layer(facts, call, known)
    else:
        yield from _of_class(facts, call, (*around, call))


def _of_sequence(facts: Facts, call: ast.Call, around: tuple[ast.AST, ...]) -> Iterator[Problem]:
    """`Sequential([…])`, with its layers in sight."""
    given = call.args[0] if len(call.args) == 1 and not call.keywords else None
    listed = None if given is None else _listed(given)
    if listed is None:
        yield Problem("C05", call, ast.unparse(call.func))
        return
    for element in listed:
        yield from problems(facts, element, around)


def _listed(given: ast.expr) -> list[ast.expr] | None:
    """What makes the elements of a list that is written out, or of a comprehension."""
    if isinstance(given, ast.ListComp):
        return [given.elt]
    if not isinstance(given, (ast.List, ast.Tuple)):
        return None
    parts = [_listed(e.value) if isinstance(e, ast.Starred) else [e] for e in given.elts]
    return None if None in parts else [each for part in parts for each in part or ()]


def _of_layer(facts: Facts, call: ast.Call, name: str) -> Iterator[Problem]:
    if name in RANDOM:
        yield Problem("C01", call, name, _repair(facts, call, name))
    elif name in STATEFUL:
        yield Problem("C02", call, name, _repair(facts, call, name))
    elif name not in ACCEPTED:
        yield Problem("C05", call, name)
    else:
        yield from _of_arguments(facts, call, ACCEPTED[name].split())


def _repair(facts: Facts, call: ast.Call, name: str) -> str:
    """The class, if there is a form of it that is the same in every run of a step."""
    if name not in REPAIRED or "set_learning_phase" in facts.source.text:
        return ""
    wrong = any(True for _ in _of_arguments(facts, call, REPAIRED[name].split()))
    return "" if wrong else name


def _of_arguments(facts: Facts, call: ast.Call, parameters: list[str]) -> Iterator[Problem]:
    if facts.has_hidden_arguments(call) or len(call.args) > len(parameters):
        yield Problem("C05", call, "arguments that can't be seen")
        return
    named = {keyword.arg or "": keyword.value for keyword in call.keywords}
    for name, value in {**dict(zip(parameters, call.args)), **named}.items():
        if isinstance(value, ast.Constant) and value.value is None:
            continue
        if name == "dtype":
            yield Problem("C08", value, "a layer with a precision of its own")
        elif name == "activity_regularizer":
            yield Problem("C02", value, name)
        elif name in DROPOUTS and not _is_zero(value):
            yield Problem("C01", value, name)
        elif name in ACTIVATIONS and not _is_known_activation(facts, value):
            yield Problem("C05", value, ast.unparse(value))
        elif name not in parameters and name not in COMMON:
            yield Problem("C05", value, name)


def _is_zero(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value in (0, 0.0)


def _is_known_activation(facts: Facts, value: ast.expr) -> bool:
    if isinstance(value, ast.Constant):
        return is_activation(f"tensorflow.nn.{value.value!s}")
    return is_activation(facts.name(value) or "")


# -- classes of the file ----------------------------------------------------------------------


def _of_class(facts: Facts, call: ast.Call, around: tuple[ast.AST, ...]) -> Iterator[Problem]:
    cls = facts.classes.local(call.func)
    method = None if cls is None else _method(facts, cls)
    if cls is None or method is None:
        yield Problem("C05", call, ast.unparse(call.func))
        return

    def of_layer(held: ast.expr) -> Iterator[Problem]:
        return problems(facts, held, around)

    is_told = method.name == "call" and "training" in {a.arg for a in method.args.args}
    for problem in Body(facts, method, of_layer).problems():
        yield problem if is_told else without_training(problem)


def _method(facts: Facts, cls: ast.ClassDef) -> Function | None:
    """The method that runs when an instance is called, of a class that derives from a layer."""
    bases = facts.classes.library_bases(cls)
    runs = {CALLED_METHODS.get(base) for base in bases}
    if len(runs) != 1 or None in runs or facts.classes.has_unknown_base(cls):
        return None
    name = runs.pop() or ""
    other = {"call", "__call__"} - {name}
    if cls.decorator_list or any(facts.classes.method(cls, each) for each in other):
        return None
    found = facts.classes.method(cls, name)
    return None if found is None or found.decorator_list else found


def is_of_keras(facts: Facts, held: ast.expr) -> bool:
    """Whether an expression may be layers of Keras alone, which may be told if they train."""
    found = facts.origins(held)
    return not found.unknown and all(_is_of_keras(facts, made) for made in found.nodes)


def _is_of_keras(facts: Facts, made: ast.AST) -> bool:
    if not isinstance(made, ast.Call):
        return False
    name, cls = facts.name(made.func) or "", facts.classes.local(made.func)
    own = () if cls is None else facts.classes.library_bases(cls)
    is_layer = name == SEQUENTIAL or layer(name) is not None
    return is_layer or any(CALLED_METHODS.get(base) == "call" for base in own)


# -- derivatives ---------------------------------------------------------------------------------
# Derivatives that layers which are run again do not have, or have wrong.

With = Union[ast.With, ast.AsyncWith]
SECOND = ("jacobian", "batch_jacobian")
_CHANGES_STATE = frozenset(
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
    for node in facts.index.definitions:
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
        isinstance(node, ast.Attribute) and node.attr in _CHANGES_STATE
        for node in _mentioned(facts, [call.func])
    )


def _names(block: With) -> set[str]:
    names = (item.optional_vars for item in block.items)
    return {name.id for name in names if isinstance(name, ast.Name)}


def _end(call: ast.Call) -> tuple[int, int]:
    """Calls end in the order in which they run."""
    return call.end_lineno or call.lineno, call.end_col_offset or 0
