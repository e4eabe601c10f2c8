"""What the values of a program are asked for, whichever sources of differences count.

What seeds, which parameters Keras fills, which lists are sorted: each is found once for all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Callable

from ..library import agreement as table
from ..library.horovod_names import MEAN_CALLBACK
from ..library.layers import has_state
from ..library.names import normal
from ..library.seeds import ALL_SEEDED, SEEDS, TORCH
from ..library.waiting_calls import makes_input
from ..program.node_fields import within
from ..program.program import Program
from .keras_calls import handed_to_hooks, handed_to_methods, is_own_model, layer_calls

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_ALL_STREAMS = (*ALL_SEEDED, TORCH)


class Grounds:
    """What is asked for of one program; ask `program.once(Grounds)` for them."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.nodes = [node for tree in program.modules.values() for node in within(tree)]
        self.calls = [node for node in self.nodes if isinstance(node, ast.Call)]

    @cached_property
    def seedings(self) -> dict[ast.Call, list[str]]:
        """The calls that seed, with the streams whose draws they make alike."""
        found = ((call, list(self._seeded(call))) for call in self.calls if self._is_seeding(call))
        return dict(found)

    def _is_seeding(self, call: ast.Call) -> bool:
        """Whether it seeds; what is called so outside of the project may know its number itself."""
        names = [normal(name) for name in self._program.names(call.func)]
        if not call.args and not call.keywords:
            names = [name for name in names if name not in SEEDS and _says_to_seed(name)]
        return any(map(_seeded_by, names))

    def _seeded(self, call: ast.Call) -> Iterator[str]:
        for name in self._program.names(call.func):
            yield from _seeded_by(normal(name))

    @cached_property
    def homes(self) -> dict[ast.AST, Any]:
        """The function around each node of one."""
        # The outer ones come first.
        functions = (node for node in self.nodes if isinstance(node, _FUNCTIONS))
        return {inside: node for node in functions for inside in within(node) if inside is not node}

    @cached_property
    def hooks(self) -> dict[ast.AST, str]:
        """The parameters of what Keras calls while it trains, with the name by which it does."""
        return dict(handed_to_hooks(self.nodes))

    @cached_property
    def methods(self) -> dict[ast.AST, str]:
        """The same of all methods that outside code calls."""
        return {**self.hooks, **dict(handed_to_methods(self._program, self.nodes))}

    @cached_property
    def layer_calls(self) -> list[tuple[ast.arg, ast.expr]]:
        """The parameters of layers that Keras runs, with what they are given."""
        return list(layer_calls(self._program, self.calls))

    @cached_property
    def is_averaged(self) -> bool:
        """Whether a callback averages what metrics say of an epoch."""
        names = (name for call in self.calls for name in self._program.names(call.func))
        return any(name.endswith(MEAN_CALLBACK) for name in names)

    @cached_property
    def sorted(self) -> frozenset[ast.AST]:
        """What makes the lists that are sorted in their place."""
        funcs = (call.func for call in self.calls if isinstance(call.func, ast.Attribute))
        lists = (func.value for func in funcs if func.attr == "sort")
        return frozenset(node for each in lists for node in self._program.origins(each).nodes)

    # -- models that are asked ------------------------------------------------------------------

    @cached_property
    def is_input(self) -> Callable[[ast.AST | int], bool]:
        """Whether something comes of an input of a model that is built."""
        return self._program.sought(self._makes_input)

    def _makes_input(self, node: ast.AST) -> bool:
        names = self._program.names(node.func) if isinstance(node, ast.Call) else ()
        return any(map(makes_input, names))

    @cached_property
    def has_state(self) -> Callable[[ast.AST | int], bool]:
        """Whether a model has a layer that answers by what it has seen, or by chance."""
        return self._program.sought(self._makes_state)

    def _makes_state(self, node: ast.AST) -> bool:
        names = self._program.names(node.func) if isinstance(node, ast.Call) else ()
        is_own = isinstance(node, ast.Call) and bool(self._program.classes(node.func).nodes)
        is_given = is_own_model(node) and not self.is_made(node)  # whatever is in it
        return is_own or is_given or any(map(has_state, names))

    def is_made(self, model: ast.AST) -> bool:
        """Whether the program makes a model, wherever it may come from."""
        made = self._program.origins(model)
        return made.complete and all(isinstance(node, ast.Call) for node in made.nodes)


def _seeded_by(name: str) -> tuple[str, ...]:
    """The streams that a function seeds; what is called so outside of the project seeds all."""
    if name in SEEDS or table.gives(name) is not None:
        return SEEDS.get(name, ())
    return _ALL_STREAMS if "seed" in name.rpartition(".")[2].lower() else ()


def _says_to_seed(name: str) -> bool:
    """`seed_everything()` of another module, and not `torch.initial_seed()`."""
    return name.rpartition(".")[2].lower().startswith(("seed", "set", "fix"))
