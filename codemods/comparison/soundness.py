"""Promises 1 and 2, checked on texts and abstract trees only, whatever the edits believe they did.

A statement of the original is *touched* if a place stands in it. Every other statement must occur
in the result, in order, in the same block, with the same meaning, and its lines with the same
bytes. What the result has beyond that must stand beside a touched statement or in a block whose
owner is a place.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence

from ..model import UnsoundResult
from ..program.node_fields import within
from ..program.scope import BUILTINS
from ..syntax import Source
from .same_lines import compare_lines
from .same_order import Unsound
from .same_trees import Comparison


def check(
    before: Source,
    steps: Sequence[tuple[str, str, Iterable[ast.AST]]],
    parents: Mapping[ast.AST, ast.AST],
    name: str,
    commented: Collection[ast.AST] = (),
) -> None:
    """Check the texts after each rule (code, text, places); raises UnsoundResult.

    What is `commented` may take the comments right above along.

    Every text must be a program; the comparison is made with the last one, and with each in turn
    only to name the rule that did it.
    """
    for code, text, _ in steps:
        _refuse_no_program(code, text, name)
    places = [set(places) for _, _, places in steps]
    last, text, _ = steps[-1]
    try:
        compare(before, Source(text), set().union(*places), parents, commented)
    except Unsound as unsound:
        for index, (code, text, _) in enumerate(steps):
            upto = set().union(*places[: index + 1])
            try:
                compare(before, Source(text), upto, parents, commented)
            except Unsound as first:
                raise UnsoundResult(code, first.line, first.message) from None
        raise UnsoundResult(last, unsound.line, unsound.message) from None


def _refuse_no_program(code: str, text: str, name: str) -> None:
    """Compiled, not only parsed: a second `global` is an error that no parser sees."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(text.lstrip("\ufeff"), name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        raise UnsoundResult(code, line, f"the result is no valid program: {error}") from error


def compare(
    before: Source,
    after: Source,
    places: set[ast.AST],
    parents: Mapping[ast.AST, ast.AST],
    commented: Collection[ast.AST] = (),
) -> None:
    """Raises Unsound unless the result differs from the original at these places only."""
    unbound = _unbound(after.module) - _unbound(before.module)
    if unbound:
        raise Unsound(1, f"nothing binds {', '.join(sorted(unbound))}")
    comparison = Comparison(places, parents)
    comparison.block(before.module, before.module.body, after.module.body)
    compare_lines(before, after, comparison, commented)


def _unbound(module: ast.Module) -> set[str]:
    """Names that are read in a module and bound nowhere in it, in whatever scope."""
    read: set[str] = set()
    bound = set(BUILTINS)
    for node in within(module):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
        elif not isinstance(node, ast.keyword):  # definitions, parameters, `except … as`, patterns
            bound |= {getattr(node, field, None) or "" for field in ("arg", "name", "rest")}
    return read - bound
