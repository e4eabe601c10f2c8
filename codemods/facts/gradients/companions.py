"""What a program uses but does not train: target networks, moving means, frozen critics.

Workers that start with target networks of their own would train towards different targets, so these
models are broadcast as well. One that comes from a file is the same everywhere.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.records import NamedTuple
from ..facts import Facts
from ..holders import Key, held_by, passed_to
from ..precedence import lifted, may_precede
from ..problems import Problem
from ..scopes import FunctionNode
from .built_models import is_built
from .trained_models import TRAINED as TRAINED
from .untrained_models import untrained
from .untrained_variables import is_list, loose_variables

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
        early = [use for use in uses if may_precede(facts, use, step)]
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
        early = [use for use in uses if may_precede(facts, use, step)]
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
    runs = lifted(facts, step)
    pairs = [(a, b) for scope, a in lifted(facts, use) for home, b in runs if scope is home]
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
    made = [binding.node for binding in here.bindings[root.id]]
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
        if home.args.args and facts.values.instance_of(use.value) is cls:
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
