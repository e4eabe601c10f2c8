"""Examples that a program reads one after another, by a place that it moves on itself.

`buffer.append(data[place])`, `place = (place + 1) % len(data)`: all workers read the same ones,
also where one of these is picked by chance then, as the word that a word in the middle goes with.
"""

from __future__ import annotations

import ast

from ..facts import Facts


def is_sliding_window(facts: Facts, holder: ast.expr) -> bool:
    """Whether what examples are picked from is filled with such as stand at a moving place."""
    parts = (n for n in facts.program.ingredients(holder) if isinstance(n, ast.Subscript))
    return any(_moves_on(facts, part.slice) for part in parts if isinstance(part.ctx, ast.Load))


def _moves_on(facts: Facts, place: ast.expr) -> bool:
    """Whether a number is reckoned from what it was before."""
    sums = (n for n in facts.program.ingredients(place) if isinstance(n, ast.BinOp))
    return any(each in facts.program.ingredients(each.left) for each in sums)
