"""The models that a program trains, what holds them, and what they are made of."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...library.layers import LOOKUPS
from ...program.bindings import Binding
from ...program.node_fields import within
from ...program.records import NamedTuple
from ...program.versions import EACH, Path
from ..facts import Facts, recorded
from ..holders import Key, held_by
from ..keras_version import is_keras_3
from ..names import KERAS
from ..roles import Role
from ..training.fits import fits
from ..training.pattern import Pattern, training_of
from ..value_parts import can_be_named
from ..walks import reached
from .applied_variables import applied_variables, hides_variables, is_path, read
from .tapes import applications

# -- loops over train_on_batch -------------------------------------------------------------------
# Loops over `train_on_batch`, which runs no callbacks: they broadcast as loops of one's own do.
#
# Horovod with Keras, https://horovod.readthedocs.io/en/stable/keras.html, has no word on them.

LOOPS = (ast.For, ast.AsyncFor, ast.While)


class Batch(NamedTuple):
    """One call after which the model is broadcast, with the loop before which its flag is made."""

    call: ast.Call
    model: ast.expr
    loop: ast.stmt


def batch_calls(facts: Facts) -> Iterator[ast.Call]:
    """Every call of `train_on_batch` that trains."""
    for call, pattern in training_of(facts).places:
        is_method = isinstance(call.func, ast.Attribute) and call.func.attr == "train_on_batch"
        if is_method and pattern is Pattern.KERAS:
            yield call


def batches(facts: Facts) -> list[Batch]:
    """The first call of each model in each loop."""
    found: list[Batch] = []
    for call in batch_calls(facts):
        batch = _batch(facts, call)
        if batch is not None and not any(_follows(facts, batch, other) for other in found):
            found.append(batch)
    return found


def unplaced_batches(facts: Facts) -> Iterator[ast.Call]:
    """Calls outside of any loop, on an unnamed model, or deep in an expression."""
    return (call for call in batch_calls(facts) if _batch(facts, call) is None)


def _batch(facts: Facts, call: ast.Call) -> Batch | None:
    assert isinstance(call.func, ast.Attribute)
    loop = _outermost_loop(facts, call)
    if loop is None or not is_path(call.func.value) or not can_be_named(facts, call):
        return None
    return Batch(call, call.func.value, loop)


def _outermost_loop(facts: Facts, call: ast.Call) -> ast.stmt | None:
    function = facts.function(call)
    loops = [
        p for p in facts.parents(call) if isinstance(p, LOOPS) and facts.function(p) is function
    ]
    return loops[-1] if loops else None


def _follows(facts: Facts, batch: Batch, other: Batch) -> bool:
    """Whether `other` has run whenever `batch` runs: it stands before it in a block around it."""
    if batch.loop is not other.loop or ast.unparse(batch.model) != ast.unparse(other.model):
        return False
    block, number = facts.block(facts.statement(other.call))
    after = set(block[number:])
    return bool(after & {facts.statement(batch.call), *facts.parents(batch.call)})


# -- named in loops ------------------------------------------------------------------------------
# What the name of a loop stands for, where it goes through models: `for net, target in pairs`.

_DISPLAYS = (ast.Tuple, ast.List)
_ALL_OF = tuple(f"builtins.{name}" for name in ("reversed", "list", "tuple", "iter", "sorted"))


def named(facts: Facts, use: ast.expr) -> list[ast.expr]:
    """The paths to all that a name of a loop may be; itself, where one of them is unseen."""
    bindings = facts.bindings(use) if isinstance(use, ast.Name) else []
    parts = [part for binding in bindings for part in _parts(facts, binding)]
    paths = [part for part in parts if isinstance(part, ast.expr) and is_path(part)]
    return paths if paths and len(paths) == len(parts) else [use]


def _parts(facts: Facts, binding: Binding) -> list[ast.AST | None]:
    """What each round binds, `None` for what isn't written out."""
    if binding.kind != "for" or binding.path[:1] != (EACH,):
        return [None]
    over, path = _over(facts, binding)
    if isinstance(over, (ast.Name, ast.Attribute)):
        over = facts.origins(over).only
    if not isinstance(over, _DISPLAYS):
        return [None]
    return [Binding("assign", binding.node, each, path).part for each in over.elts]


def taken_from(facts: Facts, name: ast.expr) -> list[ast.expr]:
    """What a name's value is a part of, in all that bind it: `for block in self.blocks` is of that.

    Empty where one of them is something else.
    """
    bindings = facts.bindings(name) if isinstance(name, ast.Name) else []
    owners = [_owner(facts, binding) for binding in bindings]
    found = [owner for owner in owners if isinstance(owner, (ast.Attribute, ast.Subscript))]
    return list(found) if len(found) == len(owners) else []


def _owner(facts: Facts, binding: Binding) -> ast.AST | None:
    if binding.kind == "for" and binding.path[:1] == (EACH,):
        return _over(facts, binding)[0]
    return binding.part if binding.kind == "assign" else None


def _over(facts: Facts, binding: Binding) -> tuple[ast.AST | None, Path]:
    """What a loop goes through, below `zip` and its like, and where in each of it."""
    over, path = binding.value, binding.path[1:]
    while isinstance(over, ast.Call):
        name, first = facts.name(over.func), path[:1]
        if name == "builtins.zip" and first:
            number, path = first[0], path[1:]
            is_there = isinstance(number, int) and number < len(over.args)
            over = over.args[number] if is_there else None  # type: ignore[index]
        elif name == "builtins.enumerate" and first == (1,) and over.args:
            over, path = over.args[0], path[1:]
        elif name in _ALL_OF and over.args:
            over = over.args[0]
        elif isinstance(over.func, ast.Attribute) and _gives_parts(over.func.attr, first):
            over, path = over.func.value, path[1:]
        else:
            return None, path
    return over, path


def _gives_parts(method: str, first: Path) -> bool:
    return method == "values" or (method == "items" and first == (1,))


# -- trained models ------------------------------------------------------------------------------
# The models that a program trains, what holds them, and what they are made of.

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
        if facts.classes.instance_of(model) in trained.classes:
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
    made = (b.node for b in facts.bindings(node) if b.kind != "param")
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
    own = filter(None, (facts.classes.instance_of(base) for base in bases))
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
        yield from filter(None, [facts.classes.instance_of(node)])
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


# -- word tables ---------------------------------------------------------------------------------
# Models that hold a layer's table of words among their variables, which Horovod can't broadcast.
#
# Keras 2 has such a table for a layer that finds its words by `adapt`, and it is no variable of
# TensorFlow (keras/src/layers/preprocessing/index_lookup.py: `VocabWeightHandler`).

_OWN = (LAYERS, f"{KERAS}.Sequential", f"{KERAS}.Model", f"{KERAS}.models.")


def holds_words(facts: Facts, model: ast.expr) -> bool:
    """Whether a layer of the model may have such a table: all are asked for where one is unseen."""
    if is_keras_3(facts) or not _tables(facts):
        return False
    parts = parts_of(facts, model)
    if not parts.isdisjoint(_tables(facts)):
        return True
    made = facts.origins(model).nodes
    return not made or any(not (name_of(facts, node) or "").startswith(_OWN) for node in made)


@recorded
def _tables(facts: Facts) -> frozenset[ast.Call]:
    """The calls that make a layer which has to find its words."""
    return frozenset(call for call in facts.index.calls if _finds_words(facts, call))


def _finds_words(facts: Facts, call: ast.Call) -> bool:
    kind = facts.kind(call) or ""
    if not kind.startswith(LAYERS) or kind.rpartition(".")[2] not in LOOKUPS:
        return False
    given = facts.argument(call, "vocabulary")
    return given is None or (isinstance(given, ast.Constant) and given.value is None)
