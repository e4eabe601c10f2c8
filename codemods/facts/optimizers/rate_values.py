"""What kind of value a learning rate is: a number to multiply, in some cases or all, or none."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum

from ...library.tensorflow_names import VARIABLE
from ...program.call_sites import returns
from ...program.parts import FunctionNode
from ..facts import Facts
from ..roles import Role

# -- rate sources --------------------------------------------------------------------------------
# Where a rate comes from that is a number in some cases: what is bound, what a function returns.
#
# Only where nothing else reads it: it is scaled there, and would be for others as well.


def rate_sources(facts: Facts, expr: ast.expr) -> list[ast.expr]:
    """What may get there; the expression itself where that is unknown, or others read it too."""
    found: list[ast.expr] = []
    seen: set[ast.expr] = set()
    waiting = [expr]
    while waiting:
        current = waiting.pop(0)
        if current in seen:
            continue
        seen.add(current)
        sources = _sources(facts, current)
        waiting += sources
        if not sources:
            found.append(current)
    return found


def _sources(facts: Facts, expr: ast.expr) -> list[ast.expr]:
    if isinstance(expr, ast.IfExp):
        return [expr.body, expr.orelse]
    if isinstance(expr, ast.Name):
        return _bound(facts, expr)
    return list(_returned(facts, expr)) if isinstance(expr, ast.Call) else []


def _bound(facts: Facts, name: ast.Name) -> list[ast.expr]:
    """`lr = 0.1` in one branch, `lr = CosineDecay(…)` in another; empty where that is unknown."""
    bindings = facts.bindings(name)
    is_plain = all(b.kind == "assign" and not b.path for b in bindings)
    if not is_plain or not all(_is_rate(facts, use) for use in facts.readers(name)):
        return []
    return [binding.value for binding in bindings if isinstance(binding.value, ast.expr)]


def _returned(facts: Facts, call: ast.Call) -> Iterator[ast.expr]:
    """What a function of the project returns, all of whose calls make rates."""
    function = facts.callee(call)
    if function is None or facts.escapes(function):
        return
    if all(_is_only_rate(facts, site) for site in facts.call_sites(function)):
        yield from (each.value for each in returns(function) if each.value is not None)


def _is_only_rate(facts: Facts, call: ast.Call) -> bool:
    """`Adam(rate())`; or `lr = rate()`, where the name is only read for that."""
    statement = facts.parent(call)
    if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
        return _is_rate(facts, call)
    target = statement.targets[0]
    uses = facts.index.loads.get(target.id, ()) if isinstance(target, ast.Name) else ()
    same = [use for use in uses if any(b.value is call for b in facts.bindings(use))]
    return bool(same) and all(_is_rate(facts, use) for use in same)


def _is_rate(facts: Facts, expr: ast.AST) -> bool:
    """Whether it is only read to make an optimizer with it: `Adam(lr)`, `SGD(lr=lr)`."""
    parent = facts.parent(expr)
    call = facts.parent(parent) if isinstance(parent, ast.keyword) else parent
    if not isinstance(call, ast.Call) or facts.made_by(call) is not Role.OPTIMIZER:
        return False
    return expr in call.args[:1] or getattr(parent, "arg", "") in ("learning_rate", "lr")


# -- rate values ---------------------------------------------------------------------------------
# What kind of value a learning rate is: a number to multiply, or something that is already.


class Nature(Enum):
    """What flows into the place of a rate."""

    NUMBER = "number"
    SCHEDULE = "schedule"
    NOTHING = "None"
    VARIABLE = "variable"
    CALLABLE = "callable"
    EITHER = "either"
    UNKNOWN = "unknown"


_NUMBERS = (ast.BinOp, ast.AugAssign, ast.UnaryOp, ast.Compare, ast.JoinedStr)
_SCHEDULE_WORDS = ("sched", "decay")
_OF_ARRAYS = ("astype", "item", "numpy", "tolist")  # no schedule has such a method


def branches(facts: Facts, expr: ast.expr) -> list[ast.expr]:
    """The expressions that are scaled one by one: the sides of `a if test else b` that differ."""
    if nature(facts, expr) is not Nature.EITHER:
        return [expr]
    if isinstance(expr, ast.IfExp):
        return branches(facts, expr.body) + branches(facts, expr.orelse)
    parts = rate_sources(facts, expr)
    return [expr] if any(nature(facts, part) is Nature.EITHER for part in parts) else parts


def nature(facts: Facts, expr: ast.expr) -> Nature:
    """The nature of everything that can flow into `expr`, joined."""
    origins = facts.origins(expr)
    found = {_of(facts, item.node, bool(item.path)) for item in origins.items}
    found |= {_of_unknown(facts, node) for node in origins.unknown}
    found.discard(Nature.NOTHING) if len(found) > 1 else None
    if len(found) == 1:
        return found.pop()
    if found == {Nature.NUMBER, Nature.SCHEDULE}:
        return Nature.EITHER
    bad = (n for n in (Nature.VARIABLE, Nature.CALLABLE) if n in found)
    return next(bad, Nature.UNKNOWN)


def _of(facts: Facts, node: ast.AST, is_part: bool) -> Nature:
    if is_part:
        return Nature.NUMBER  # an element of something: schedules come from calls
    if isinstance(node, ast.Constant):
        return Nature.NOTHING if node.value is None else _constant(node)
    if isinstance(node, ast.Call):
        return _of_call(facts, node)
    if isinstance(node, (ast.Lambda, *FunctionNode)):
        return Nature.CALLABLE
    if isinstance(node, _NUMBERS):
        return Nature.NUMBER
    if isinstance(node, (ast.Attribute, ast.Subscript, ast.Name)):
        return _by_name(node)
    return Nature.UNKNOWN


def _constant(node: ast.Constant) -> Nature:
    return Nature.NUMBER if isinstance(node.value, (int, float)) else Nature.UNKNOWN


def _of_call(facts: Facts, call: ast.Call) -> Nature:
    if facts.made_by(call) is Role.SCHEDULE:
        return Nature.SCHEDULE
    name = facts.name(call.func)
    if name == VARIABLE:
        return Nature.VARIABLE
    if name is not None:
        return Nature.UNKNOWN if _sounds_like_schedule(name) else _of_library(name)
    if not isinstance(call.func, ast.Attribute):
        return Nature.UNKNOWN
    is_number = call.func.attr in _OF_ARRAYS or not _sounds_like_schedule(ast.unparse(call.func))
    return Nature.NUMBER if is_number else Nature.UNKNOWN  # trial.suggest_float("lr")


def _of_library(name: str) -> Nature:
    known = ("builtins.", "numpy.", "math.", "tensorflow.", "random.", "json.", "yaml.", "os.")
    return Nature.NUMBER if name.startswith(known) else Nature.UNKNOWN


def _by_name(node: ast.AST) -> Nature:
    """`args.lr`, `config["lr"]`, `from settings import LEARNING_RATE`: settings are numbers.

    If one were a schedule after all, `schedule * hvd.size()` stops the program at once.
    """
    return Nature.UNKNOWN if _sounds_like_schedule(_last_word(node)) else Nature.NUMBER


def _last_word(node: ast.AST) -> str:
    """`initial_lr` of `config["lr_schedules"]["initial_lr"]`: the section says nothing of it."""
    if isinstance(node, ast.Attribute):
        return node.attr
    key = node.slice if isinstance(node, ast.Subscript) else None
    is_text = isinstance(key, ast.Constant) and isinstance(key.value, str)
    return key.value if is_text else ast.unparse(node)  # type: ignore[union-attr]


def _sounds_like_schedule(text: str) -> bool:
    return any(word in text.lower() for word in _SCHEDULE_WORDS)


def _of_unknown(facts: Facts, node: ast.AST) -> Nature:
    """A parameter that nobody in sight passes: its default or annotation says what it is.

    An attribute of an object that may hold something else as well is a setting like any other.
    """
    if not isinstance(node, ast.arg):
        return _by_name(node) if isinstance(node, ast.Attribute) else Nature.UNKNOWN
    if _makes_settings(facts, node):
        return Nature.NUMBER
    if node.annotation is not None and ast.unparse(node.annotation) in (
        "float",
        "int",
        "Optional[float]",
    ):
        return Nature.NUMBER
    default = _default(facts, node)
    return (
        _constant(default)
        if isinstance(default, ast.Constant) and default.value
        else Nature.UNKNOWN
    )


def _makes_settings(facts: Facts, arg: ast.arg) -> bool:
    """Whether it is the `cls` of a class of settings, of which the rate is an attribute then."""
    function = facts.index.parents[facts.index.parents[arg]]
    cls = facts.index.parents.get(function)
    if not isinstance(function, FunctionNode) or not isinstance(cls, ast.ClassDef):
        return False
    is_first = function.args.args[:1] == [arg]
    makers = [n for n in function.decorator_list if facts.name(n) == "builtins.classmethod"]
    every = (cls, *facts.classes.ancestors(cls))
    bases = [facts.name(base) for each in every for base in each.bases]
    known = [name for name in bases if name is None or name.startswith("tensorflow.")]
    return is_first and bool(makers) and not known


def _default(facts: Facts, arg: ast.arg) -> ast.expr | None:
    args = facts.index.parents[arg]
    assert isinstance(args, ast.arguments)
    positional = [*args.posonlyargs, *args.args]
    pairs = list(zip(reversed(positional), reversed(args.defaults)))
    pairs += [(a, d) for a, d in zip(args.kwonlyargs, args.kw_defaults) if d is not None]
    return next((value for parameter, value in pairs if parameter is arg), None)
