"""The models that a program trains, what holds them, and what they are made of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import within
from ...program.records import NamedTuple
from ..facts import Facts, recorded
from ..holders import Key, held_by
from ..names import KERAS
from ..roles import Role
from ..training.fits import fits
from ..walks import reached
from .applications import applications
from .applied import applied_variables, hides_variables
from .batches import batch_calls
from .named_in_loops import taken_from
from .variables import read

TRAINED = ("trainable_variables", "trainable_weights")
VARIABLES = (*TRAINED, "variables", "weights", "non_trainable_variables", "non_trainable_weights")
_COPIES = (
    f"{KERAS}.models.clone_model",
    f"{KERAS}.models.model_from_json",
    "copy.copy",
    "copy.deepcopy",
)
LAYERS = f"{KERAS}.layers."
_TRAINABLE = (LAYERS, f"{KERAS}.Model", f"{KERAS}.models.", f"{KERAS}.Sequential")


class Trained(NamedTuple):
    """What holds the models that are trained, what they are made from, and their classes."""

    held: Key
    parts: frozenset[ast.AST]
    classes: frozenset[ast.AST]


def is_trained(
    facts: Facts, model: ast.expr, trained: Trained, seen: frozenset[ast.AST] = frozenset()
) -> bool:
    """Whether it is a trained one, is part of one, or is made of the layers of one."""
    owners = [] if model in seen else taken_from(facts, model)
    if owners and all(is_trained(facts, each, trained, seen | {model}) for each in owners):
        return True
    whole = model
    while isinstance(model, (ast.Attribute, ast.Subscript)):
        if held_by(facts, model) & trained.held:
            return True
        model = model.value
        if facts.values.instance_of(model) in trained.classes:
            return True
    if held_by(facts, model) & trained.held or _is_itself(facts, model, trained):
        return True
    return _is_of_its_layers(facts, whole, trained)


def _is_itself(facts: Facts, model: ast.expr, trained: Trained) -> bool:
    """Whether it is the `self` of a trained model, also in classes below or above its own."""
    cls = facts.classes.self_class(model)
    family = set() if cls is None else {cls, *facts.classes.ancestors(cls)}
    known = (each for each in trained.classes if isinstance(each, ast.ClassDef))
    above = (each for one in known for each in facts.classes.ancestors(one))
    return bool(family & trained.classes) or cls in set(above)


def _is_of_its_layers(facts: Facts, model: ast.expr, trained: Trained) -> bool:
    """`Model(inputs, hidden)` beside a trained `Model(inputs, output)`."""
    parts = parts_of(facts, model)
    names = (p for p in parts if _is_model(facts, p) and _is_one_thing(facts, p))
    if any(held_by(facts, p) & trained.held for p in names):
        return True
    layers = [p for p in parts if (name_of(facts, p) or "").startswith(LAYERS)]
    return bool(layers) and all(p in trained.parts and _is_made_once(facts, p) for p in layers)


def _is_one_thing(facts: Facts, node: ast.AST) -> bool:
    """Whether it is a name of one model: that of a function is one of each of its calls."""
    if not isinstance(node, ast.Name):
        return isinstance(node, ast.Attribute)
    made = (b.node for b in facts.names.bindings(node) if b.kind != "param")
    return all(_is_made_once(facts, each) for each in made)


def _is_made_once(facts: Facts, node: ast.AST) -> bool:
    home = facts.function(node)
    sites = [] if home is None else facts.call_sites(home)
    return not facts.in_loop(node) and (len(sites) < 2 and not any(map(facts.in_loop, sites)))


@recorded
def trained_models(facts: Facts) -> Trained:
    """Those whose variables an optimizer is given, and those that Keras trains."""
    bases = list(dict.fromkeys(_bases(facts)))
    parts = frozenset(part for base in bases for part in parts_of(facts, base))
    classes = _classes(facts, bases, parts)
    parts |= {part for cls in classes for kept in _kept(cls) for part in parts_of(facts, kept)}
    models = [p for p in parts if isinstance(p, (ast.Name, ast.Attribute)) and _is_model(facts, p)]
    held = frozenset(key for each in (*bases, *models) for key in held_by(facts, each))
    return Trained(held, parts, classes | _classes(facts, [], parts))


def _kept(cls: ast.AST) -> Iterator[ast.expr]:
    """What the objects of a class keep in attributes: Keras trains the models among that."""
    for node in within(cls):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(target, ast.Attribute) for target in targets):
            yield node.value  # type: ignore[attr-defined]


def _classes(facts: Facts, bases: list[ast.expr], parts: frozenset[ast.AST]) -> frozenset[ast.AST]:
    """The classes of the models, of the layers that they are made of, and of what those hold."""
    own = filter(None, (facts.values.instance_of(base) for base in bases))
    made = (cls for part in parts for cls in _layer_classes(facts, part))

    def held(cls: ast.ClassDef) -> Iterator[ast.ClassDef]:
        for node in within(cls):
            yield from _layer_classes(facts, node)

    return frozenset(reached((*own, *made), held))


def _layer_classes(facts: Facts, node: ast.AST) -> Iterator[ast.ClassDef]:
    """The classes of this module of the layer, or of the model, that a call makes."""
    if not isinstance(node, ast.Call):
        return
    if (facts.kind(node) or "").startswith(_TRAINABLE):
        yield from filter(None, [facts.values.instance_of(node)])
    elif facts.name(node.func) is None:  # `block(filters)`, of a class that is handed over
        found = facts.program.classes(node.func).nodes
        classes = (cls for cls in found if isinstance(cls, ast.ClassDef))
        yield from (cls for cls in classes if _is_trainable(facts, cls))


def _is_trainable(facts: Facts, cls: ast.ClassDef) -> bool:
    kinds = (
        facts.name(base) or ""
        for each in (cls, *facts.classes.ancestors(cls))
        for base in each.bases
    )
    return any(kind.startswith(_TRAINABLE) for kind in kinds)


def _is_model(facts: Facts, node: ast.AST) -> bool:
    return facts.role(node) is Role.MODEL


def parts_of(facts: Facts, model: ast.AST) -> frozenset[ast.AST]:
    """What it is made from; a copy has weights of its own."""

    def is_copied(node: ast.AST) -> bool:
        return name_of(facts, node) in _COPIES

    return frozenset(facts.program.ingredients(model, is_copied))


def name_of(facts: Facts, node: ast.AST) -> str | None:
    """The library name of what a call calls."""
    return facts.name(node.func) if isinstance(node, ast.Call) else None


def _bases(facts: Facts) -> Iterator[ast.expr]:
    for call in (*batch_calls(facts), *fits(facts)):
        yield call.func.value  # type: ignore[attr-defined]
    for call in (*applications(facts), *facts.calls("minimize")):
        yield from _bases_of(facts, call)


def given_variables(facts: Facts) -> Iterator[ast.expr]:
    """What the optimizers of loops are given, as far as it can be seen."""
    for call in (*applications(facts), *facts.calls("minimize")):
        yield from _given(facts, call)


def _given(facts: Facts, call: ast.Call) -> list[ast.expr]:
    if hides_variables(facts, call):
        return []
    applied = applied_variables(facts, call)
    return [*read(applied.variables), *filter(None, [applied.argument])]


def _bases_of(facts: Facts, call: ast.Call) -> Iterator[ast.expr]:
    """The models whose variables a call is given; if they can't be seen, all it could be."""
    given = _given(facts, call)
    found = [expr for expr in given if _is_model(facts, expr)]
    for expr in given:
        for node in parts_of(facts, expr):
            if isinstance(node, ast.Attribute) and node.attr in VARIABLES:
                found.append(node.value)
    yield from found or _asked_for(facts)


def _asked_for(facts: Facts) -> Iterator[ast.expr]:
    for attribute in TRAINED:
        for use in facts.index.loads.get(attribute, ()):
            if isinstance(use, ast.Attribute):
                yield use.value
