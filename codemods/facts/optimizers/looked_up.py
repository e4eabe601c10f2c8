"""Optimizers that a text names at run time: their class, and the rate that it has by itself.

`optimizers.get(args.optimizer)`, `getattr(optimizers, name)(**options)`, `compile(args.optimizer)`:
what is made has the same attribute for its rate, whichever class it is.
"""

from __future__ import annotations

import ast

from ...library.optimizers import OPTIMIZERS, is_lookup
from ..agreement_domain import AGREES, Agreement
from ..by_rank import depends_on_size
from ..facts import Facts
from ..naming import bound_to
from ..roles import Role
from .optimizer_makers import innermost
from .rate_arguments import given_rate, of_optimizer
from .rate_flow import is_relative
from .rate_stores import rate_stores

_PARTS = (ast.Attribute, ast.Subscript, ast.arg)
_SETTINGS = (Agreement.SAME, Agreement.UNLESS_RAISED, Agreement.READ)


def is_looked_up(facts: Facts, made: ast.AST) -> bool:
    """Whether a call makes an optimizer whose rate nobody sees before it is there."""
    if not isinstance(made, ast.Call) or facts.made_by(made) is not Role.OPTIMIZER:
        return False
    if is_lookup(facts.name(made.func) or ""):
        return all(_is_setting(facts, value) for value in _given(made))
    if facts.choice(made) and not any(True for _ in of_optimizer(facts, made)):
        return True
    return _hides_rate(facts, made)


def _hides_rate(facts: Facts, made: ast.Call) -> bool:
    """`Adam(**options)`: a number may be in there, and a schedule nowhere in the program."""
    if not facts.has_hidden_arguments(made) or facts.classes.local(made.func) is not None:
        return False
    is_of_keras = (facts.kind(made) or "").startswith(f"{OPTIMIZERS}.")
    given = [given_rate(facts, made, argument) for _, argument in of_optimizer(facts, made)]
    is_seen = any(value is not None for value in given)
    is_number = is_of_keras and not is_seen and not any(facts.creations(Role.SCHEDULE))
    return is_number and all(_is_setting(facts, value) for value in _given(made))


def _given(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]


def _is_setting(facts: Facts, value: ast.expr) -> bool:
    """Whether all workers have the same numbers and texts there, and no object of other code."""
    is_own = Role.OPTIMIZER in facts.roles(value)
    return not is_own and facts.program.value(AGREES, value) in _SETTINGS


def has_name(facts: Facts, made: ast.AST) -> bool:
    """Whether a statement keeps it under a name, by which its rate can be set behind that."""
    return is_looked_up(facts, made) and bound_to(facts, made) is not None  # type: ignore[arg-type]


def gets_name(facts: Facts, made: ast.AST) -> bool:
    """Whether a function gives it back at once: it gets a name, and is set behind that."""
    return isinstance(facts.parent(made), ast.Return) and is_looked_up(facts, made)


def is_scaled_behind(facts: Facts, made: ast.AST) -> bool:
    """Whether its rate is to be set there, as nothing does yet."""
    if not has_name(facts, made) or _is_set_next(facts, made):
        return False
    return not any(
        made in innermost(facts, place.value)
        for place, value in rate_stores(facts)
        if isinstance(place, ast.Attribute) and value is not None and depends_on_size(facts, value)
    )


def _is_set_next(facts: Facts, made: ast.AST) -> bool:
    """Whether the next statement gives it another rate anyway."""
    statement = facts.statement(made)
    body = getattr(facts.parent(statement), "body", [])
    index = body.index(statement) + 1 if statement in body else len(body)
    stores = [(place, value) for place, value in rate_stores(facts) if value is not None]
    following = [facts.statement(place) for place, value in stores if not is_relative(facts, value)]
    return index < len(body) and body[index] in following


def is_text(facts: Facts, given: ast.expr) -> bool:
    """Whether all workers get the same text, from the program, its options or a file.

    An object that other code has made may be distributed already.
    """
    made = facts.origins(given)
    nodes = [*(item.node for item in made.items), *made.unknown]
    plain = [n for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    parts = [n for n in nodes if isinstance(n, _PARTS)]
    is_all = bool(nodes) and len(plain) + len(parts) == len(nodes)
    return is_all and _is_setting(facts, given)
