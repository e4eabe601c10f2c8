"""Why a value can't be followed, in words: where that begins, and which setting says what it is."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator

from ..program.bindings import Binding
from ..program.parts import Function, FunctionNode
from ..program.records import NamedTuple
from .facts import Facts
from .names import IMPORTERS, imported
from .roles import Role

# -- causes --------------------------------------------------------------------------------------
# Why a value can't be followed: the place where that begins, and what is so there, in words.
#
# What is unknown is noticed where it matters (`apply_gradients`, `fit`); a person mends it where
# it comes from: an import, a parameter, a table of choices.

TABLE = "it is taken out of this table"
DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict)
MOST = 8  # steps from a value to what it is a part of, or made with
SEEN = ("tensorflow.", "builtins.", "horovod.")  # what these make hangs on their arguments


class Cause(NamedTuple):
    """Where the trouble with a value begins, and the reason; for a sentence with a colon before.

    `fix` takes the place of what mends the value itself, where another thing is to be mended.
    """

    place: ast.AST
    why: str = ""
    fix: str = ""


def cause_of(facts: Facts, expr: ast.AST, wanted: Collection[Role] = ()) -> Cause | None:
    """What keeps the value from being known; None where nothing is to be told beyond the place."""
    for node in _unknown(facts, expr, wanted):
        found = _behind(facts, node)
        if found is not None:
            return found
    return _of_table(facts, expr) if isinstance(expr, ast.Subscript) else None


def _unknown(facts: Facts, expr: ast.AST, wanted: Collection[Role]) -> Iterator[ast.AST]:
    """What can be the value and is not made as it should be, nearest first."""
    origins = facts.origins(expr)
    for node in (*(item.node for item in origins.items), *origins.unknown):
        if not (isinstance(node, ast.Call) and facts.made_by(node) in wanted):
            yield node


def _behind(facts: Facts, node: ast.AST) -> Cause | None:
    """Goes from a value to what it is a part of, or what makes it, until a reason is there."""
    made = node
    for _ in range(MOST):
        reason = _REASONS.get(type(node))
        found = reason(facts, node, made) if reason is not None else None
        if isinstance(found, Cause) or found is None:
            return found
        made = found if isinstance(node, ast.Name) else made  # what stands behind a name
        node = found
    return None


def _of_parameter(facts: Facts, arg: ast.AST, made: ast.AST) -> Cause | None:
    function = facts.index.parents[facts.index.parents[arg]]
    if not isinstance(function, FunctionNode) or not isinstance(arg, ast.arg):
        return None
    other = _redefinition(facts, function)
    if other is not None:
        only = f"only that in line {facts.place(other)[0]} is called"
        why = f"there are two functions of the name `{function.name}`, and {only}"
        return Cause(function, why, "remove this function, which nothing calls")
    is_called = bool(facts.call_sites(function))
    who = "code out of sight may call" if is_called else "nothing in this file calls"
    cls = facts.cls(function) if function.name == "__init__" else None
    name = function.name if cls is None else cls.name
    return Cause(arg, f"`{arg.arg}` is a parameter of `{name}`, which {who}")


def _redefinition(facts: Facts, function: Function) -> Function | None:
    """The function that is called by the name of this one, which nothing calls then."""
    if facts.call_sites(function) or facts.escapes(function):
        return None
    block, _ = facts.block(function)
    named = (n for n in block if isinstance(n, FunctionNode) and n.name == function.name)
    return next((each for each in named if facts.call_sites(each)), None)


def _of_call(facts: Facts, call: ast.AST, made: ast.AST) -> Cause | ast.AST | None:
    assert isinstance(call, ast.Call)
    if _is_seen(facts, call.func):
        given = next(_chosen_by(facts, [*call.args, *(k.value for k in call.keywords)]), None)
        if isinstance(given, (ast.Call, ast.Name)):
            return given
        if given is None:  # Python's own containers give no reason
            is_plain = (facts.name(call.func) or "").startswith("builtins.")
            return None if is_plain else _unfollowed(call)
        return Cause(call, f"it depends on `{spelled(given)}`")
    return call.func


def _of_part(facts: Facts, part: ast.AST, made: ast.AST) -> Cause | ast.AST | None:
    """A part of a table has its reason there; any other that of the whole."""
    assert isinstance(part, (ast.Attribute, ast.Subscript))
    table = _of_table(facts, part) if isinstance(part, ast.Subscript) else None
    if table is not None:
        return table
    if facts.role(part.value) is not None:
        return _unfollowed(part)
    if facts.classes.self_class(part.value) is not None:
        if isinstance(part, ast.Attribute) and part.attr in facts.attribute_stores:
            return None  # by a value that has a reason of its own
        return Cause(part, f"nothing in this file sets `{spelled(part)}`")
    return part.value


def _of_table(facts: Facts, part: ast.Subscript) -> Cause | None:
    table = next(iter(facts.origins(part.value).nodes), None)
    if not isinstance(table, (ast.Dict, ast.List, ast.Tuple)):
        return None
    chosen = f"which entry is taken depends on `{spelled(part.slice)}`"
    return Cause(table, TABLE if isinstance(part.slice, ast.Constant) else chosen)


def _of_name(facts: Facts, name: ast.AST, made: ast.AST) -> Cause | ast.AST | None:
    assert isinstance(name, ast.Name)
    bindings = facts.bindings(name)
    by_import = next((b for b in bindings if b.kind == "import"), None)
    if by_import is not None:
        return _of_import(facts, name, by_import, made)
    if not bindings:
        stars = facts.index.star_imports
        if stars:
            return Cause(stars[0], f"`{name.id}` may come from this `*`")
        return Cause(name, f"nothing in this file makes `{name.id}`")
    origins = facts.origins(name)
    further = (*(item.node for item in origins.items), *origins.unknown)
    if len(further) > 1 and all(_is_seen(facts, node) for node in further):
        return Cause(made, f"`{name.id}` is one of several")
    return next((node for node in further if node is not name), None)


def _of_import(facts: Facts, name: ast.Name, binding: Binding, made: ast.AST) -> Cause:
    """The import of the very thing; the use of a module that is imported as a whole."""
    if _is_seen(facts, name):
        return _unfollowed(made)
    others = [b for b in facts.bindings(name) if b.kind != "import"]
    if others:
        return Cause(facts.statement(others[0].node), rebound(name.id))
    if facts.name(_whole(facts, name, made)) in IMPORTERS:
        return Cause(made, f"`{spelled(made)}` picks a module at run time", BY_NAME)
    node, whole = binding.node, spelled(_whole(facts, name, made))
    if not isinstance(node, ast.ImportFrom):
        return Cause(made, f"`{whole}` is of another module, `{imported(binding)}`")
    module = "." * node.level + (node.module or "")
    return Cause(node, f"`{whole}` is of another module, `{module}`")


def _chosen_by(facts: Facts, values: list[ast.expr]) -> Iterator[ast.expr]:
    """Those of the values that are not written out in the file."""
    for value in values:
        made = facts.origins(value).nodes
        is_written = all(isinstance(node, (ast.Constant, *DISPLAYS)) for node in made)
        if isinstance(value, DISPLAYS):
            yield from _chosen_by(facts, _elements(value))
        elif not is_written and not _is_seen(facts, value) and facts.role(value) is None:
            yield value


def _elements(display: ast.expr) -> list[ast.expr]:
    return [node for node in ast.iter_child_nodes(display) if isinstance(node, ast.expr)]


def _is_seen(facts: Facts, node: ast.AST) -> bool:
    return (facts.name(node) or "").startswith(SEEN)


def _unfollowed(made: ast.AST) -> Cause:
    return Cause(made, f"`{spelled(made)}` is not followed")


def _whole(facts: Facts, name: ast.AST, made: ast.AST) -> ast.AST:
    """`py.models.build` around the name `py`."""
    while name is not made and isinstance(facts.parent(name), ast.Attribute):
        name = facts.index.parents[name]
    return name


def rebound(name: str) -> str:
    """What is so where an imported name is given to something else."""
    return f"`{name}` is bound to something else here"


def spelled(node: ast.AST) -> str:
    """How it stands in the text, in a line of bearable length."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 40 else f"{text[:37]}…"


BY_NAME = "import each of the modules by its name, and pick from a dictionary of them"
_REASONS: dict[type[ast.AST], Callable[[Facts, ast.AST, ast.AST], Cause | ast.AST | None]] = {
    ast.arg: _of_parameter,
    ast.Call: _of_call,
    ast.Attribute: _of_part,
    ast.Subscript: _of_part,
    ast.Name: _of_name,
}


# -- problems ------------------------------------------------------------------------------------
# What a rule can't do at some place, and why: how the facts tell it to the restrictions.


class Problem(NamedTuple):
    """A place that keeps the file from being migrated, what is wrong, the fix, where it begins."""

    node: ast.expr
    why: str
    fix: str
    cause: Cause | None = None


# -- the setting that says it --------------------------------------------------------------------
# The setting by which a person says what a call gives that isn't followed.

MODELS, OPTIMIZERS = "models", "optimizers"
# What functions of these give says nothing of what they give elsewhere.
GIVE_ANYTHING = frozenset(
    [
        "cloudpickle",
        "copy",
        "dill",
        "functools",
        "importlib",
        "itertools",
        "joblib",
        "operator",
        "pickle",
        "random",
        "shelve",
        "sys",
        "torch",
        "types",
    ]
)
NAME = "; or name `{}` among the `{}` of [tool.distify]"


def setting(facts: Facts, value: ast.AST | None, key: str) -> str:
    """The end of an advice; empty where no call of an imported function gives the value."""
    made = () if value is None else facts.origins(value).nodes
    for call in (node for node in made if isinstance(node, ast.Call)):
        name = facts.name(call.func) or ""
        is_known = name.startswith(SEEN) or name.partition(".")[0] in GIVE_ANYTHING
        if "." in name.lstrip(".") and not is_known:
            return NAME.format(name.lstrip("."), key)
    return ""
