"""Calls that draw into Matplotlib's current figure: who doesn't show or save it needn't draw it.

https://matplotlib.org/stable/api/pyplot_summary.html
"""

from __future__ import annotations

import ast

from ...library.shown import DRAWING, LOOKING, MAKING
from ..facts import Facts, recorded
from ..scopes import Binding

_PASSING = ("builtins.enumerate", "builtins.len", "builtins.zip")
_TAKING = ("matplotlib.pyplot.", "seaborn.", *_PASSING)
_HANDED = ("clabel", "colorbar", "delaxes", "legend", "sca")  # they take parts of a figure
_PLOTS = ("boxplot", "hist", "plot")  # methods of a table
_PARTS = (ast.Attribute, ast.Subscript, ast.Call)
_READING = ("canvas", "buffer_rgba", "tostring_rgb", "get_array")


def is_drawing(facts: Facts, call: ast.Call) -> bool:
    """Whether it only draws, and nobody looks at the current figure but those who may have it."""
    is_known = facts.name(call.func) in DRAWING or _is_of_table(facts, call)
    axes = next((k.value for k in call.keywords if k.arg == "ax"), None)
    if is_known and axes is not None:
        is_known = _is_canvas(facts, axes)
    return (is_known or _is_on_canvas(facts, call)) and not _is_looked_at(facts)


def _is_of_table(facts: Facts, call: ast.Call) -> bool:
    """`pd.DataFrame(history.history).plot()`, `table["age"].plot.bar()`."""
    func = call.func
    if not isinstance(func, ast.Attribute):
        return False
    is_kind = isinstance(func.value, ast.Attribute) and func.value.attr == "plot"
    table = func.value.value if is_kind else func.value if func.attr in _PLOTS else None  # type: ignore[attr-defined]
    while isinstance(table, ast.Subscript) or _is_method(facts, table):
        table = table.value if isinstance(table, ast.Subscript) else table.func.value  # type: ignore[union-attr]
    found = None if table is None else facts.origins(table)
    made = found.nodes if found is not None and found.complete else ()
    return bool(made) and all(
        isinstance(n, ast.Call) and (facts.name(n.func) or "").startswith("pandas.") for n in made
    )


def _is_method(facts: Facts, node: ast.AST | None) -> bool:
    """`table.value_counts()`: what it does besides is asked of itself."""
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Attribute) and facts.name(func) is None


def _is_on_canvas(facts: Facts, call: ast.Call) -> bool:
    """`ax.plot(…)`, `ax.get_xaxis().set_visible(…)` on axes or a figure that are only drawn on."""
    if call.func in _made(facts) or not isinstance(call.func, ast.Attribute):
        return False
    return _is_canvas(facts, call.func)


def _is_canvas(facts: Facts, expr: ast.expr) -> bool:
    """Whether it is a figure or axes, or a part of them, that are only drawn on."""
    base = _base(facts, expr)
    if base in _made(facts):
        return base is not expr or _made(facts)[base]
    bound = facts.names.bindings(base)
    return bool(bound) and all(_is_made(facts, binding) for binding in bound)


def _is_made(facts: Facts, binding: Binding) -> bool:
    """Whether it is a figure or axes that are only drawn on, a part, or one of them in a loop."""
    if binding.kind != "for":
        value = binding.value
        return isinstance(value, ast.Call) and (_made(facts).get(value) or _is_part(facts, value))
    each = _taken_from(facts, binding)
    base = None if each is None else _base(facts, each)
    bound = facts.names.bindings(base) if isinstance(base, ast.Name) else []
    return bool(bound) and all(b.kind != "for" and _is_made(facts, b) for b in bound)


def _is_part(facts: Facts, made: ast.Call) -> bool:
    """Whether a figure or axes give it, or a table's plot: `figure.add_subplot(111)`."""
    known = facts.record(_Parts)
    if made not in known:
        known[made] = False  # of itself: `ax = ax.twinx()`
        is_given = _is_on_canvas(facts, made) or _is_of_table(facts, made)
        known[made] = is_given and _is_only_drawn_on(facts, made)
    return known[made]


class _Parts(dict[ast.Call, bool]):
    """What is known already of what figures give."""

    def __init__(self, _: Facts) -> None:
        super().__init__()


def _taken_from(facts: Facts, binding: Binding) -> ast.AST | None:
    """What a loop takes the values of a name from: `axes.flat` in `zip(axes.flat, images)`."""
    given, path = binding.value, binding.path[1:]
    while path and isinstance(given, ast.Call):
        name, at = facts.name(given.func), path[0]
        if name not in _PASSING or not isinstance(at, int):
            return None
        at -= name == "builtins.enumerate"  # what it counts comes behind the number
        given, path = given.args[at] if 0 <= at < len(given.args) else None, path[1:]
    return None if path else given


def _base(facts: Facts, expr: ast.AST) -> ast.AST:
    """What the attributes, elements and calls begin with: a name, or where a figure is made."""
    made, known, way = _made(facts), _bases(facts), []
    while expr not in known and expr not in made and isinstance(expr, _PARTS):
        way.append(expr)
        expr = expr.func if isinstance(expr, ast.Call) else expr.value
    base = known.get(expr, expr)
    known.update(dict.fromkeys(way, base))
    return base


@recorded
def _bases(facts: Facts) -> dict[ast.AST, ast.AST]:
    """What is known already: each call of a long chain asks again."""
    return {}


@recorded
def _made(facts: Facts) -> dict[ast.AST, bool]:
    """Where figures and axes are made, and whether nothing but drawing is done with each."""
    return {call: _is_only_drawn_on(facts, call) for call in facts.calls_of(*MAKING)}


def _is_only_drawn_on(facts: Facts, made: ast.Call) -> bool:
    statement = facts.parent(made)
    if isinstance(statement, (ast.Expr, ast.Attribute)):
        return True
    if not isinstance(statement, ast.Assign):
        return False
    names = [node for target in statement.targets for node in ast.walk(target)]
    if any(isinstance(node, (ast.Attribute, ast.Subscript)) for node in names):
        return False  # kept in an object
    bound = {node.id for node in names if isinstance(node, ast.Name)}
    uses = (use for name in bound for use in facts.index.loads.get(name, ()))
    return all(_is_drawn_on(facts, use) for use in uses if isinstance(use, ast.Name))


def _is_drawn_on(facts: Facts, use: ast.Name) -> bool:
    """Whether a method of it is called there, or it is handed to pyplot."""
    parent = facts.parent(use)
    while isinstance(parent, ast.Subscript) and parent.slice is not use:
        parent = facts.parent(parent)
    if isinstance(parent, ast.keyword):
        parent = facts.parent(parent)
    if isinstance(parent, ast.Call):
        is_method = isinstance(parent.func, ast.Attribute) and parent.func.attr in _HANDED
        return is_method or (facts.name(parent.func) or "").startswith(_TAKING)
    return isinstance(parent, (ast.Attribute, ast.For))


@recorded
def _is_looked_at(facts: Facts) -> bool:
    """Whether the file asks the current figure for something, beyond adding a bar of colours."""
    if any(name in facts.index.loads for name in _READING):
        return True
    return any(
        facts.name(call.func) != "matplotlib.pyplot.colorbar"
        or not isinstance(facts.parent(call), ast.Expr)
        or any(isinstance(node, ast.Call) for each in _given(call) for node in ast.walk(each))
        for call in facts.calls_of(*LOOKING)
    )


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]
