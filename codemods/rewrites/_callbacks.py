"""How the callbacks of a migrated `fit` are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..facts.callback_lists import Form
from ..syntax import LN, Leaf, Node, syms, token
from ._arguments import argument, set_argument
from ._expressions import expression, replace_expression, wrap
from ._guards import guard
from ._layout import newline
from ._width import fold_around, is_on_one_line

if TYPE_CHECKING:
    from .d302_fit_callbacks import Fit, Writer

OURS = (
    "{hvd}.callbacks.BroadcastGlobalVariablesCallback(0), {hvd}.callbacks.MetricAverageCallback()"
)
KEPT = "*([_] if {hvd}.rank() == 0 else [])"
# A name that may hold None, or a list that nobody can see: decided when the program runs.
FILTER = (
    "[{ours}, *(callback for callback in _ or [] "
    "if {hvd}.rank() == 0 or not isinstance(callback, ({writers})))]"
)
TEMPLATES = {
    Form.MISSING: "[{ours}]",
    Form.SINGLE: "[{ours}, _]",
    Form.WRITER: "[{ours}, " + KEPT + "]",
    Form.NAMED: "[{ours}, *_]",
    Form.FILTERED: FILTER,
}
_STATEMENTS = frozenset((syms.simple_stmt, syms.suite, syms.file_input))


def keep_for_rank_zero(place: LN, writer: Writer) -> None:
    """Let only rank 0 have a callback, or run the statement that adds one."""
    if place.parent is not None and place.parent.type in _STATEMENTS:
        guard([place], f"{writer.hvd}.rank() == 0")
        return
    _spread(place, writer.hvd)
    if not (writer.is_inline and is_on_one_line(place)):
        fold_around(place)


def _spread(element: LN, hvd: str) -> None:
    """`X` becomes `*([X] if hvd.rank() == 0 else [])` in its list."""
    while element.parent.type == syms.atom and element.parent.children[0].type == token.LPAR:
        element = element.parent
    made = expression(f"[{KEPT.format(hvd=hvd)}]").children[1]
    made.remove()
    made.prefix, element.prefix = element.prefix, ""
    element.replace(made)
    next(leaf for leaf in made.leaves() if leaf.value == "_").replace(element)


def prepend(display: LN, elements: str) -> None:
    """Put elements first in a list (or tuple) display, in its own layout."""
    made = expression(f"[{elements}]").children[1]
    inside = display.children[1:-1]
    if not inside:
        display.insert_child(1, made)
        return
    items = _items(display)
    first = items.children[0]
    new = list(made.children)
    for child in new:
        child.remove()
    line = newline(display)
    opening, line, comments = first.prefix.partition(line)
    indent = line + comments.rpartition(line)[2] if line else " "
    for child in reversed([*new, Leaf(token.COMMA, ",")]):
        items.insert_child(0, child)
    for child in new:
        child.prefix = "" if child.type == token.COMMA else indent
    new[0].prefix = opening + indent if line else opening
    first.prefix = line + comments or " "


def _items(display: LN) -> Node:
    """The list of items, made if there is only one."""
    inside = display.children[1]
    if inside.type in (syms.listmaker, syms.testlist_gexp):
        return inside
    inside.remove()
    items = Node(syms.listmaker, [inside])
    display.insert_child(1, items)
    return items


def set_callbacks(call: LN, fit: Fit) -> None:
    """Horovod's callbacks first: the metrics are averaged before any of the others reads them."""
    ours = OURS.format(hvd=fit.hvd)
    value = argument(call, "callbacks", fit.callbacks)
    if fit.form is Form.DISPLAY:
        prepend(value, ours)
        return
    code = TEMPLATES[fit.form].format(ours=ours, hvd=fit.hvd, writers=fit.writers)
    if value is None:
        set_argument(call, "callbacks", code)
    elif fit.form is Form.MISSING:
        replace_expression(value, code)
    else:
        wrap(value, code)
