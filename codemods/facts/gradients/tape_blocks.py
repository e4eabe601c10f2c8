"""Which `with` a tape comes from, and where else it is asked for gradients."""

from __future__ import annotations

import ast
from typing import Optional, Union

from ..facts import Facts
from ..flow import GRADIENT
from ..reaching import reaching
from ..scopes import Binding, Function

With = Union[ast.With, ast.AsyncWith]
Home = Optional[tuple[Optional[Function]]]


class TapeBlocks:
    """The blocks that bind the names of tapes; each name is looked up once."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._homes: dict[int, Home] = {}  # by the id of the bindings
        self._asked: dict[str, dict[ast.AST, list[tuple[ast.Name, ast.Call]]]] = {}

    def before(self, tape: ast.expr) -> With | None:
        """The one `with … as tape` whose tape it is, in the same function."""
        found = self.seen_by(tape)
        return found[0] if len(found) == 1 else None

    def seen_by(self, tape: ast.expr) -> list[With]:
        """Every block whose tape it may be; none if something else binds the name anywhere."""
        if not isinstance(tape, ast.Name):
            return []
        bindings = self._facts.names.bindings(tape)
        if id(bindings) not in self._homes:
            self._homes[id(bindings)] = self._home(bindings)
        if self._homes[id(bindings)] != (self._facts.function(tape),):
            return []
        found = (binding.node for binding in reaching(self._facts, tape))
        return [node for node in found if isinstance(node, (ast.With, ast.AsyncWith))]

    def _home(self, bindings: list[Binding]) -> Home:
        """The function of all the blocks; None where something else binds the name.

        `del tape` only says that it is asked no more.
        """
        bindings = [binding for binding in bindings if not _deletes(binding.node)]
        functions = [self._facts.function(binding.node) for binding in bindings]
        is_with = all(binding.kind == "with" for binding in bindings)
        is_one = bool(bindings) and all(function is functions[0] for function in functions)
        return (functions[0],) if is_with and is_one else None

    def asked(self, name: str, block: With) -> list[tuple[ast.Name, ast.Call]]:
        """The uses of the name behind or in the block that ask for gradients, with their calls."""
        if name not in self._asked:
            found = self._asked[name] = {}
            for use in self._facts.index.loads.get(name, []):
                call = self._gradient(use)
                if isinstance(use, ast.Name) and call is not None:
                    for place in self.seen_by(use):
                        found.setdefault(place, []).append((use, call))
        return self._asked[name].get(block, [])

    def _gradient(self, use: ast.AST) -> ast.Call | None:
        """The call of one of the gradient methods at this use of a tape."""
        attribute = self._facts.parent(use)
        if isinstance(attribute, ast.Attribute) and attribute.attr in GRADIENT:
            call = self._facts.parent(attribute)
            return call if isinstance(call, ast.Call) else None
        return None


def _deletes(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)
