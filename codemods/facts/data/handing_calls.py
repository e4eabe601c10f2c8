"""Which calls of the program hand out what a step is fed: `data.next_batch(32)`, `batch_iter(x)`.

The engine joins all calls of a function; here each is gone back by itself, so that the examples of
training and those of a test keep apart, though one class hands out both.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from ...program.node_fields import children
from ...program.records import NamedTuple
from ..facts import Facts
from ..functions import is_generator, returns
from ..passed_arguments import passed
from ..reaching import reaching
from ..scopes import Binding, Function
from ..training.training_loops import trains
from .sizes import is_size

Calls = tuple[ast.Call, ...]  # by which a function was come to, the last call last
_MOST_CALLS = 4
_FLOWING = ("assign", "aug", "for", "with")


class Handing(NamedTuple):
    """The call that makes what hands out batches, or hands them out itself, and by what.

    None: a loop goes through `zip(x, y)`, example by example.
    """

    made: ast.Call
    gives: Function | None


class Fed(NamedTuple):
    """What hands out that which a run is fed, each once, and the parts that are taken of values."""

    handings: tuple[Handing, ...]
    parts: tuple[ast.Subscript, ...]


def handing(facts: Facts, fed: ast.expr) -> Fed:
    """What is behind the values that a run is fed."""
    ways = _Ways(facts)
    ways.behind(fed, ())
    return Fed(tuple(ways.found), tuple(ways.parts))


class _Ways:
    """The ways back from one expression, by names, loops, parameters and results."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.found: dict[Handing, None] = {}
        self.parts: list[ast.Subscript] = []
        self._seen: set[tuple[ast.AST, Calls]] = set()

    def behind(self, expr: ast.AST, calls: Calls) -> None:
        """Go back from all that stands in an expression."""
        if (expr, calls) in self._seen or is_size(self._facts, expr):
            return
        self._seen.add((expr, calls))
        if isinstance(expr, ast.Call) and self._is_followed(expr, calls):
            return
        if isinstance(expr, ast.Subscript):
            self.parts.append(expr)
        if isinstance(expr, ast.Name) and isinstance(expr.ctx, ast.Load):
            for value, around in self._values(expr, calls):
                self.behind(value, around)
        for part in expr.values if isinstance(expr, ast.Dict) else children(expr):
            self.behind(part, calls)

    def _values(self, name: ast.Name, calls: Calls) -> Iterator[tuple[ast.AST, Calls]]:
        for binding in reaching(self._facts, name):
            if isinstance(binding.node, ast.arg):
                yield from self._passed(binding.node, calls)
            elif self._is_gone_through(binding):
                continue
            elif binding.kind in _FLOWING and binding.value is not None:
                yield binding.value, calls

    def _is_gone_through(self, binding: Binding) -> bool:
        """Whether a loop that trains binds it to what `zip(x, y)` gives, also by `enumerate`."""
        over = binding.value if isinstance(binding.node, ast.For) else None
        if isinstance(over, ast.Call) and self._facts.name(over.func) == "builtins.enumerate":
            over = over.args[0] if over.args else None
        is_zip = isinstance(over, ast.Call) and self._facts.name(over.func) == "builtins.zip"
        if is_zip and trains(self._facts, binding.node):
            self.found[Handing(over, None)] = None  # type: ignore[arg-type]
            return True
        return False

    def _passed(self, arg: ast.arg, calls: Calls) -> Iterator[tuple[ast.AST, Calls]]:
        facts = self._facts
        function = facts.parent(facts.parent(arg) or arg)
        if function is None or isinstance(function, ast.Lambda):
            return
        is_known = bool(calls) and facts.callee(calls[-1]) is function
        sites = calls[-1:] if is_known else tuple(facts.call_sites(function))
        for site in sites:
            value = passed(site, function, arg, facts.classes)
            if value is not None:
                yield value, calls[:-1] if is_known else ()

    def _is_followed(self, call: ast.Call, calls: Calls) -> bool:
        """Whether what a call gives is gone back from: a function of the program gives it."""
        function = self._facts.callee(call)
        if function is None or len(calls) == _MOST_CALLS:
            return False
        receiver = self._receiver(call, function)
        if receiver is not None:
            made = self._made(receiver, calls)
            self.found.update((Handing(each, function), None) for each in made)
        elif is_generator(function):
            self.found[Handing(call, function)] = None
        else:
            for given in returns(function):
                self.behind(given, (*calls, call))
        return True

    def _receiver(self, call: ast.Call, function: Function) -> ast.expr | None:
        """The object that hands out; a method of the one that trains is a function like others."""
        is_method = self._facts.classes.method_of(function) is not None
        if not is_method or not isinstance(call.func, ast.Attribute):
            return None
        receiver = call.func.value
        return None if self._facts.classes.self_class(receiver) is not None else receiver

    def _made(self, receiver: ast.expr, calls: Calls) -> list[ast.Call]:
        """The calls that make an object, by the calls that hand it on where it is a parameter."""
        if isinstance(receiver, ast.Name):
            ways = list(self._values(receiver, calls))
            if any(around != calls for _, around in ways):
                return [each for value, around in ways for each in self._of(value, around)]
        found = self._facts.origins(receiver).nodes
        return [node for node in found if isinstance(node, ast.Call)]

    def _of(self, value: ast.AST, calls: Calls) -> list[ast.Call]:
        return self._made(value, calls) if isinstance(value, ast.expr) else []
