"""What trains out of sight, or with other libraries: nothing averages what it is given."""

from __future__ import annotations

import ast
import re
from collections import deque
from collections.abc import Iterator

from ...library.effects import keeps, leaves_alone
from ...library.layers import FITTED_TO_DATA
from ...library.trainers import trains, wraps_models
from ...program.call_sites import returns
from ...program.parts import FunctionNode
from ...program.records import NamedTuple
from ...program.things import Library, Thing
from ..facts import Facts, recorded
from ..roles import Role, role_of_name

# -- other libraries -----------------------------------------------------------------------------
# Values of other libraries: their `fit`, too, trains, but nothing that Horovod could average.

_NAMES = frozenset(
    [
        "sklearn",
        "xgboost",
        "lightgbm",
        "catboost",
        "statsmodels",
        "scipy",
        "numpy",
        "pandas",
        "umap",
        "imblearn",
        "gensim",
        "tensorflow_text",
        "sentencepiece",
        "hmmlearn",
        "category_encoders",
    ]
)
# Builtins that give no value back which they were given.
_PLAIN = frozenset(
    f"builtins.{name}"
    for name in ("bool", "bytes", "float", "int", "len", "object", "open", "range", "repr", "str")
)
_HANDS_ON = ("__getattr__", "__getattribute__")  # a `fit` of such a class may be anything's


def is_foreign(facts: Facts, expr: ast.AST, asked: frozenset[ast.AST] = frozenset()) -> bool:
    """Whether it is known to come from a library other than Keras, or a class with no base.

    `asked`: calls whose receiver is asked about. `x = x.update()` is what `x` was before.
    """
    origins = facts.origins(expr)
    return (
        origins.complete
        and bool(origins.items)
        and all(not i.path and _is_made_elsewhere(facts, i.node, asked) for i in origins.items)
    )


def _is_made_elsewhere(facts: Facts, node: ast.AST, asked: frozenset[ast.AST]) -> bool:
    if node in asked:
        return True
    if isinstance(node, (ast.Constant, ast.BinOp, ast.Dict, ast.Lambda)):
        return True
    func = node.func if isinstance(node, ast.Call) else node
    cls = facts.classes.local(func)
    if cls is not None:
        if any(facts.classes.method(cls, name) is not None for name in _HANDS_ON):
            return False
        bases = facts.classes.library_bases(cls)
        return not facts.classes.has_unknown_base(cls) and all(map(_is_other_library, bases))
    name = facts.name(func)
    if name is not None and name.startswith("tensorflow."):
        return isinstance(node, ast.Call) and _is_no_model(name)
    if name is None and isinstance(node, ast.Call) and isinstance(func, ast.Attribute):
        is_other = is_foreign(facts, func.value, asked | {node})
        return is_other and not _is_of_a_class(facts, func.value)
    return name is not None and _is_other_library(name)


def _is_of_a_class(facts: Facts, expr: ast.AST) -> bool:
    """Whether it may be an instance of a class of the project, of which a method gives anything."""
    made = (i.node for i in facts.origins(expr).items)
    calls = (node.func for node in made if isinstance(node, ast.Call))
    return any(facts.classes.local(func) is not None for func in calls)


def _is_no_model(name: str) -> bool:
    """Whether it makes something of Keras whose `fit` trains nothing, as `ImageDataGenerator` does.

    What an unknown function of TensorFlow gives back may well be a model.
    """
    return (
        role_of_name(name) not in (None, Role.MODEL) or re.match(FITTED_TO_DATA, name) is not None
    )


def _is_other_library(name: str) -> bool:
    return name.split(".")[0] in _NAMES or name in _PLAIN


# -- handed over ---------------------------------------------------------------------------------
# What code out of sight may train: optimizers and models that it is given.

OPTIMIZERS = frozenset({Role.OPTIMIZER, Role.LOSS_SCALE})
_HANDED = OPTIMIZERS | {Role.MODEL}
_DISPLAYS = (ast.List, ast.Tuple, ast.Set)


class Handed(NamedTuple):
    """The call that gets it, what it gets, and which of the two that is."""

    call: ast.Call
    value: ast.expr
    role: Role


@recorded
def handed_over(facts: Facts) -> tuple[Handed, ...]:
    """Optimizers that code out of sight gets, and models that it gets where something trains.

    Much is done with a model that trains nothing: it is converted, drawn, explained. An optimizer
    is of no other use.
    """
    is_made = any(facts.made_by(call) in _HANDED for call in facts.index.calls)
    found = tuple(_handed(facts)) if is_made else ()  # in most modules there is nothing to hand
    makers = {each.call for each in found if each.role is Role.MODEL}
    trained = _trained(facts, makers) if makers else set()
    return tuple(each for each in found if each.role is not Role.MODEL or each.call in trained)


def _handed(facts: Facts) -> Iterator[Handed]:
    for call in facts.index.calls:
        given = {role: v for v in _values(facts, call) if (role := _role(facts, v)) is not None}
        for role in (Role.OPTIMIZER, Role.MODEL) if given and is_out_of_sight(facts, call) else ():
            if role in given:
                yield Handed(call, given[role], role)
                break


def _values(facts: Facts, call: ast.Call) -> Iterator[ast.expr]:
    """What a call is given, and what the lists and dictionaries hold that it is given."""
    waiting = deque([*call.args, *(keyword.value for keyword in call.keywords)])
    seen: set[ast.expr] = set()
    while waiting:
        value = waiting.popleft()
        value = value.value if isinstance(value, ast.Starred) else value
        if value in seen:  # a list may hold another one twice, and that one a third
            continue
        seen.add(value)
        made = facts.origins(value).only if isinstance(value, (ast.Name, ast.Attribute)) else None
        for display in (value, made):
            if isinstance(display, ast.Dict):
                waiting += display.values
            elif isinstance(display, _DISPLAYS):
                waiting += display.elts
        yield value


def _role(facts: Facts, value: ast.expr) -> Role | None:
    """Optimizer or model, also what a function makes that is handed on to be called."""
    roles = set(facts.roles(value))
    if roles & OPTIMIZERS:
        return Role.OPTIMIZER
    for function in facts.program.functions(value).nodes:
        roles |= {role for each in _given_back(function) for role in facts.roles(each)}
    return Role.MODEL if Role.MODEL in roles else None


def _given_back(function: ast.AST) -> list[ast.expr]:
    if isinstance(function, ast.Lambda):
        return [function.body]
    assert isinstance(function, FunctionNode)
    return [each.value for each in returns(function) if each.value is not None]


def is_out_of_sight(facts: Facts, call: ast.Call) -> bool:
    """Whether a call runs code that is neither of the project nor known for what it does."""
    name = facts.name(call.func)
    if name is not None:
        return wraps_models(name) or not leaves_alone(name)
    if facts.callee(call) is not None or _is_followed(facts, call.func):
        return False
    if not isinstance(call.func, ast.Attribute):
        return True
    owner, method = call.func.value, call.func.attr
    is_known = bool(facts.roles(owner) - {None}) or _is_followed(facts, owner)
    return not is_known and not keeps(f".{method}")


def _is_followed(facts: Facts, expr: ast.expr) -> bool:
    """Whether it may be something of the project, or a container."""
    return any(type(thing) not in (Thing, Library) for thing in facts.program.things(expr))


def _trained(facts: Facts, makers: set[ast.Call]) -> set[ast.Call]:
    """The calls that train what they are given, or whose result something trains."""
    found = {call for call in makers if trains(_called(call))}
    callers = [call for call in facts.index.calls if trains(_called(call))]
    owners = [call.func.value for call in callers if isinstance(call.func, ast.Attribute)]
    given = [*(value for call in callers for value in call.args), *owners]
    return found | makers.intersection(facts.program.ingredients_of(given))


def _called(call: ast.Call) -> str:
    func = call.func
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
