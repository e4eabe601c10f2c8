"""How a dataset is cut behind its calls, in the layout that they have."""

from __future__ import annotations

from ..syntax import LN, Node, syms, token
from ._expressions import expression, wrap
from ._layout import index_of
from ._width import LIMIT, fold_around, fold_chain, indent_of, links, whole_chain


def cut_pipeline(dataset: LN, code: str) -> None:
    """Put the calls of `code` behind a dataset, in the layout of its chain of calls."""
    made = expression(code).children[1:]
    for trailer in made:
        trailer.remove()
    chain, position = _chain(dataset)
    if chain is None:
        wrap(dataset, code)
        fold_around(dataset)
        return
    whole = whole_chain(chain)
    line = _line_of_its_own(whole)
    for offset, trailer in enumerate(made):
        if line and trailer.children[0].type == token.DOT:
            trailer.prefix = line
        chain.insert_child(position + offset, trailer)
    if line:
        _leave_comment(made, whole)
    else:
        fold_chain(whole)
        fold_around(made[-1])


def _leave_comment(made: list[LN], whole: LN) -> None:
    """A comment at the end of the dataset's line stays there."""
    parts = links(whole)
    number = next(n for n, part in enumerate(parts) if part is made[-1]) + 1
    if number < len(parts):
        prefix = parts[number].prefix
        comment = prefix.partition("\n")[0].rstrip("\r")
        if "#" in comment:
            made[0].prefix = comment + made[0].prefix
            parts[number].prefix = prefix[len(comment) :]


def _chain(dataset: LN) -> tuple[Node | None, int]:
    """The node that holds the trailers behind the dataset, and where the next one goes."""
    if dataset.type == syms.power and dataset.children[0].type != token.AWAIT:
        return dataset, len(dataset.children)
    parent = dataset.parent
    if parent is not None and parent.type == syms.power and dataset.type != token.DOUBLESTAR:
        return parent, index_of(dataset) + 1
    return None, 0


def _line_of_its_own(chain: LN) -> str:
    """What stands before the dots of a chain that has them on lines of their own."""
    for trailer in links(chain)[1:]:
        before, end, indent = trailer.prefix.rpartition("\n")
        if trailer.type == syms.trailer and end:
            return ("\r\n" if before.endswith("\r") else "\n") + str(indent)
    return ""


def broken(line: str, node: LN) -> str:
    """The line as black would break it if it gets too long above the statement of `node`."""
    if len(indent_of(node) + line) <= LIMIT:
        return line
    return line.replace("slice(", "slice(\n    ")[:-1] + "\n)"
