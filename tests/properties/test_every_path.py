"""Every binding that some path of a program brings to a use is among the answers of `Order`.

`make test` runs the same 320 programs each time, `make test-nightly` other 10,000 every night.
"""

from __future__ import annotations

import ast
import random
from typing import NamedTuple

import pytest
from hypothesis import settings

from distify.codemods.program.order import Order
from distify.codemods.program.versions import bindings
from properties.every_path import NAMES, every_path
from properties.small_programs import SmallPrograms

IS_NIGHT = bool(settings.default and settings.default.max_examples > 100)
SHARDS, EACH = (8, 1_250) if IS_NIGHT else (1, 320)  # of forty programs the share seen varies much
PATHS = 400

Pair = tuple[ast.AST, "ast.AST | None"]


class Share(NamedTuple):
    """How many answers there were, and how many of them some path really brought."""

    answers: int
    seen: int


def answers(order: Order) -> set[Pair]:
    """Every (use, binding) that `order` says to be possible."""
    return {
        (use, binding.node)
        for use, version in order.reads.items()
        if use.id in NAMES
        for binding in bindings(version)
    }


def check(text: str) -> Share:
    """Compare the answers for a program with what all of its paths see."""
    module = ast.parse(text)
    said = answers(Order(module))
    seen, is_all = every_path(module, PATHS)
    seen = {(use, binding) for use, binding in seen if binding is not None}  # else it raises
    lost = [(use.id, use.lineno, binding.lineno) for use, binding in seen - said]  # type: ignore[attr-defined]
    assert not lost, f"(name, line of its use, line of the binding): {lost} in\n{text}"
    if not is_all:
        return Share(0, 0)
    uses = {use for use, _ in seen}
    said = {(use, binding) for use, binding in said if use in uses and binding is not None}
    return Share(len(said), len(seen))


@pytest.mark.no_cover
@pytest.mark.parametrize("number", range(SHARDS))
def test_every_binding_that_reaches_a_use_is_among_the_answers(number: int) -> None:
    programs = SmallPrograms(random.randrange(2**32) if IS_NIGHT else number)
    shares = [check(programs.text()) for _ in range(EACH)]
    total, seen = sum(s.answers for s in shares), sum(s.seen for s in shares)
    print(f"{seen} of {total} answers were seen")
    assert IS_NIGHT or seen >= 0.6 * total
