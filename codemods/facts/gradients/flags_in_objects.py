"""Flags that live in the object which holds the optimizer, or beside its class."""

from __future__ import annotations

import ast
from functools import partial

from ...program.node_fields import within
from ..facts import Facts
from ..scopes import Binding
from ..training.pattern import training_of
from ..training.training_loops import runs_once
from .flag_records import UNTRACED, Flag, Unplaced, is_nothing, is_replaced

TRACKS = (
    "tensorflow.Module",
    "tensorflow.keras.layers.",
    "tensorflow.keras.Model",
    "tensorflow.keras.Sequential",
)


def flag_in_object(facts: Facts, receiver: ast.Attribute) -> Flag | Unplaced:
    """The flag of an optimizer that an attribute holds."""
    cls = facts.values.instance_of(receiver.value)
    if cls is None:
        return UNTRACED
    owner = _owner(cls, receiver)
    stores = _stores(facts, cls, receiver.attr)
    if stores is None:
        return UNTRACED
    if _tracks(facts, cls):
        return flag_of_tracking(facts, cls, receiver)
    bindings = [binding for _, binding in stores]
    after = {b.node: t.value for t, b in stores if not is_replaced(facts, b, bindings)}
    return Flag(owner, receiver.value, after)  # type: ignore[arg-type]


def _owner(cls: ast.ClassDef, receiver: ast.Attribute) -> str:
    return f"{cls.name} {receiver.attr}"


def _stores(
    facts: Facts, cls: ast.ClassDef, attr: str
) -> list[tuple[ast.Attribute, Binding]] | None:
    """The statements that store the optimizer in the object; None if there are none."""
    found = []
    for target, binding in facts.index.attribute_stores.get(attr, []):
        if facts.values.instance_of(target.value) not in facts.classes.family(cls) or is_nothing(
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


def flag_of_tracking(facts: Facts, cls: ast.ClassDef, receiver: ast.Attribute) -> Flag | Unplaced:
    """The flag beside a class whose objects are models or layers."""
    owner = _owner(cls, receiver)
    if _is_compiled(facts, receiver) and any(map(partial(_exports, facts), facts.index.calls)):
        return Unplaced(
            f"a SavedModel of `{cls.name}` takes its training step along, but not the flag in it",
            "save weights or an .h5 file, or keep the training step outside of the class",
        )
    made = [
        call
        for call in facts.index.calls
        if facts.classes.local(call.func) in facts.classes.family(cls)
    ]
    if len(made) != 1 or not runs_once(facts, made[0]):
        return Unplaced(
            f"`{cls.name}` is made several times, and each one needs a broadcast of its own",
            "keep the optimizer outside of the model",
            of_objects=True,
        )
    return Flag(owner, before=(facts.top(facts.statement(receiver)),))


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
    last = [n.value for a in call.args[:1] for n in within(a) if isinstance(n, ast.Constant)]
    return not any(str(text).endswith((".h5", ".hdf5", ".keras")) for text in last)
