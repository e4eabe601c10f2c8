"""Where the flag of a broadcast lives: beside the optimizer, in the scope or object of it."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

from ..facts import Facts
from ..roles import Role
from ..scopes import Binding
from ..training.pattern import training_of
from ..training.repetition import runs_once

TRACKS = (
    "tensorflow.Module",
    "tensorflow.keras.layers.",
    "tensorflow.keras.Model",
    "tensorflow.keras.Sequential",
)


class Flag(NamedTuple):
    """One optimizer's flag; names are filled in where `{}` stands."""

    owner: str  # tells optimizers apart
    path: str  # how the flag is reached at the call
    after: Mapping[ast.stmt, str] = MappingProxyType({})  # made there, as what
    before: tuple[ast.stmt, ...] = ()  # made there, at module level

    def spelled(self, name: str) -> str:
        """The flag as the call sees it."""
        return self.path.format(name)


class Unplaced(NamedTuple):
    """Why no flag fits."""

    why: str
    way_out: str


UNTRACED = Unplaced(
    "it can't be told where this optimizer is made",
    "create it by its class in this file and bind it to a name or an attribute",
)
SEVERAL = Unplaced(
    "several optimizers are used through this name, each of which needs a broadcast of its own",
    "write a training step for each of them",
)


def flag_of(facts: Facts, call: ast.Call) -> Flag | Unplaced:
    """The flag for a call of `apply_gradients` or `minimize`."""
    assert isinstance(call.func, ast.Attribute)
    receiver = call.func.value
    if isinstance(receiver, ast.Name):
        return _of_name(facts, receiver)
    if isinstance(receiver, ast.Attribute):
        return _of_attribute(facts, receiver)
    return UNTRACED


# -- a name -----------------------------------------------------------------------------------


def _of_name(facts: Facts, receiver: ast.Name) -> Flag | Unplaced:
    bindings = [b for b in facts.names.bindings(receiver) if not _is_nothing(b)]
    owner = f"{_scope_name(facts, receiver)} {receiver.id}"
    if bindings and all(b.kind == "assign" and isinstance(b.node, ast.stmt) for b in bindings):
        scope = facts.scope(receiver).find(receiver.id)
        assert scope is not None
        if all((facts.function(b.node) or facts.module) is scope.node for b in bindings):
            last = [
                b for b in bindings if not any(_replaces(facts, other, b) for other in bindings)
            ]
            return Flag(owner, "{}", {b.node: "{}" for b in last})  # type: ignore[misc]
        return _at_module_level(facts, receiver, owner)
    if bindings and all(b.kind == "param" for b in bindings):
        return _at_module_level(facts, receiver, owner)
    return UNTRACED


def _is_nothing(binding: Binding) -> bool:
    """`optimizer = None` at first."""
    return isinstance(binding.value, ast.Constant) and binding.value.value is None


def _replaces(facts: Facts, later: Binding, earlier: Binding) -> bool:
    """`opt = LossScaleOptimizer(opt)` further down in the same block: the flag goes after it."""
    one, other = facts.statement(earlier.node), facts.statement(later.node)
    target = getattr(other, "targets", [None])[0]
    block, number = facts.block(one)
    if target is None or other not in block[number + 1 :]:
        return False
    loads = (n for n in ast.walk(other) if isinstance(getattr(n, "ctx", None), ast.Load))
    return ast.unparse(target) in {ast.unparse(n) for n in loads}


def _scope_name(facts: Facts, receiver: ast.Name) -> str:
    scope = facts.scope(receiver).find(receiver.id)
    node = scope.node if scope is not None else facts.module
    return f"{getattr(node, 'name', '')}:{getattr(node, 'lineno', 0)}"


def _at_module_level(facts: Facts, receiver: ast.expr, owner: str) -> Flag | Unplaced:
    """A flag before the function that trains, set back where an optimizer is made anew."""
    origins = facts.origins(receiver)
    made = [n for n in origins.nodes if not isinstance(n, ast.Constant)]
    if not made or not origins.complete or not all(_is_optimizer(facts, n) for n in made):
        return UNTRACED
    names = {_bound_name(facts, node) for node in made}
    if len(made) > 1 and (len(names) > 1 or None in names):
        return SEVERAL
    return Flag(owner, "{}", before=(_outermost(facts, receiver),))


def _is_optimizer(facts: Facts, node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and facts.made_by(node) in (Role.OPTIMIZER, Role.LOSS_SCALE)


def _bound_name(facts: Facts, node: ast.AST) -> str | None:
    """The name under which the statement of a creation stores it, with its function."""
    statement = facts.statement(node)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return None
    function = facts.function(node)
    return f"{getattr(function, 'lineno', 0)} {ast.unparse(statement.targets[0])}"


def _outermost(facts: Facts, node: ast.AST) -> ast.stmt:
    """The statement of the module that holds `node`."""
    statement = facts.statement(node)
    for parent in facts.parents(node):
        if isinstance(parent, ast.stmt):
            statement = parent
    return statement


# -- an attribute -----------------------------------------------------------------------------


def _of_attribute(facts: Facts, receiver: ast.Attribute) -> Flag | Unplaced:
    cls = facts.values.instance_of(receiver.value)
    if cls is None:
        return UNTRACED
    owner = f"{cls.name} {receiver.attr}"
    stores = _stores(facts, cls, receiver.attr)
    if stores is None:
        return UNTRACED
    if _tracks(facts, cls):
        return _of_tracking(facts, cls, receiver, owner)
    stores = [
        (t, b) for t, b in stores if not any(_replaces(facts, other, b) for _, other in stores)
    ]
    after = {b.node: f"{ast.unparse(target.value)}.{{}}" for target, b in stores}
    return Flag(owner, f"{ast.unparse(receiver.value)}.{{}}", after)  # type: ignore[arg-type]


def _stores(
    facts: Facts, cls: ast.ClassDef, attr: str
) -> list[tuple[ast.Attribute, Binding]] | None:
    """The statements that store the optimizer in the object; None if there are none."""
    found = []
    for target, binding in facts.index.attribute_stores.get(attr, []):
        if facts.values.instance_of(target.value) not in facts.classes.family(cls) or _is_nothing(
            binding
        ):
            continue
        if binding.kind != "assign" or not isinstance(binding.node, ast.stmt):
            return None
        found.append((target, binding))
    return found or None


def _tracks(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether a tf.Variable in an attribute would become one of the model's weights."""
    return any(base.startswith(TRACKS) for base in facts.classes.library_bases(cls))


def _of_tracking(
    facts: Facts, cls: ast.ClassDef, receiver: ast.Attribute, owner: str
) -> Flag | Unplaced:
    made = [
        call
        for call in facts.index.calls
        if facts.classes.local(call.func) in facts.classes.family(cls)
    ]
    if len(made) != 1 or not runs_once(facts, made[0]):
        return Unplaced(
            f"`{cls.name}` is made several times, and each one needs a broadcast of its own",
            "keep the optimizer outside of the model",
        )
    if _is_compiled(facts, receiver) and any(map(partial(_exports, facts), facts.index.calls)):
        return Unplaced(
            f"a SavedModel of `{cls.name}` takes its training step along, but not the flag in it",
            "save weights or an .h5 file, or keep the training step outside of the class",
        )
    return Flag(owner, "{}", before=(_outermost(facts, receiver),))


def _is_compiled(facts: Facts, node: ast.AST) -> bool:
    """Whether `@tf.function` makes the method a part of what is exported."""
    decorators = getattr(facts.function(node), "decorator_list", [])
    return any(facts.name(getattr(d, "func", d)) == "tensorflow.function" for d in decorators)


def _exports(facts: Facts, call: ast.Call) -> bool:
    """Whether the call writes a SavedModel: a path that ends otherwise says so."""
    if facts.name(call.func) == "tensorflow.saved_model.save":
        return True
    func = call.func
    is_save = isinstance(func, ast.Attribute) and func.attr == "save"
    if not is_save or not training_of(facts).is_model(func.value):  # type: ignore[attr-defined]
        return False
    last = [n.value for a in call.args[:1] for n in ast.walk(a) if isinstance(n, ast.Constant)]
    return not any(str(text).endswith((".h5", ".hdf5", ".keras")) for text in last)
