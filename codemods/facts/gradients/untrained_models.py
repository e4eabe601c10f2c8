"""The models that a program uses and that nothing trains: each worker starts them otherwise.

Not those that come from files, and not those that only change pictures.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from ..facts import Facts, recorded
from ..holders import Key, held_by
from ..names import KERAS
from ..roles import Role
from .built_models import INPUTS
from .idle_classes import is_idle
from .named_in_loops import named
from .paths import is_path
from .trained_models import (
    LAYERS,
    VARIABLES,
    is_trained,
    name_of,
    parts_of,
    trained_models,
)

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
    bindings = facts.names.bindings(func) if isinstance(func, ast.Name) else []
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
    return is_read and not any(not n.endswith(("Input", "InputLayer")) for n in own)


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
