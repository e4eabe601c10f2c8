"""Calls that draw into Matplotlib's current figure: who doesn't show or save it needn't draw it.

https://matplotlib.org/stable/api/pyplot_summary.html
"""

from __future__ import annotations

import ast

from ...library.words import table
from ..facts import Facts, recorded

_DRAWING = table("""
matplotlib.pyplot: annotate arrow axhline axhspan axis axvline axvspan bar barh boxplot cla clf
  close colorbar contour contourf errorbar figtext figure fill fill_between gca gcf gray grid hist
  hist2d hlines imshow legend loglog margins matshow pcolormesh pie plot scatter semilogx semilogy
  stackplot stem step subplot subplots subplots_adjust suptitle text tick_params tight_layout title
  violinplot vlines xlabel xlim xscale xticks ylabel ylim yscale yticks
""")
# They look for what was drawn, and some raise where nothing was.
_LOOKING = table("""
matplotlib.pyplot: clim colorbar fignum_exists findobj gci get_fignums sci set_cmap
""")


_MAKING = table("matplotlib.pyplot: axes figure gca gcf subplot subplots")
_PARTS = (ast.Attribute, ast.Subscript, ast.Call)
_READING = ("canvas", "buffer_rgba", "tostring_rgb", "get_array")


def is_drawing(facts: Facts, call: ast.Call) -> bool:
    """Whether it only draws, and nobody looks at the current figure but those who may have it."""
    is_known = facts.name(call.func) in _DRAWING or _is_on_canvas(facts, call)
    return is_known and not _is_looked_at(facts)


def _is_on_canvas(facts: Facts, call: ast.Call) -> bool:
    """`ax.plot(…)`, `ax.get_xaxis().set_visible(…)` on axes or a figure that are only drawn on."""
    base = _base(facts, call.func)
    if base in _made(facts):
        return base is not call.func
    if not isinstance(base, ast.Name) or not isinstance(call.func, ast.Attribute):
        return False
    bound = facts.names.bindings(base)
    return bool(bound) and all(_made(facts).get(b.value, False) for b in bound)  # type: ignore[arg-type]


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
    return {call: _is_only_drawn_on(facts, call) for call in facts.calls_of(*_MAKING)}


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
        return (facts.name(parent.func) or "").startswith("matplotlib.pyplot.")
    return isinstance(parent, ast.Attribute)


@recorded
def _is_looked_at(facts: Facts) -> bool:
    """Whether the file asks the current figure for something, beyond adding a bar of colours."""
    if any(name in facts.index.loads for name in _READING):
        return True
    return any(
        facts.name(call.func) != "matplotlib.pyplot.colorbar"
        or not isinstance(facts.parent(call), ast.Expr)
        or any(isinstance(node, ast.Call) for each in _given(call) for node in ast.walk(each))
        for call in facts.calls_of(*_LOOKING)
    )


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]
