"""Elements of lists, in the layout of the list."""

from __future__ import annotations

from ..syntax import LN, Leaf, Node, syms, token
from .expression_edits import HOLE, expression, fill
from .hoists import hoist
from .kinds import Hoist, Spread
from .layout import newline, statement_around, substitute, unit
from .limit import limit
from .lines import begin_of


def spread(element: LN, edit: Spread) -> None:
    """`X` becomes what the template says, `*(…)`, in its list."""
    if edit.name and _would_sprawl(element, edit.template):
        element = hoist(element, Hoist(edit.name))
    while element.parent.type == syms.atom and element.parent.children[0].type == token.LPAR:
        element = element.parent
    made = expression(f"[{edit.template}]").children[1]
    made.remove()
    made.prefix, element.prefix = element.prefix, ""
    substitute(element, made)
    substitute(next(leaf for leaf in made.leaves() if leaf.value == HOLE), element)
    _join(made, element)


def _would_sprawl(element: LN, template: str) -> bool:
    """Whether it has several lines, or gets them where what it becomes is too long for one."""
    text, begin = str(element)[len(element.prefix) :], begin_of(element)
    is_first = begin.column == begin.indent
    indent = begin.indent + (0 if is_first else len(unit(statement_around(element))))
    return "\n" in text or indent + len(fill(template, text) + ",") > limit(element)


def _join(made: LN, element: LN) -> None:
    """Move the element to the one before if that is spread alike: one condition for both."""
    comma = made.prev_sibling
    before = None if comma is None else comma.prev_sibling
    if before is None or _frame(before) is None or _frame(before) != _frame(made):
        return
    if "#" in comma.prefix + made.prefix:
        return  # a comment stays where it is
    items = _items(_display(before))
    element.remove()
    element.prefix = " "
    items.append_child(Leaf(token.COMMA, ","))
    items.append_child(element)
    comma.remove()
    made.remove()


def _frame(spread: LN) -> list[str] | None:
    """What stands around the elements in `*([a, b] if condition else [])`; None for all else."""
    display = _display(spread)
    if display is None or spread.type != syms.star_expr or display.children[1].type == token.RSQB:
        return None
    frame, waiting = [], [spread]
    while waiting:
        node = waiting.pop()
        parts = node.children if node is not display else [node.children[0], node.children[-1]]
        waiting.extend(reversed(parts))
        frame += [] if parts else [node.value]
    return frame


def _display(spread: LN) -> LN | None:
    """The first list in it."""
    lists = (n for n in spread.pre_order() if n.type == syms.atom and n.children[0].value == "[")
    return next(lists, None)


def prepend(display: LN, elements: str) -> list[LN]:
    """Put elements first in a list (or tuple) display; gives those that have lines of their own."""
    made = expression(f"[{elements}]").children[1]
    inside = display.children[1:-1]
    if not inside:
        display.insert_child(1, made)
        return []
    items = _items(display)
    first = items.children[0]
    new = list(made.children) if made.type == syms.listmaker else [made]
    for child in new:
        child.remove()
    line = newline(display)
    opening, line, comments = first.prefix.partition(line)
    indent = line + comments.rpartition(line)[2] if line else _between(items, newline(display))
    for child in reversed([*new, Leaf(token.COMMA, ",")]):
        items.insert_child(0, child)
    for child in new:
        child.prefix = "" if child.type == token.COMMA else indent
    new[0].prefix = opening + indent if line else opening
    first.prefix = line + comments or indent
    return [child for child in new if child.type != token.COMMA] if line else []


def _between(items: Node, end: str) -> str:
    """What stands before a further item of a list that begins behind its bracket."""
    further = items.children[2].prefix if len(items.children) > 2 else ""
    _, line, indent = further.rpartition(end)
    return line + indent if line else " "


def _items(display: LN) -> Node:
    """The list of items, made if there is only one."""
    inside = display.children[1]
    if inside.type in (syms.listmaker, syms.testlist_gexp):
        return inside
    inside.remove()
    items = Node(syms.listmaker, [inside])
    display.insert_child(1, items)
    return items
