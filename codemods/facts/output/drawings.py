"""Calls that draw into Matplotlib's current figure: who doesn't show or save it needn't draw it.

https://matplotlib.org/stable/api/pyplot_summary.html
"""

from __future__ import annotations

import ast

from ...library.words import table
from ..facts import Facts, recorded

_DRAWING = table("""
matplotlib.pyplot: annotate arrow axhline axhspan axis axvline axvspan bar barh boxplot cla clf
  close colorbar contour contourf errorbar figtext figure fill fill_between grid hist hist2d hlines
  imshow legend loglog margins matshow pcolormesh pie plot scatter semilogx semilogy stackplot stem
  step subplot subplots_adjust suptitle text tick_params tight_layout title violinplot vlines xlabel
  xlim xscale xticks ylabel ylim yscale yticks
""")
# They look for what was drawn, and some raise where nothing was.
_LOOKING = table("""
matplotlib.pyplot: clim colorbar fignum_exists findobj gci get_fignums sci set_cmap
""")


def is_drawing(facts: Facts, call: ast.Call) -> bool:
    """Whether it only draws, and nobody looks at the current figure but those who may have it."""
    return facts.name(call.func) in _DRAWING and not _is_looked_at(facts)


@recorded
def _is_looked_at(facts: Facts) -> bool:
    """Whether the file asks the current figure for something, beyond adding a bar of colours."""
    return any(
        facts.name(call.func) != "matplotlib.pyplot.colorbar"
        or not isinstance(facts.parent(call), ast.Expr)
        or any(isinstance(node, ast.Call) for each in _given(call) for node in ast.walk(each))
        for call in facts.calls_of(*_LOOKING)
    )


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]
