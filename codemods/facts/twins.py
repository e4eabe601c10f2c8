"""Functions of one name, of which a call means the last one that was made."""

from __future__ import annotations

from .facts import Facts
from .scopes import Function, FunctionNode


def called_instead(facts: Facts, function: Function) -> Function | None:
    """The function that is called by the name of this one, which nothing calls then."""
    called = [facts.origins(call.func).nodes for call in facts.call_sites(function)]
    found = [node for nodes in called for node in nodes if isinstance(node, FunctionNode)]
    return found[0] if found and function not in found else None
