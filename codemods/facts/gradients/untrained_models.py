"""What a program uses but does not train, and each worker would start otherwise."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ...library.tensorflow_names import INPUT_LAYERS, VARIABLE
from ...library.words import words
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ..causes import Problem
from ..facts import Facts, recorded
from ..holders import Key, held_by, passed_to
from ..names import KERAS
from ..own_values import is_seen_alike
from ..roles import Role
from .applied_variables import is_path
from .trained_models import (
    LAYERS,
    VARIABLES,
    given_variables,
    is_trained,
    name_of,
    named,
    parts_of,
    trained_models,
)

# -- built models --------------------------------------------------------------------------------
# Whether a model has its weights as soon as it is made, as it knows the shape of its inputs.
#
# https://www.tensorflow.org/guide/keras/sequential_model#specifying_the_input_shape_in_advance

_BUILT = (f"{KERAS}.models.clone_model", f"{KERAS}.models.load_model")
_SHAPES = ("input_shape", "input_dim", "batch_input_shape")
INPUTS = (f"{KERAS}.Input", f"{KERAS}.layers.Input", f"{KERAS}.layers.InputLayer")


def is_built(facts: Facts, model: ast.expr) -> bool:
    """Whether it has weights wherever it is made, or is given them by `build` or by its layers."""
    made = facts.origins(model).nodes
    if made and all(isinstance(n, ast.Call) and _has_weights(facts, n) for n in made):
        return True
    key = held_by(facts, model)
    return any(held_by(facts, _receiver(call)) == key for call in _builds(facts))


def _receiver(call: ast.Call) -> ast.expr:
    assert isinstance(call.func, ast.Attribute)
    return call.func.value


def _builds(facts: Facts) -> list[ast.Call]:
    """`net.build(shape)`, `net.add(Dense(8, input_shape=shape))`."""
    added = [c for c in facts.calls("add") if c.args and _gives_shape(facts, c.args[0])]
    return [*facts.calls("build"), *added]


def _has_weights(facts: Facts, made: ast.Call) -> bool:
    name = facts.name(made.func) or ""
    if name in _BUILT or name.startswith(f"{KERAS}.applications."):
        return True
    if name in (f"{KERAS}.Model", f"{KERAS}.models.Model"):
        return True  # of inputs and outputs
    layers = facts.argument(made, "layers", 0) if name.endswith("Sequential") else None
    elements = layers.elts if isinstance(layers, (ast.List, ast.Tuple)) else []
    return bool(elements) and _gives_shape(facts, elements[0])


def _gives_shape(facts: Facts, layer: ast.expr) -> bool:
    if not isinstance(layer, ast.Call):
        return False
    if (facts.name(layer.func) or "") in INPUTS:
        return True
    return any(keyword.arg in _SHAPES for keyword in layer.keywords)


# -- idle classes --------------------------------------------------------------------------------
# Classes of which nothing is made: models that a file holds beside the one that it trains.

# By which a class may be reached that no code names.
_BY_TEXT = words(
    """
    getattr globals locals vars eval exec __import__ import_module __dict__ __subclasses__ modules
    getmembers get_custom_objects deserialize custom_objects
    """
)


def is_idle(facts: Facts, node: ast.AST) -> bool:
    """Whether a node stands in a class of which nothing is made."""
    around = (parent for parent in facts.parents(node) if isinstance(parent, ast.ClassDef))
    return any(cls in _idle_classes(facts) for cls in around)


@recorded
def _idle_classes(facts: Facts) -> frozenset[ast.ClassDef]:
    """Those that nothing outside of them names, in a program that finds no class by its text."""
    if any(facts.index.loads.get(name) for name in _BY_TEXT):
        return frozenset()
    return frozenset(cls for cls in facts.index.nodes(ast.ClassDef) if not _is_named(facts, cls))


def _is_named(facts: Facts, cls: ast.ClassDef) -> bool:
    """Whether other code may make one: a decorator is given the class, too."""
    uses = facts.index.loads.get(cls.name, ())
    return bool(cls.decorator_list) or any(cls not in facts.parents(use) for use in uses)


# -- untrained models ----------------------------------------------------------------------------
# The models that a program uses and that nothing trains: each worker starts them otherwise.
#
# Not those that come from files, and not those that only change pictures.

_ASKS = ("predict", "predict_on_batch", "call", "get_weights")
_DIFFERENTIATES = ("gradient", "compute_gradients", "watch")
_DISPLAYS = (ast.List, ast.Tuple, ast.Starred, ast.BinOp)
_FROM_FILES = (f"{KERAS}.models.load_model", f"{KERAS}.applications.")
_PUBLISHED = (".from_pretrained", ".from_preset")
_WEIGHTLESS = (  # or with weights that come from the data
    r"Random|Rescaling|Resizing|CenterCrop|Flatten|Reshape|Permute|Input|Activation$|\w*ReLU|Softmax|"
    r"Gaussian|\w*Dropout|Lambda|Concatenate|Add$|Cropping|ZeroPadding|UpSampling|\w*Pool|"
    r"Normalization|CategoryEncoding|\w*Lookup|TextVectorization|Discretization|Hashing"
)


@recorded
def untrained(facts: Facts) -> dict[Key, list[ast.expr]]:
    """The uses of each model that nothing trains and that comes from no file."""
    trained, found = trained_models(facts), dict[Key, list[ast.expr]]()
    for use in _uses(facts) if trained.held else ():
        key = held_by(facts, use)
        is_known = is_trained(facts, use, trained) or _is_from_file(facts, use)
        if key and not is_known and not _is_weightless(facts, use):
            found.setdefault(key, []).append(use)
    return found


def _uses(facts: Facts) -> Iterator[ast.expr]:
    """Where a model is asked, and where its weights are read or gone through."""
    candidates: list[ast.expr] = []
    for call in facts.index.calls:
        if not _is_symbolic(facts, call):
            candidates.append(call.func)
        if isinstance(call.func, ast.Attribute) and call.func.attr in _ASKS:
            candidates.append(call.func.value)
    for name in VARIABLES:
        for use in facts.index.loads.get(name, ()):
            if isinstance(use, ast.Attribute) and _goes_through(facts, use):
                candidates.append(use.value)
    models = (expr for expr in candidates if is_named_model(facts, expr))
    found = [each for expr in models for each in named(facts, expr)]
    found += [call.func for call in facts.index.calls if _asks_layer(facts, call)]
    yield from (expr for expr in found if not is_idle(facts, expr))


def _is_symbolic(facts: Facts, call: ast.Call) -> bool:
    """Whether a call only makes a part of another model, which asks it: `decoder(encoder(inputs))`.

    What a model is given beside its outputs, by `add_loss`, asks it as well.
    """
    if facts.index.loads.get("add_loss") or isinstance(call.func, ast.Attribute):
        return False
    return bool(call.args) and _is_from_inputs(facts, call.args[0], ())


def _is_from_inputs(facts: Facts, value: ast.expr, seen: tuple[ast.AST, ...]) -> bool:
    """Whether it is a tensor of Keras, which holds no numbers: made by layers of `keras.Input`."""
    made = facts.origins(value)
    return (
        made.complete and bool(made.nodes) and all(_is_tensor(facts, n, seen) for n in made.nodes)
    )


def _is_tensor(facts: Facts, node: ast.AST, seen: tuple[ast.AST, ...]) -> bool:
    if not isinstance(node, ast.Call) or node in seen:
        return False
    if name_of(facts, node) in INPUTS:
        return True
    is_layer = isinstance(node.func, ast.Call) or facts.role(node.func) is Role.MODEL
    return is_layer and bool(node.args) and _is_from_inputs(facts, node.args[0], (*seen, node))


def _asks_layer(facts: Facts, call: ast.Call) -> bool:
    """Whether a tape watches what a layer by itself makes of a batch: `head(model(x))`."""
    func = call.func
    if not is_path(func) or facts.role(func) is not None:
        return False
    bindings = facts.bindings(func) if isinstance(func, ast.Name) else []
    if any(binding.kind != "assign" for binding in bindings):
        return False  # each of many, perhaps
    if not any(_is_watched(facts, parent) for parent in facts.parents(call)):
        return False
    made = facts.origins(func)
    kinds = [facts.kind(n) or "" if isinstance(n, ast.Call) else "" for n in made.nodes]
    return made.complete and bool(kinds) and all(kind.startswith(LAYERS) for kind in kinds)


def _is_watched(facts: Facts, node: ast.AST) -> bool:
    items = node.items if isinstance(node, ast.With) else []
    return any(facts.role(item.context_expr) is Role.TAPE for item in items)


def _goes_through(facts: Facts, use: ast.AST) -> bool:
    """Whether the variables are given to a function or a loop, and not only put into a list."""
    call = next((p for p in facts.parents(use) if not isinstance(p, _DISPLAYS)), None)
    if isinstance(call, ast.Call):
        return getattr(call.func, "attr", "") not in _DIFFERENTIATES
    return isinstance(call, (ast.For, ast.comprehension))


def is_named_model(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is a path to a model and to nothing else."""
    if not is_path(expr) or facts.name(expr) is not None:
        return False
    return facts.roles(expr) - {None} == {Role.MODEL}


def _is_from_file(facts: Facts, model: ast.expr) -> bool:
    """Whether every worker reads the same weights."""
    made = facts.origins(model).nodes
    return bool(made) and all(_reads_file(facts, node) or _is_cut_out(facts, node) for node in made)


def _is_cut_out(facts: Facts, node: ast.AST) -> bool:
    """`Model(vgg.input, vgg.get_layer("conv").output)` of a model that comes from a file."""
    if name_of(facts, node) not in (f"{KERAS}.Model", f"{KERAS}.models.Model"):
        return False
    parts = parts_of(facts, node)
    names = [name_of(facts, part) or "" for part in parts]
    own = (n for n in names if n.startswith(LAYERS) or n.endswith(".Sequential"))
    is_read = any(_reads_file(facts, part) for part in parts)
    return is_read and not any(not n.endswith(INPUT_LAYERS) for n in own)


def _reads_file(facts: Facts, node: ast.AST) -> bool:
    name = facts.name(node.func) or "" if isinstance(node, ast.Call) else ""
    if name.endswith(_PUBLISHED):
        return True
    if not isinstance(node, ast.Call) or not name.startswith(_FROM_FILES):
        return False
    weights = facts.argument(node, "weights", 9)
    return not (isinstance(weights, ast.Constant) and weights.value is None)


def _is_weightless(facts: Facts, model: ast.expr) -> bool:
    """Whether it only changes pictures, each worker its own in its own way."""
    names = [name_of(facts, part) or "" for part in parts_of(facts, model)]
    layers = [name.rpartition(".")[2] for name in names if name.startswith(LAYERS)]
    return bool(layers) and all(map(re.compile(_WEIGHTLESS).match, layers))


# -- untrained variables -------------------------------------------------------------------------
# Variables that a program uses and no optimizer is given, and that each worker starts otherwise.
#
# A projection that is drawn once, copies of weights that follow them slowly: a loss of them
# differs by worker until all have those of worker 0.

_LISTS = (ast.List, ast.Tuple)


@recorded
def loose_variables(facts: Facts) -> dict[Key, list[ast.expr]]:
    """The uses of each name that holds such a variable, or a list of them."""
    found: dict[Key, list[ast.expr]] = {}
    made = list(_bound_calls(facts))
    known = _given(facts) if made else frozenset()
    for statement, target, calls in made:
        if known.isdisjoint(calls) and any(_differs(facts, call) for call in calls):
            uses = [use for use in _loads(facts, target) if statement not in facts.parents(use)]
            for use in uses:
                found.setdefault(held_by(facts, use), []).append(use)
    return found


def _bound_calls(facts: Facts) -> Iterator[tuple[ast.stmt, ast.Name, list[ast.Call]]]:
    """Names that are given `tf.Variable(…)`, or a list of it."""
    for call in facts.calls_of(VARIABLE):
        statement = facts.statement(call)
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(statement, ast.Assign) and isinstance(target, ast.Name):
            calls = _elements(facts, statement.value)
            if calls and call is calls[0]:
                yield statement, target, calls


def _elements(facts: Facts, value: ast.expr) -> list[ast.Call]:
    """The calls of a display or comprehension that holds nothing but variables."""
    elements = [value.elt] if isinstance(value, ast.ListComp) else [value]
    elements = value.elts if isinstance(value, _LISTS) else elements
    calls = [each for each in elements if isinstance(each, ast.Call)]
    are_variables = all(facts.name(call.func) == VARIABLE for call in calls)
    return calls if are_variables and len(calls) == len(elements) else []


def is_list(facts: Facts, use: ast.expr) -> bool:
    """Whether a name holds a list of variables, and not a single one."""
    return not any(
        isinstance(node, ast.Call) and facts.name(node.func) == VARIABLE
        for node in facts.origins(use).nodes
    )


def _given(facts: Facts) -> frozenset[ast.AST]:
    """The syntax behind what optimizers are given."""
    return frozenset(facts.program.ingredients_of(given_variables(facts)))


def _differs(facts: Facts, call: ast.Call) -> bool:
    initial = facts.argument(call, "initial_value", 0)
    return initial is not None and not is_seen_alike(facts, initial)


def _loads(facts: Facts, target: ast.Name) -> Iterator[ast.expr]:
    for use in facts.index.loads.get(target.id, ()):
        if isinstance(use, ast.Name) and facts.scope(use).find(use.id) is facts.scope(target).find(
            target.id
        ):
            yield use


# -- what is used beside them --------------------------------------------------------------------
# What a program uses but does not train: target networks, moving means, frozen critics.
#
# Workers that start with target networks of their own would train towards different targets, so
# these models are broadcast as well. One that comes from a file is the same everywhere.

UNNAMED = "nothing trains `{}`: each worker starts it with weights of its own"
NAME_IT = "let `{}` reach it: pass it as a parameter, or make it where that finds its name"
NAME_HERE = "make it before this line"
UNBUILT = "nothing trains `{}`, and it may have no weights yet when worker 0's are broadcast"
BUILD_IT = "{}.build(…)  # before the first step, with the shape of a batch"


class Companion(NamedTuple):
    """An untrained model: a place that uses it, and how a step names it, if it can."""

    use: ast.expr
    path: ast.expr | None
    is_built: bool


def variables(facts: Facts, step: ast.Call) -> list[Companion]:
    """The same of variables by themselves, and of lists of them."""
    found: list[Companion] = []
    for key, uses in loose_variables(facts).items():
        early = [use for use in uses if facts.may_precede(use, step)]
        if early:
            path = _path(facts, key, early, step)
            found.append(Companion(early[0], path, is_built=True))
    return found


def listed(facts: Facts, step: ast.Call) -> ast.expr | None:
    """The list of these variables, as the step can write it."""
    parts: list[ast.expr] = []
    for each in variables(facts, step):
        if each.path is not None:
            starred = ast.Starred(each.path) if is_list(facts, each.use) else each.path
            parts.append(starred)
    return ast.List(parts) if parts else None


def companions(facts: Facts, step: ast.Call) -> list[Companion]:
    """The untrained models that are used before a step has run for the last time."""
    found: list[Companion] = []
    for key, uses in untrained(facts).items():
        early = [use for use in uses if facts.may_precede(use, step)]
        if early:
            path = _path(facts, key, early, step)
            known = [*early, *_set(facts, key)]
            has_weights = any(_stands_before(facts, use, step) for use in known)
            found.append(Companion(early[0], path, has_weights or is_built(facts, early[0])))
    return found


def _set(facts: Facts, key: Key) -> Iterator[ast.Call]:
    """Where it is given weights, which it has by then."""
    for call in facts.calls("set_weights"):
        if held_by(facts, call.func.value) == key:  # type: ignore[attr-defined]
            yield call


def unnamed(facts: Facts, step: ast.Call) -> Iterator[Problem]:
    """The models that a step can't broadcast."""
    home = facts.function(step)
    for model in (*companions(facts, step), *variables(facts, step)):
        name = ast.unparse(model.use)
        if model.path is None:
            fix = NAME_HERE if home is None else NAME_IT.format(home.name)
            yield Problem(model.use, UNNAMED.format(name), fix)
        elif not model.is_built:
            yield Problem(model.use, UNBUILT.format(name), BUILD_IT.format(name))


def _stands_before(facts: Facts, use: ast.AST, step: ast.Call) -> bool:
    """Whether it has run when the step runs for the first time."""
    runs = facts.lifted(step)
    pairs = [(a, b) for scope, a in facts.lifted(use) for home, b in runs if scope is home]
    return not pairs or any(facts.place(a) < facts.place(b) for a, b in pairs)


def _path(facts: Facts, key: Key, uses: list[ast.expr], step: ast.Call) -> ast.expr | None:
    """How the step names a model: as its own function does, by a name around it, or in `self`."""
    home = facts.function(step)
    inside = (use for use in uses if home in (None, *facts.parents(use)))
    near = next((use for use in inside if _is_before(facts, use, step)), None)
    if near is not None:
        return near
    around = (use for use in uses if _is_seen(facts, use, step))
    found = next(around, None) or _in_self(facts, uses, step) or _parameter(facts, key, home)
    return found or _in_object(facts, uses, step)


def _is_before(facts: Facts, use: ast.expr, step: ast.Call) -> bool:
    """Whether the same name stands for the same model there."""
    same_scope = facts.function(use) is facts.function(step)
    return same_scope and facts.place(use) < facts.place(step)


def _is_seen(facts: Facts, use: ast.expr, step: ast.Call) -> bool:
    """Whether the name has the same meaning at the step, and is bound by then."""
    root = _root(use)
    here, there = facts.scope(use).find(root.id), facts.scope(step).find(root.id)
    if here is None or here is not there or facts.classes.self_class(root) is not None:
        return False
    made = [binding.node for binding in facts.bindings(root)]
    return all(_stands_before(facts, node, step) for node in made if hasattr(node, "lineno"))


def _root(path: ast.expr) -> ast.Name:
    while isinstance(path, (ast.Attribute, ast.Subscript)):
        path = path.value
    assert isinstance(path, ast.Name)
    return path


def _in_self(facts: Facts, uses: list[ast.expr], step: ast.Call) -> ast.expr | None:
    """`self.target`, if the step stands in a method of the object that holds the model."""
    home, cls = facts.function(step), facts.cls(step)
    for use in uses:
        if home is None or cls is None or not isinstance(use, ast.Attribute):
            continue
        if home.args.args and facts.classes.instance_of(use.value) is cls:
            return ast.Attribute(ast.Name(home.args.args[0].arg), use.attr)
    return None


def _in_object(facts: Facts, uses: list[ast.expr], step: ast.Call) -> ast.expr | None:
    """`loss.net`, if the step has a name for the only object of the class that holds the model."""
    for use in uses:
        cls = facts.cls(use)
        if cls is None or not isinstance(use, ast.Attribute) or len(_made(facts, cls)) != 1:
            continue
        if facts.classes.self_class(use.value) is cls:
            statement = facts.statement(_made(facts, cls)[0])
            target = statement.targets[0] if isinstance(statement, ast.Assign) else None
            if isinstance(target, ast.Name) and _is_seen(facts, target, step):
                return ast.Attribute(ast.Name(target.id), use.attr)
    return None


def _made(facts: Facts, cls: ast.ClassDef) -> list[ast.Call]:
    return [call for call in facts.index.calls if facts.classes.local(call.func) is cls]


def _parameter(facts: Facts, key: Key, home: ast.AST | None) -> ast.expr | None:
    """The parameter of the step's function that is always given this model."""
    if not isinstance(home, FunctionNode):
        return None
    for arg in home.args.args:
        given = passed_to(facts, arg)
        if given and all(held_by(facts, value) == key for value in given):
            return ast.Name(arg.arg)
    return None
