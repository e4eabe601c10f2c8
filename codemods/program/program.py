"""A project's values: build the graph from texts or trees, then ask."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Callable, TypeVar, Union

from .arrivals import Arrivals
from .core import NO_LIBRARY, Questions
from .creations import Creations
from .definition_rows import DEFINITIONS
from .domain import Domain
from .edges import VALUE, Edge
from .engine import Engine
from .following import follow
from .found import Found as Found
from .found import found
from .ingredients import Ingredients, Until
from .once import Once
from .order import Order
from .origins import Origin
from .rows import Rows
from .sizes import rounds
from .solver import Solver
from .sought import NOTHING, Behind, Sought, Test
from .sources import AnyFunction, Source, folders
from .things import Bound, Class, Function, Instance, Library, Thing
from .value_rows import EXPRESSIONS
from .versions import Path

V = TypeVar("V")
Expression = Union[ast.AST, int]


class Program:
    """The values of a project.

    `modules`: each by its dotted name (`pack.__init__` for a package), as its text, its tree, or
    the order of its bindings where that is known already;
    `questions`: what a library knows; `budget`: TooLarge is raised after so many steps.
    """

    def __init__(
        self,
        modules: Mapping[str, str | ast.Module | Order],
        questions: Questions = NO_LIBRARY,
        budget: int | None = None,
    ) -> None:
        sources = [Source(name, module) for name, module in modules.items()]
        self.modules = {name: source.node for name, source in zip(modules, sources)}
        self._engine = Engine([*sources, *folders(sources)], questions, budget)
        self._graph = self._engine.core
        self._functions: dict[ast.AST, Function] = {}
        self._ingredients = Ingredients(self._engine.core)
        self._origins: dict[ast.AST, Creations] = {}
        self._solvers: dict[Domain[Any], Solver[Any]] = {}
        self.once = Once(self, self._graph)
        self._build(sources)

    def _build(self, sources: Collection[Source]) -> None:
        for source in sources:
            rows = Rows(self._engine, source)
            rows.walk({**EXPRESSIONS, **DEFINITIONS})
            self._functions.update(rows.functions)
        self._engine.solve()

    def close(self) -> None:
        """Forgets everything: what holds each other would wait for a search for circles."""
        self._graph.end()
        vars(self._graph).clear()
        vars(self).clear()

    def begin_anew(self) -> None:
        """Let what is asked from now on take as many steps as all that was asked so far."""
        self._graph.begin_anew()

    @property
    def steps(self) -> int:
        """How much was done so far: edges, arrivals of things, evaluations; and in `order`."""
        modules = self._engine.modules.of.values()
        return self._graph.steps + sum(m.source.order.steps for m in modules)

    @property
    def size(self) -> int:
        """The number of nodes so far; each number below it is one."""
        return len(self._graph.keys)

    def _node(self, expr: Expression) -> int:
        return expr if isinstance(expr, int) else self._graph.node(expr)

    def value(self, domain: Domain[V], expr: Expression) -> V:
        """The value of an expression in a domain; unknown where nothing is known to get there."""
        solver: Solver[V] = self._solvers.get(domain) or Solver(self._graph, domain)
        self._solvers[domain] = solver
        return solver.value(self._node(expr))

    def rounds(self, iterable: ast.expr) -> int:
        """The node of how often a loop, or a comprehension, over this runs."""
        return rounds(self._graph, iterable)

    def follow(
        self,
        expr: Expression,
        through: Edge = VALUE,
        until: Callable[[object], bool] | None = None,
    ) -> list[int]:
        """The nodes from which a value comes along edges of these labels.

        A node that computes a value of its own counts, and one for which `until` says yes of its
        key (the syntax that it stands for) ends the way there.
        """
        return follow(self._graph, self._node(expr), through._value_, until)

    def is_handed_out(self, function: AnyFunction) -> bool:
        """Whether code outside of the project may call a function, and gets what it gives."""
        return function in self._functions and self._functions[function].is_given_away

    @property
    def taken(self) -> tuple[int, ...]:
        """The nodes whose values code outside of the project gets to see, by calls and stores."""
        return tuple(self._graph.taken)

    def key(self, n: int) -> object:
        """What a node stands for: syntax, a version of a variable, a part of a thing."""
        return self._graph.keys[n]

    def created(self, n: int) -> tuple[Origin, ...]:
        """What a node computes by itself."""
        return tuple(self._graph.origins[n] or ())

    def things(self, expr: Expression) -> tuple[Thing, ...]:
        """The functions, classes, containers … that an expression may be."""
        return tuple(self._graph.things[self._node(expr)])

    def origins(self, expr: ast.AST) -> Creations:
        """Where the value of an expression is created, and what of it nobody can follow."""
        if expr not in self._origins:
            self._origins[expr] = Creations(self._graph, expr)
        return self._origins[expr]

    def ingredients(self, expr: Expression, until: Until = None) -> Iterator[ast.AST]:
        """The parts of an expression and of what flows into it, each once."""
        return self._ingredients.told(self._node(expr), until)

    def ingredients_of(self, exprs: Iterable[Expression], until: Until = None) -> Iterator[ast.AST]:
        """The same of several expressions: each part once, whatever it is a part of."""
        return self._ingredients.of(map(self._node, exprs), until, with_parts=True)

    def further(self, until: Until = None) -> Callable[[Expression], Iterator[ast.AST]]:
        """Asks of one expression after another: the ingredients that none before it has had."""
        seen = set[int]()
        return lambda expr: self._ingredients.of([self._node(expr)], until, True, seen)

    def sought(
        self, test: Test, until: Until = None, behind: Behind = NOTHING
    ) -> Callable[[Expression], bool]:
        """Asks of expressions, which may be many: has one an ingredient of such syntax?"""
        found = Sought(self._graph, self._ingredients.links, test, until, behind).value
        return lambda expr: found(self._node(expr))

    def arrivals(self, test: Test) -> Callable[[Expression], list[ast.AST]]:
        """Asks of expressions, sooner than `origins`: which of the nodes there are such syntax?"""
        return Arrivals(self._graph, test).at

    def puts(self, expr: ast.AST) -> Sequence[int]:
        """What is put into an object of outside code that an expression creates."""
        return self._ingredients.puts(self._graph.node(expr))

    def sources(self, expr: ast.AST, path: Path, until: Until = None) -> Iterator[ast.AST]:
        """The syntax that the part of a value at `path` is computed from, each once."""
        return self._ingredients.of([self._ingredients.part(self._node(expr), path)], until)

    def functions(self, expr: Expression) -> Found:
        """The functions of the project that an expression may be, or a call runs by its `func`."""
        things = self.things(expr)
        return found([t.function if isinstance(t, Bound) else t for t in things], Function)

    def instances(self, expr: Expression) -> Found:
        """The classes of the project whose instance an expression may be."""
        things = self.things(expr)
        return found([t.cls if isinstance(t, Instance) else None for t in things], Class)

    def classes(self, expr: Expression) -> Found:
        """The classes of the project that an expression may be."""
        return found(self.things(expr), Class)

    def names(self, expr: Expression) -> tuple[str, ...]:
        """The full names of the outside things that an expression may be."""
        return tuple([t.name for t in self.things(expr) if isinstance(t, Library)])

    def function(self, node: AnyFunction) -> Function:
        """A function as a thing: what runs it, and whether outside code may."""
        return self._functions[node]

    def call_sites(self, function: AnyFunction) -> Found:
        """The calls that run a function; not complete if outside code may call it too."""
        thing = self._functions[function]
        nodes = dict.fromkeys(node for node in thing.calls.values() if node is not None)
        is_open = thing.is_given_away or thing.is_started
        return Found(tuple(nodes), bool(nodes) and not is_open)
