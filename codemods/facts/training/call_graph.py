"""Which functions run when another one runs, or the module itself."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Callable

from ...library.effects import ADDS_COMMANDS, chooses, registers, starts_main
from ...program.node_fields import within
from ...program.parts import Function, FunctionNode
from ..facts import Facts, recorded
from ..walks import reached

_DEFINITIONS = (*FunctionNode, ast.ClassDef)
_MAIN, _CALL = "main", "__call__"
_BY_NAME = "builtins.getattr"
_TABLES = ("builtins.globals", "builtins.locals", "builtins.vars")


class CallGraph:
    """The functions of a module that each of them may call."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._known: dict[ast.AST, frozenset[ast.AST]] = {}

    def reached(self, start: ast.AST) -> set[ast.AST]:
        """The functions (and the module) that run when `start` runs."""
        return set(self.running(start))

    def running(self, start: ast.AST) -> Iterator[ast.AST]:
        """The same one by one, for who stops at the first that fits."""
        return reached([start], self.callees)

    def callees(self, home: ast.AST) -> frozenset[ast.AST]:
        """The functions that a function (or the module) may call."""
        if home not in self._known:
            calls = self._calls_in.get(home, ())
            self._known[home] = frozenset(f for call in calls for f in self.called(call))
        return self._known[home]

    def callers(self, function: ast.AST) -> list[ast.AST]:
        """The functions (and the module) that may call a function."""
        return self._callers.get(function, [])

    @cached_property
    def _callers(self) -> dict[ast.AST, list[ast.AST]]:
        found: dict[ast.AST, list[ast.AST]] = {}
        for home in self._calls_in:
            for function in self.callees(home):
                found.setdefault(function, []).append(home)
        return found

    @cached_property
    def _calls_in(self) -> dict[ast.AST, list[ast.Call]]:
        """The calls that stand in each function and in the module."""
        found: dict[ast.AST, list[ast.Call]] = {}
        for call in self._facts.index.calls:
            home = self._facts.function(call) or self._facts.module
            found.setdefault(home, []).append(call)
        return found

    def called(self, call: ast.Call) -> Iterator[ast.AST]:
        """The functions that a call may run itself, or hand over."""
        function = self._facts.callee(call)
        cls = self._facts.classes.local(call.func)
        if function is not None:
            yield function
            yield from self._overrides(call, function)
        elif isinstance(call.func, ast.Name) and cls is None:
            yield from self._functions_of(call.func)
            yield from self._chosen(call.func)
        elif cls is not None:
            init = self._facts.classes.method(cls, "__init__")
            if init is not None:
                yield init
        elif isinstance(call.func, ast.Attribute):
            yield from self._methods_named(call.func.attr)
        else:
            yield from self._chosen(call.func)
        yield from self._of_instances(call.func)
        yield from self._registered(call)
        yield from self._handed(call)

    def _of_instances(self, func: ast.expr) -> Iterator[ast.AST]:
        """`loop(data)`, where `loop` is an object of the project."""
        for cls in self._facts.program.instances(func).nodes:
            if isinstance(cls, ast.ClassDef):
                found = self._facts.classes.method(cls, _CALL)
                yield from [] if found is None else [found]

    def _handed(self, call: ast.Call) -> Iterator[ast.AST]:
        """The functions that a call hands over, `run(main)`, or lets be chosen: `Fire(Jobs)`."""
        name = self._facts.name(call.func) or ""
        if not call.args and starts_main(name):
            yield from self._functions_named(_MAIN)
        if chooses(name):
            yield from self._choices(call.args)
        for argument in [*call.args, *(k.value for k in call.keywords)]:
            passed = self._facts.classes.function(argument)
            if passed is not None:
                yield passed
            elif isinstance(argument, ast.Attribute):  # tf.function(self.step)
                yield from self._methods_named(argument.attr)

    def _overrides(self, call: ast.Call, function: ast.AST) -> Iterator[ast.AST]:
        """What a method that `self` is asked for is in the classes below its own."""
        cls = self._facts.classes.method_of(function)
        if cls is None or not isinstance(call.func, ast.Attribute):
            return
        for other in self._methods_named(call.func.attr):
            own = self._facts.classes.method_of(other)
            if own is not None and own is not cls and cls in self._facts.classes.ancestors(own):
                yield other

    def _functions_named(self, name: str) -> Iterator[ast.AST]:
        """The functions of that name at the top of the module."""
        bindings = self._facts.bound(self._facts.module)
        yield from (binding.node for binding in bindings.get(name, ()) if binding.kind == "def")

    def _functions_of(self, name: ast.Name) -> Iterator[ast.AST]:
        """Any of the functions that a name may mean: one that is defined twice, or in branches."""
        for binding in self._facts.bindings(name):
            if binding.kind == "def":
                yield binding.node

    def _chosen(self, func: ast.expr) -> Iterator[ast.AST]:
        """`COMMANDS[args.command](args)`: any of the functions that it may be."""
        if isinstance(func, ast.Call) and self._facts.name(func.func) == _BY_NAME:
            yield from self._choices(func.args[:1])
            return
        for node in (*self._own(func), *self._facts.program.functions(func).nodes):
            if isinstance(node, FunctionNode):
                yield node
            elif isinstance(node, ast.ClassDef):
                init = self._facts.classes.method(node, "__init__")
                yield from [] if init is None else [init]
        if self._is_of_globals(func):
            yield from self._choices(())

    @cached_property
    def _own(self) -> Callable[[ast.expr], list[ast.AST]]:
        """The functions and classes of the program that a value may be."""
        return self._facts.program.arrivals(lambda node: isinstance(node, _DEFINITIONS))

    def _is_of_globals(self, func: ast.expr) -> bool:
        """`globals()[sys.argv[1]]()`."""
        table = func.value if isinstance(func, ast.Subscript) else None
        return isinstance(table, ast.Call) and self._facts.name(table.func) in _TABLES

    def _choices(self, given: Sequence[ast.expr]) -> Iterator[ast.AST]:
        """The functions that a text may name: of a class, of a dictionary, or of the module."""
        if not given:
            bindings = self._facts.bound(self._facts.module)
            yield from (b.node for each in bindings.values() for b in each if b.kind == "def")
        for value in given:
            cls = self._facts.classes.local(value)
            made = self._facts.classes.instance_of(value) if cls is None else cls
            yield from self._facts.program.functions(value).nodes
            inside = value.values if isinstance(value, ast.Dict) else ()
            yield from (n for v in inside for n in self._facts.program.functions(v).nodes)
            yield from (m for m in within(made or ast.Pass()) if isinstance(m, FunctionNode))

    def _registered(self, call: ast.Call) -> Iterator[ast.AST]:
        """What decorators gave to an object that is called: `@cli.command()` and `cli()`."""
        names, seen = [_root(call.func)], set[str]()
        while names:
            name = names.pop()
            if name is not None and name not in seen:
                seen.add(name)
                found = [*self._by_decorators.get(name, ()), *self._commands_of(name)]
                yield from found
                names += [function.name for function in found]  # a group in a group
                names += self._added.get(name, ())

    def _commands_of(self, name: str) -> Iterator[Function]:
        """The functions that a group is given, `cli.add_command(train)`."""
        bindings = self._facts.bound(self._facts.module)
        for added in self._added.get(name, ()):
            for binding in bindings.get(added, ()):
                if isinstance(binding.node, FunctionNode):
                    yield binding.node

    @cached_property
    def _added(self) -> dict[str, list[str]]:
        """The groups and commands that others are given: `app.add_typer(train.app)`."""
        found: dict[str, list[str]] = {}
        for call in self._facts.calls(*ADDS_COMMANDS):
            added = _root(call.args[0]) if call.args else None
            if added is not None:
                found.setdefault(_root(call.func) or "", []).append(added)
        return found

    @cached_property
    def _by_decorators(self) -> dict[str, list[Function]]:
        found: dict[str, list[Function]] = {}
        functions = (n for n in self._facts.index.definitions if isinstance(n, FunctionNode))
        for node in functions:
            for each in node.decorator_list:
                func = each.func if isinstance(each, ast.Call) else each
                if isinstance(func, ast.Attribute) and registers(func.attr):
                    found.setdefault(_root(func) or "", []).append(node)
        return found

    def _methods_named(self, name: str) -> Iterable[ast.AST]:
        """An unknown receiver may be an instance of any class of the module."""
        return self._methods.get(name, ())

    @cached_property
    def _methods(self) -> dict[str, list[ast.AST]]:
        found: dict[str, list[ast.AST]] = {}
        for node in self._facts.index.definitions:
            if isinstance(node, FunctionNode) and self._facts.classes.method_of(node) is not None:
                found.setdefault(node.name, []).append(node)
        return found


@recorded
def call_graph(facts: Facts) -> CallGraph:
    """The call graph of a module, which many ask."""
    return CallGraph(facts)


def _root(expr: ast.expr) -> str | None:
    """`a` of `a.b.c`."""
    while isinstance(expr, ast.Attribute):
        expr = expr.value
    return expr.id if isinstance(expr, ast.Name) else None
