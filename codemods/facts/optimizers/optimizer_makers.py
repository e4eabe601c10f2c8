"""Where an optimizer is made, and how it is named: by class, by text, or by an Estimator."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...judge.own import ELSEWHERE, Level
from ...library.estimators import NAMED, Part, parts
from ...library.optimizers import OPTIMIZERS, V1, is_lookup
from ...program.node_fields import is_placeholder
from ...program.parts import is_super
from ...program.records import NamedTuple
from ..averaging import Averaged, averaged
from ..by_rank import depends_on_size
from ..causes import Problem, cause_of, spelled
from ..facts import Facts, recorded
from ..horovod import wrapped_value
from ..keras_version import first_removed_api
from ..names import KERAS
from ..own_values import own
from ..roles import Role
from ..training.optimizer_calls import is_applying
from ..training.pattern import Pattern, training_of
from ..value_parts import bound_to, ingredients
from .rate_carriers import given_rate, is_relative, of_optimizer, rate_stores

# -- kept optimizers -----------------------------------------------------------------------------
# Optimizers that `compile` gives to a model, and that a loop of the program's own asks it for.

NAME = "optimizer"


def kept_by_compile(facts: Facts, receiver: ast.AST) -> list[ast.expr]:
    """What `model.optimizer` was given to `compile` as; empty where the program sets it itself."""
    if not is_kept(facts, receiver):
        return []
    assert isinstance(receiver, ast.Attribute)
    given = (_given(facts, call, receiver.value) for call in facts.calls("compile"))
    return [value for value in given if value is not None]


def is_kept(facts: Facts, receiver: ast.AST) -> bool:
    """Whether it is the optimizer of a model, and nothing but `compile` sets it."""
    if not isinstance(receiver, ast.Attribute) or receiver.attr != NAME:
        return False
    if not _is_model(facts, receiver.value):
        return False
    stores = facts.attribute_stores.get(NAME, ())
    return not any(_is_model(facts, target.value) for target, _ in stores)


def _is_model(facts: Facts, expr: ast.expr) -> bool:
    cls = facts.classes.instance_of(expr)
    is_one = cls is not None and facts.role_of_class(cls) is Role.MODEL
    return is_one or facts.role(expr) is Role.MODEL


def _given(facts: Facts, call: ast.Call, model: ast.expr) -> ast.expr | None:
    compiled: ast.expr = call.func.value  # type: ignore[attr-defined]
    return facts.argument(call, NAME, 0) if _are_one(facts, compiled, model) else None


def _are_one(facts: Facts, compiled: ast.expr, model: ast.expr) -> bool:
    own = facts.cls(compiled) if is_super(compiled) else facts.classes.instance_of(compiled)
    cls = facts.classes.instance_of(model)
    if own is not None or cls is not None:
        return own is cls
    return not set(facts.origins(compiled).nodes).isdisjoint(facts.origins(model).nodes)


# -- optimizer makers ----------------------------------------------------------------------------
# Where an optimizer is made: the creating calls behind a name, a choice or a loss scale.
#
# Mixed precision: the optimizer inside a LossScaleOptimizer is the one that is wrapped (D105).

INNER = ("inner_optimizer", "optimizer", "opt")


def innermost(facts: Facts, expr: ast.AST) -> list[ast.Call]:
    """The creating calls that flow in; for a LossScaleOptimizer those of the one inside of it."""
    return [node for node in creations(facts, expr) if isinstance(node, ast.Call)]


def creations(facts: Facts, expr: ast.AST) -> list[ast.AST]:
    """What makes the optimizer; things that make none are in it, and stand for the unknown."""
    found: dict[ast.AST, None] = {}
    seen: set[ast.AST] = set()  # `opt = LossScaleOptimizer(opt)`
    queue: list[ast.AST] = [expr]
    while queue:
        origins = facts.origins(queue.pop())
        found.update(dict.fromkeys(origins.unknown))
        for item in origins.items:
            if item.node in seen:
                continue
            seen.add(item.node)
            inner = [] if item.path else _inside(facts, item.node)
            queue.extend(inner)
            if not inner and not is_placeholder(item.node):
                found[item.node] = None
    return list(found)


def _inside(facts: Facts, node: ast.AST) -> list[ast.AST]:
    """The optimizer in a LossScaleOptimizer; those in `{"adam": Adam(), "sgd": SGD()}[name]`."""
    if isinstance(node, ast.Call) and facts.made_by(node) is Role.LOSS_SCALE:
        inner = inner_optimizer(facts, node)
        return [] if inner is None else [inner]
    if isinstance(node, ast.Call):
        wrapped = wrapped_value(facts.name(node.func), node)
        return [] if wrapped is None else [wrapped]
    if isinstance(node, ast.Subscript):
        only = facts.origins(node.value).only
        return list(only.values) if isinstance(only, ast.Dict) and _is_fixed(facts, node) else []
    return list(kept_by_compile(facts, node))


def _is_fixed(facts: Facts, choice: ast.Subscript) -> bool:
    """Whether the dictionary is only read by its keys, so that it has what it was made with."""
    if not isinstance(choice.value, ast.Name):
        return isinstance(choice.value, ast.Dict)
    uses = [use for use in facts.index.loads[choice.value.id] if isinstance(use, ast.Name)]
    reads = (facts.parent(use) for use in uses)
    return all(isinstance(r, ast.Subscript) and isinstance(r.ctx, ast.Load) for r in reads)


def inner_optimizer(facts: Facts, call: ast.Call) -> ast.expr | None:
    """What a LossScaleOptimizer is given."""
    given = (facts.argument(call, name, 0) for name in INNER)
    return next((value for value in given if value is not None), None)


# -- applied optimizers --------------------------------------------------------------------------
# Optimizers that a training step applies itself: whether they are made in sight of the rules.
#
# A rate is scaled where its optimizer is made (D104), so one that is made elsewhere would be left
# out without a word. What `compile` is given is told in `optimizers`.

OWN_LOOPS = (Pattern.GRADIENT_TAPE, Pattern.KERAS)


def unseen(facts: Facts) -> Iterator[ast.Call]:
    """The calls of `apply_gradients` and `minimize` whose optimizer may be made elsewhere."""
    for call, pattern in training_of(facts).places:
        if pattern in OWN_LOOPS and _applies(facts, call) and not is_seen(facts, _receiver(call)):
            yield call


def _applies(facts: Facts, call: ast.Call) -> bool:
    is_method = isinstance(call.func, ast.Attribute)
    if not is_method or not (
        call.func.attr == "minimize" or is_applying(facts, call)  # type: ignore[attr-defined]
    ):
        return False
    return facts.callee(call) is None and not _is_compiled(facts, _receiver(call))


def _receiver(call: ast.Call) -> ast.expr:
    assert isinstance(call.func, ast.Attribute)
    return call.func.value


def _is_compiled(facts: Facts, expr: ast.expr) -> bool:
    """`self.optimizer` of a model, which its `compile` was given."""
    if not isinstance(expr, ast.Attribute) or expr.attr != "optimizer":
        return False
    return training_of(facts).is_model(expr.value) and facts.origins(expr).nodes == (expr,)


def is_seen(facts: Facts, expr: ast.expr) -> bool:
    """Whether everything that can be this optimizer is made in this file, or made from one that is.

    A parameter that a caller out of sight may pass as well counts as what the others pass.
    """
    makers = creations(facts, expr)
    certain = [node for node in makers if not isinstance(node, (ast.arg, ast.stmt))]
    if not certain:
        return _is_made_from_one(facts, expr)
    return all(_is_made_from_one(facts, node) for node in certain)


def _is_made_from_one(facts: Facts, node: ast.AST) -> bool:
    return any(_makes_one(facts, part) for part in ingredients(facts, node))


def _makes_one(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.made_by(node) is Role.OPTIMIZER


# -- keras names ---------------------------------------------------------------------------------
# How a file can name an optimizer of Keras, by what it has imported.

CLASS = "create it by its class in this file: "
RATE = "(learning_rate=0.001)"


def class_of_keras(facts: Facts, name: str) -> str:
    """`tf.keras.optimizers.Adam` in a file that imports TensorFlow as `tf`, or Keras' module."""
    for module, rest in ((f"{KERAS}.optimizers", ""), (KERAS, "optimizers.")):
        bound = facts.names.name_of(module)
        if bound is not None:
            return f"{bound}.{rest}{name}"
    return f"{facts.names.name_of('tensorflow') or 'tf'}.keras.optimizers.{name}"


def creation(facts: Facts, expr: ast.AST) -> str:
    """The advice for an optimizer that comes from who knows where, under its name in the file."""
    made = class_of_keras(facts, "Adam") + RATE
    if isinstance(expr, ast.Attribute) and facts.role(expr.value) is Role.MODEL:
        return CLASS + f"`{spelled(expr.value)}.compile({expr.attr}={made}, …)`"
    is_part = isinstance(expr, ast.Attribute) and facts.name(expr) is None
    is_named = is_part or isinstance(expr, ast.Name)
    return CLASS + (f"`{spelled(expr)} = {made}`" if is_named else f"`{made}`")


# -- looked up -----------------------------------------------------------------------------------
# Optimizers that a text names at run time: their class, and the rate that it has by itself.
#
# `optimizers.get(args.optimizer)`, `getattr(optimizers, name)(**options)`,
# `compile(args.optimizer)`: what is made has the same attribute for its rate, whichever class it
# is.

_PARTS = (ast.Attribute, ast.Subscript, ast.arg)


def is_looked_up(facts: Facts, made: ast.AST) -> bool:
    """Whether a call makes an optimizer whose rate nobody sees before it is there."""
    if not isinstance(made, ast.Call) or facts.made_by(made) is not Role.OPTIMIZER:
        return False
    if is_lookup(facts.name(made.func) or ""):
        return all(_is_setting(facts, value) for value in _all_arguments(made))
    if facts.choice(made) and not any(True for _ in of_optimizer(facts, made)):
        return True
    return _hides_rate(facts, made)


def _hides_rate(facts: Facts, made: ast.Call) -> bool:
    """`Adam(**options)`: a number may be in there, and a schedule nowhere in the program."""
    if not facts.has_hidden_arguments(made) or facts.classes.local(made.func) is not None:
        return False
    is_of_keras = (facts.kind(made) or "").startswith(f"{OPTIMIZERS}.")
    given = [given_rate(facts, made, argument) for _, argument in of_optimizer(facts, made)]
    is_seen = any(value is not None for value in given)
    is_number = is_of_keras and not is_seen and not any(facts.creations(Role.SCHEDULE))
    return is_number and all(_is_setting(facts, value) for value in _all_arguments(made))


def _all_arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _is_setting(facts: Facts, value: ast.expr) -> bool:
    """Whether all workers have the same numbers and texts there, and no object of other code."""
    found = own(facts, value)
    is_alike = found.level <= Level.READ and found.kind != ELSEWHERE
    return is_alike and Role.OPTIMIZER not in facts.roles(value)


def has_name(facts: Facts, made: ast.AST) -> bool:
    """Whether a statement keeps it under a name, by which its rate can be set behind that."""
    return is_looked_up(facts, made) and bound_to(facts, made) is not None  # type: ignore[arg-type]


def gets_name(facts: Facts, made: ast.AST) -> bool:
    """Whether a function gives it back at once: it gets a name, and is set behind that."""
    return isinstance(facts.parent(made), ast.Return) and is_looked_up(facts, made)


def is_scaled_behind(facts: Facts, made: ast.AST) -> bool:
    """Whether its rate is to be set there, as nothing does yet."""
    if not has_name(facts, made) or _is_set_next(facts, made):
        return False
    return not any(
        made in innermost(facts, place.value)
        for place, value in rate_stores(facts)
        if isinstance(place, ast.Attribute) and value is not None and depends_on_size(facts, value)
    )


def _is_set_next(facts: Facts, made: ast.AST) -> bool:
    """Whether the next statement gives it another rate anyway."""
    statement = facts.statement(made)
    body = getattr(facts.parent(statement), "body", [])
    index = body.index(statement) + 1 if statement in body else len(body)
    stores = [(place, value) for place, value in rate_stores(facts) if value is not None]
    following = [facts.statement(place) for place, value in stores if not is_relative(facts, value)]
    return index < len(body) and body[index] in following


def is_text(facts: Facts, given: ast.expr) -> bool:
    """Whether all workers get the same text, from the program, its options or a file.

    An object that other code has made may be distributed already.
    """
    made = facts.origins(given)
    nodes = [*(item.node for item in made.items), *made.unknown]
    plain = [n for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    parts = [n for n in nodes if isinstance(n, _PARTS)]
    is_all = bool(nodes) and len(plain) + len(parts) == len(nodes)
    return is_all and _is_setting(facts, given)


# -- ready made ----------------------------------------------------------------------------------
# Optimizers of Estimators that come with a model: given, named, or left out.
#
# Those of TensorFlow 2 take optimizers of Keras, which trains them out of Horovod's sight.

_FIRST_KERAS = (2, 0)
_UNKNOWN = "nobody can tell where this optimizer is made"
_MAKE = "make it in this file by its class: `optimizer=tf.train.AdagradOptimizer(0.05)`"
_NO_NAME = 'no optimizer has the name "{}"'
_KERAS = "in TensorFlow 2 an optimizer of Keras trains this model, which Horovod can't wrap there"
_OLD = "`import tensorflow.compat.v1 as tf`, or give it one of `tf.train`"


class ReadyMade(NamedTuple):
    """A part of a model, with the calls that make its optimizer, or the class to make it of."""

    estimator: ast.Call
    part: Part
    made: tuple[ast.Call, ...] = ()
    cls: str = ""


class Found(NamedTuple):
    """The optimizers that can be wrapped, and why others can't."""

    optimizers: tuple[ReadyMade, ...]
    problems: tuple[Problem, ...]


@recorded
def ready_made(facts: Facts) -> Found:
    """What trains every ready-made model of the file."""
    found: list[ReadyMade] = []
    problems: list[Problem] = []
    for call in facts.creations(Role.ESTIMATOR):
        for part in parts(facts.name(call.func) or ""):
            if not part.columns or facts.argument(call, part.columns) is not None:
                one = _of_part(facts, call, part)
                (problems if isinstance(one, Problem) else found).append(one)  # type: ignore[arg-type]
    return Found(tuple(found), tuple(problems))


def given_optimizers(facts: Facts) -> Iterator[ast.expr]:
    """What ready-made models are given for an optimizer."""
    for call in facts.creations(Role.ESTIMATOR):
        for part in parts(facts.name(call.func) or ""):
            given = facts.argument(call, part.argument, part.position)
            yield from [] if given is None else [given]


def _of_part(facts: Facts, call: ast.Call, part: Part) -> ReadyMade | Problem:
    given = facts.argument(call, part.argument, part.position)
    name = part.cls if given is None else _name(facts, given)
    if given is not None and name is None:
        return _of_object(facts, call, part, given)
    if name not in NAMED:
        return Problem(call, _NO_NAME.format(name), _MAKE)
    is_old = (facts.name(call.func) or "").startswith("tensorflow.compat.v1.")
    if not is_old and first_removed_api(facts) is None and facts.options.tensorflow >= _FIRST_KERAS:
        return Problem(call, _KERAS, _OLD)
    return ReadyMade(call, part, cls=NAMED[name])


def _name(facts: Facts, given: ast.expr) -> str | None:
    """The name by which an optimizer is given."""
    made = facts.origins(given).only
    is_text = isinstance(made, ast.Constant) and isinstance(made.value, str)
    return made.value if is_text else None  # type: ignore[union-attr]


def _of_object(facts: Facts, call: ast.Call, part: Part, given: ast.expr) -> ReadyMade | Problem:
    """An optimizer, or a function that makes one in the graph of the model."""
    values = [*_returned(facts, given)] or [given]
    made = [node for value in values for node in creations(facts, value)]
    if not made or not all(_is_old(facts, node) for node in made):
        return Problem(given, _UNKNOWN, _MAKE, cause_of(facts, given, (Role.OPTIMIZER,)))
    plain = all(averaged(facts, value) is Averaged.NO for value in values)
    return ReadyMade(call, part, tuple(made) if plain else ())  # type: ignore[arg-type]


def _returned(facts: Facts, given: ast.expr) -> Iterator[ast.expr]:
    functions = facts.program.functions(given)
    for function in functions.nodes:
        if isinstance(function, ast.Lambda):
            yield function.body
    for node in facts.index.nodes(ast.Return):
        if facts.function(node) in functions.nodes and node.value is not None:
            yield node.value


def _is_old(facts: Facts, node: ast.AST) -> bool:
    is_made = isinstance(node, ast.Call) and facts.made_by(node) is Role.OPTIMIZER
    return is_made and (facts.kind(node) or "").startswith(V1)  # type: ignore[arg-type]
