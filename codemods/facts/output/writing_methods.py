"""Methods that write a file by the role of what has them, however they are spelled."""

from __future__ import annotations

import ast

from ...library.files import WRITING_METHODS, writes_by_role
from ..facts import Facts, recorded
from ..roles import Role, word_of
from ..taken_methods import taken_methods
from ..training.pattern import training_of


def writes_by(owner: Role | None, method: str) -> bool:
    """Whether a method of what has that role writes."""
    return owner is not None and writes_by_role(word_of(owner), method)


@recorded
def taken_writes(facts: Facts) -> frozenset[ast.expr]:
    """`save = model.save`: where a method that writes is taken as a value."""
    found = (t for t in taken_methods(facts, WRITING_METHODS) if t.owner is not None)
    return frozenset(
        use for use, method, owner in found if owner and writes_by(role(facts, owner), method)
    )


def is_taken(facts: Facts, func: ast.expr) -> bool:
    """Whether what is called is such a method, under another name."""
    taken = taken_writes(facts)
    found = facts.origins(func) if taken else None
    return found is not None and found.complete and taken.issuperset(i.node for i in found.items)


def role(facts: Facts, receiver: ast.expr) -> Role | None:
    """The role of a receiver; `self` in a model and `self.model` in a callback are models."""
    found = facts.role(receiver)
    if found is not None:
        return found
    if training_of(facts).is_model(receiver) or _is_layer(facts, receiver):
        return Role.MODEL
    owner = (
        facts.classes.self_class(receiver.value) if isinstance(receiver, ast.Attribute) else None
    )
    if owner is not None and isinstance(receiver, ast.Attribute) and receiver.attr == "model":
        return Role.MODEL if facts.role_of_class(owner) is Role.CALLBACK else None
    return None


def _is_layer(facts: Facts, receiver: ast.expr) -> bool:
    """`model.get_layer("decoder")`: of the layers of a model, only models can be saved."""
    made = facts.origins(receiver).nodes
    gets = [n.func for n in made if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    return 0 < len(gets) == len(made) and all(
        func.attr == "get_layer" and role(facts, func.value) is Role.MODEL for func in gets
    )
