"""Calls that take a step of training: which they are, who makes them, and for which variables."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Callable

from ...library.optimizers import V1
from ...library.tensorflow_names import STORED, VARIABLE
from ...program.node_fields import within
from ...program.parts import FunctionNode, is_super
from ...program.versions import Path
from ..facts import Facts, recorded
from ..keras_target import brings_keras_3
from ..roles import Role
from .outside_training import is_foreign

# -- train steps ---------------------------------------------------------------------------------
# What a `train_step` of a Keras model runs: `fit` calls it, and Keras averages for it.


def in_train_step(facts: Facts, node: ast.AST) -> bool:
    """Whether the code belongs to a `train_step` that a Keras model's `fit` calls."""
    cls = facts.cls(node)
    if cls is None or facts.role_of_class(cls) is not Role.MODEL:
        return False
    step = facts.classes.method(cls, "train_step")
    is_fitted = any(True for _ in facts.calls("fit", "fit_generator"))
    return step is not None and is_fitted and _belongs_to(facts, node, step)


def _belongs_to(facts: Facts, node: ast.AST, step: ast.AST) -> bool:
    """Whether the step runs it: by itself, or in functions that nothing else of the module uses."""
    seen: set[ast.AST] = set()
    queue = [node]
    while queue:
        around = tuple(facts.parents(queue.pop()))
        functions = [parent for parent in around if isinstance(parent, FunctionNode)]
        if step in around or seen.intersection(functions):
            continue
        uses = next(filter(None, (_uses(facts, function) for function in functions)), None)
        if uses is None:
            return False
        seen.update(functions)
        queue.extend(uses)
    return True


def _uses(facts: Facts, function: ast.AST) -> list[ast.AST]:
    """Where it is called, or handed on by its name: `tf.cond(full, self.apply, lambda: None)`."""
    found: list[ast.AST] = list(facts.call_sites(function))
    known = {call.func for call in facts.call_sites(function)}
    cls = facts.cls(function)
    for use in facts.index.loads.get(getattr(function, "name", ""), ()):
        if isinstance(use, ast.Attribute) and use not in known:
            is_own = cls is not None and facts.classes.self_class(use.value) is cls
            if is_own or getattr(facts.parent(use), "func", None) is not use:
                found.append(use)
    return found


# -- given gradients -----------------------------------------------------------------------------
# Calls that give gradients to an optimizer: `apply_gradients(pairs)`, and `apply` of Keras 3.

PAIRS, LISTS = "apply_gradients", "apply"
OPTIMIZERS = frozenset({Role.OPTIMIZER, Role.LOSS_SCALE})


def applying(facts: Facts) -> Iterator[ast.Call]:
    """All of them, in the order of the text."""
    yield from (call for call in facts.calls(PAIRS, LISTS) if is_applying(facts, call))


def is_applying(facts: Facts, call: ast.Call) -> bool:
    """Whether a call is one of them."""
    return getattr(call.func, "attr", "") == PAIRS or is_apply(facts, call)


def is_apply(facts: Facts, call: ast.Call) -> bool:
    """Whether it is `optimizer.apply(gradients, variables)` of Keras 3.

    Many libraries have an `apply`: it counts where the receiver is known for an optimizer, and the
    variables are given.
    """
    func = call.func
    if (
        not isinstance(func, ast.Attribute)
        or func.attr != LISTS
        or not brings_keras_3(facts.options)
    ):
        return False
    if facts.has_hidden_arguments(call) or given_variables(facts, call) is None:
        return False
    return bool(facts.roles(func.value) & OPTIMIZERS) or _is_compiled(facts, call, func.value)


def given_gradients(facts: Facts, call: ast.Call) -> tuple[ast.expr | None, Path]:
    """What carries the gradients, and where in it they are."""
    if is_apply(facts, call):
        return facts.argument(call, "grads", 0), ("each",)
    return facts.argument(call, "grads_and_vars", 0), ("each", 0)


def given_variables(facts: Facts, call: ast.Call) -> ast.expr | None:
    """The variables that an `apply` changes, which it may leave to what it was built with."""
    return facts.argument(call, "trainable_variables", 1)


def _is_compiled(facts: Facts, call: ast.Call, receiver: ast.expr) -> bool:
    """`self.optimizer` in a training step of a model's class."""
    is_models = isinstance(receiver, ast.Attribute) and receiver.attr == "optimizer"
    return is_models and in_train_step(facts, call)


# -- own optimizers ------------------------------------------------------------------------------
# Optimizer classes of the module that look at the gradients before Keras' class applies them.
#
# BERT's `AdamWeightDecay.apply_gradients` clips, and hands on to `super().apply_gradients`: no
# step of its own, only a part of the one that whoever has the optimizer takes. What it gets is
# averaged before, by the tape or by the wrapper (DistributedOptimizer makes a subclass of it).


def calls_super_apply(facts: Facts, call: ast.Call) -> bool:
    """Whether it is such a `super().apply_gradients(…)`."""
    return (
        isinstance(call.func, ast.Attribute)
        and is_super(call.func.value)
        and _is_optimizers(facts, facts.cls(call))
    )


def applies(facts: Facts, call: ast.Call) -> bool:
    """Whether what is called applies gradients: no function of the module, or such a method."""
    callee = facts.callee(call)
    return callee is None or _is_optimizers(facts, facts.cls(callee))


def _is_optimizers(facts: Facts, cls: ast.ClassDef | None) -> bool:
    return cls is not None and facts.role_of_class(cls) is Role.OPTIMIZER


# -- variables of a tape -------------------------------------------------------------------------
# What a tape is asked to differentiate by: Horovod's tape takes a flat list of variables only.

VARIABLES = (
    "trainable_variables",
    "trainable_weights",
    "variables",
    "weights",
    "non_trainable_variables",
)


class Sources(Enum):
    """The shape of the second argument of `tape.gradient`."""

    VARIABLES = "the variables of models"
    LIST = "a flat list"
    SINGLE = "one variable"
    NESTED = "lists inside of lists, or a dictionary"


def sources_of(facts: Facts, call: ast.Call) -> Sources:
    """The shape of the sources; a name that nothing is known of is taken for a list."""
    given = facts.argument(call, "sources", 1)
    return Sources.LIST if given is None else _shape(facts, given, frozenset())


def _shape(facts: Facts, expr: ast.AST, seen: frozenset[ast.AST]) -> Sources:
    """The shape of the variables; `seen` are the names on the way (`x = x + y`)."""
    if isinstance(expr, ast.Attribute) and expr.attr in VARIABLES:
        return Sources.VARIABLES
    if isinstance(expr, ast.BinOp):
        sides = {_shape(facts, expr.left, seen), _shape(facts, expr.right, seen)}
        return Sources.VARIABLES if sides == {Sources.VARIABLES} else Sources.LIST
    if isinstance(expr, (ast.List, ast.Tuple)):
        nested = any(_is_list(facts, element, seen) for element in expr.elts)
        return Sources.NESTED if nested else Sources.LIST
    if isinstance(expr, (ast.Dict, ast.DictComp)):
        return Sources.NESTED
    if isinstance(expr, (ast.Name, ast.Attribute, ast.Subscript)):
        return Sources.LIST if expr in seen else _named(facts, expr, seen | {expr})
    if isinstance(expr, ast.Call) and _is_variable(facts, expr):
        return Sources.SINGLE
    return Sources.LIST


def _named(facts: Facts, expr: ast.AST, seen: frozenset[ast.AST]) -> Sources:
    shapes = set()
    for item in facts.origins(expr).items:
        if isinstance(expr, ast.Name) and item.node is expr:
            return Sources.LIST
        if not item.path and item.node is not expr:
            shapes.add(_shape(facts, item.node, seen))
    return shapes.pop() if len(shapes) == 1 else Sources.LIST


def _is_list(facts: Facts, element: ast.AST, seen: frozenset[ast.AST]) -> bool:
    if isinstance(element, ast.Starred):
        return False
    if isinstance(element, (ast.List, ast.Tuple, ast.Dict)):
        return True
    if isinstance(element, ast.Attribute) and element.attr in VARIABLES:
        return True
    nodes = facts.origins(element).nodes if isinstance(element, (ast.Name, ast.Attribute)) else ()
    return any(
        n is not element and _shape(facts, n, seen) in (Sources.VARIABLES, Sources.NESTED)
        for n in nodes
    ) or any(isinstance(n, (ast.List, ast.Tuple)) for n in nodes)


def _is_variable(facts: Facts, call: ast.Call) -> bool:
    return facts.name(call.func) in STORED


# -- graph ops -----------------------------------------------------------------------------------
# Training operations of TensorFlow 1: they only make a graph, which a session or Estimator runs.
#
# `AdamOptimizer(0.1).minimize(loss)` is no loop, unlike `minimize(lambda: …)`, which trains at
# once.


def may_be_graph_op(facts: Facts, call: ast.Call) -> bool:
    """Whether a session of the same file can be what runs it: the call itself trains nothing."""
    assert isinstance(call.func, ast.Attribute)
    if call.func.attr == "minimize":
        return not computes_gradients(facts, call)
    return not any(True for _ in facts.creations(Role.TAPE))


def is_graph_op(facts: Facts, call: ast.Call) -> bool:
    """Whether it is `minimize(loss)` of an optimizer of TensorFlow 1."""
    assert isinstance(call.func, ast.Attribute)
    is_op = call.func.attr == "minimize" and not computes_gradients(facts, call)
    return is_op and any(_is_v1(facts, n) for n in facts.origins(call.func.value).nodes)


def _is_v1(facts: Facts, node: ast.AST) -> bool:
    is_optimizer = isinstance(node, ast.Call) and facts.made_by(node) is Role.OPTIMIZER
    return is_optimizer and (facts.kind(node) or "").startswith(V1)  # type: ignore[arg-type]


def computes_gradients(facts: Facts, call: ast.Call) -> bool:
    """Whether `minimize` has the tape, or the function for a loss, that training at once needs."""
    if any(_is_tape(facts, value) for value in (*call.args, *(k.value for k in call.keywords))):
        return True
    loss = facts.argument(call, "loss", 0)
    if loss is None or not _may_be_function(facts)(loss):  # a graph's loss comes from afar
        return False
    made = facts.origins(loss).nodes
    functions = [node for node in made if _is_function(node)]
    return bool(functions) and not (len(made) > len(functions) and _are_hidden(facts, functions))


@recorded
def _may_be_function(facts: Facts) -> Callable[[ast.AST], list[ast.AST]]:
    return facts.program.arrivals(_is_function)


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, (ast.Lambda, *FunctionNode))


def _are_hidden(facts: Facts, functions: Sequence[ast.AST]) -> bool:
    """Whether they are methods, one of which keeps its loss under its own name: `self.loss = …`."""
    return all(facts.classes.method_of(each) is not None for each in functions)


def _is_tape(facts: Facts, value: ast.expr) -> bool:
    return facts.role(value) is Role.TAPE


def names_variables(facts: Facts, call: ast.Call) -> bool:
    """Whether `minimize` is told which variables to change, as only an optimizer is."""
    given = facts.argument(call, "var_list", 1)
    by_name = given is not None and given not in call.args
    return by_name or (
        given is not None and any(_is_graph_variable(facts, n) for n in within(given))
    )


def _is_graph_variable(facts: Facts, node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in VARIABLES
    made = facts.origins(node).nodes if isinstance(node, ast.Name) else ()
    makers = (facts.name(n.func) for n in made if isinstance(n, ast.Call))
    return VARIABLE in makers


# -- minimize calls ------------------------------------------------------------------------------
# Whether a method named `minimize` is that of an optimizer.


def minimizes(facts: Facts, call: ast.Call, func: ast.Attribute) -> bool:
    """Whether an optimizer minimizes in this call: by its role, or by what it is given."""
    if func.attr != "minimize":
        return False
    if facts.role(func.value) in (Role.OPTIMIZER, Role.LOSS_SCALE):
        return True
    is_own = facts.callee(call) is not None or is_foreign(facts, func.value)
    return computes_gradients(facts, call) and names_variables(facts, call) and not is_own
