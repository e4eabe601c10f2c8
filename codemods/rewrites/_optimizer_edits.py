"""How an optimizer is wrapped where it is made, shared by the rules that find one.

D104 scales its rate there, D105 and D301 wrap it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..edits import At, Insert, Name, TakeOut
from ..facts.declared import keeps_rate
from ..facts.optimizers.learning_rates import keeps_rates
from ..facts.optimizers.optimizer_makers import gets_name, is_scaled_behind
from ..facts.optimizers.wrapped_optimizers import optimizers_to_wrap, users_schedule
from ..facts.roles import Role
from ..facts.value_parts import bound_to
from ..library.optimizers import LOOKUPS, OPTIMIZERS, rate_of
from ..program.node_fields import within
from ._new_code import added_up, compressed, fresh_for, hvd, scaled, spell

if TYPE_CHECKING:
    from ..facts import Facts
    from ..facts.optimizers.compiles import Named

# Any number: the schedule takes its place in the next line but one.
PLACEHOLDER = "0.001"
WHY = "# a schedule of one's own can't be rebuilt from a config"


def wrapping(facts: Facts, name: str) -> str:
    """The statement that follows the creation: one argument a line, where they are many."""
    if not added_up(facts):
        return f"{name} = {wrapper(facts, name)}\n"
    arguments = (name, *_how(facts))
    lines = "".join(f"    {argument},\n" for argument in arguments)
    return f"{name} = {hvd(facts)}.DistributedOptimizer(\n{lines})\n"


def wrapper(facts: Facts, code: str = "_") -> str:
    """The wrapper around what makes an optimizer."""
    return f"{hvd(facts)}.DistributedOptimizer({', '.join((code, *_how(facts)))})"


def _how(facts: Facts) -> Iterator[str]:
    yield from filter(None, [compressed(facts).lstrip(", ")])
    yield from added_up(facts)


def with_default_rate(facts: Facts, cls: str, compiled: ast.AST) -> str:
    """What makes an optimizer of a class of Keras, with its own rate scaled where steps grow.

    `compiled`: the call that named the class.
    """
    made = spell(facts, f"{OPTIMIZERS}.{cls}")
    if keeps_rates(facts) or keeps_rate(facts, compiled):
        return f"{made}()"
    return f"{made}(learning_rate={scaled(facts, rate_of(cls))})"


def naming(facts: Facts, named: Named, name: str) -> Name:
    """What an argument of `compile` becomes in front of it: as Keras would make it of a text."""
    call, optimizer = named.compiled.call, named.compiled.optimizer
    lines = wrapping(facts, name) if named.wrap else ""
    if named.is_looked_up:
        template = f"{spell(facts, LOOKUPS[0])}(_)" if named.is_text else "_"
        return Name(name, scaled_behind(facts, name, call) + lines, template)
    has_schedule = isinstance(optimizer, ast.Call) and users_schedule(facts, optimizer)
    return Name(name, lines, first=schedule_afterwards(name) if has_schedule else None)


def scaled_behind(facts: Facts, name: str, made: ast.AST) -> str:
    """The statement that scales a rate which nobody sees before the optimizer is there.

    `made`: the call that makes it, or gets it. Empty where the rate is to stay.
    """
    if keeps_rates(facts) or keeps_rate(facts, made):
        return ""
    return f"{name}.learning_rate = {scaled(facts, f'{name}.learning_rate')}\n"


def rates_behind(facts: Facts) -> Iterator[At]:
    """The optimizers that are told their rate in a statement behind what makes them (D104)."""
    for call in facts.creations(Role.OPTIMIZER):
        lines = scaled_behind(facts, bound_to(facts, call) or "", call)
        if lines and is_scaled_behind(facts, call):
            yield At(call, Insert(after=lines))
        elif call not in optimizers_to_wrap(facts):  # else D105 names it
            named = named_for_rate(facts, call, wraps=False)
            yield from [At(call, named)] if named else []


def named_for_rate(facts: Facts, made: ast.Call, wraps: bool) -> Name | None:
    """A name for an optimizer that needs one to be scaled behind it; it is wrapped there, too."""
    name = fresh_for(facts, "optimizer", made) if gets_name(facts, made) else ""
    lines = scaled_behind(facts, name, made) if name else ""
    return Name(name, lines + (wrapping(facts, name) if wraps else "")) if lines else None


def schedule_afterwards(name: str) -> TakeOut:
    """The optimizer is made without its schedule, and gets it once it is wrapped."""
    line = f"{name}.learning_rate = _  {WHY}\n"
    return TakeOut("learning_rate", 0, PLACEHOLDER, line)


def decays(facts: Facts, call: ast.Call) -> bool:
    """Whether its rate is computed in the call: D106 has to find the steps of a decay there."""
    inner = (node for node in within(call) if isinstance(node, ast.Call) and node is not call)
    return any((facts.name(node.func) or "").startswith("tensorflow.") for node in inner)
