"""Which function a call runs, where functions are called, what a call passes, what is returned.

The graph answers: it follows functions and objects through names, containers and arguments.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from operator import attrgetter

from .families import Families
from .index import Index
from .node_fields import children
from .parts import Function, FunctionNode
from .program import Program

_MAKING = ("__init__", "__new__", "__post_init__")  # what a call of a class runs
_IN_TEXT = attrgetter("lineno", "col_offset", "end_lineno", "end_col_offset")


class CallSites:
    """The functions that calls run, and the calls that run functions."""

    def __init__(self, index: Index, families: Families, program: Callable[[], Program]) -> None:
        self._index, self._families, self._program = index, families, program
        self._sites: dict[ast.AST, list[ast.Call]] = {}

    def call_sites(self, function: ast.AST) -> list[ast.Call]:
        """Every call of a function that the module shows, in the order of the text.

        Of an `__init__`: the calls of its classes, too.
        """
        if function not in self._sites:
            every = dict.fromkeys([*self._runs(function), *self._wrapped(function)])
            calls = [node for node in every if self._is_direct(node, function)]
            self._sites[function] = sorted(calls, key=_IN_TEXT)  # type: ignore[arg-type]
        return self._sites[function]

    def escapes(self, function: ast.AST) -> bool:
        """Whether it is called in other ways, too: by code out of sight, in `map(f, a)`, as `+`."""
        if not isinstance(function, FunctionNode):
            return False
        thing = self._program().function(function)
        is_started = thing.is_started and not function.decorator_list  # `app.run(main)`
        is_seen = set(self._runs(function)).issubset(self.call_sites(function))
        return thing.is_given_away or is_started or not is_seen

    def _runs(self, function: ast.AST) -> Iterable[ast.AST | None]:
        """The syntax by which a function runs; None stands for what says it without a call."""
        if not isinstance(function, FunctionNode):
            return ()
        return self._program().function(function).calls.values()

    def _wrapped(self, function: ast.AST) -> list[ast.Call]:
        """The calls by its name of a function that a library wraps: it runs that with options."""
        if not getattr(function, "decorator_list", None):
            return []
        return [
            call for call in self._index.calls if self._families.function(call.func) is function
        ]

    def _is_direct(self, node: ast.AST | None, function: ast.AST) -> bool:
        """Whether a call has the arguments of the function: not those of a `partial` of it."""
        if not isinstance(node, ast.Call):
            return False
        program, name = self._program(), function.name  # type: ignore[attr-defined]
        if function in program.functions(node.func).nodes:
            return True
        if self._families.function(node.func) is function:
            return True
        if name == "__call__":
            return bool(program.instances(node.func).nodes)
        return name in _MAKING and bool(program.classes(node.func).nodes)

    def callee(self, call: ast.Call) -> Function | None:
        """The function or method of this module that a call runs, if it can only be that one."""
        found = self._program().functions(call.func).only
        return found if isinstance(found, FunctionNode) else None


# -- what a call passes ---------------------------------------------------------------------------


def passed(call: ast.Call, function: ast.AST, arg: ast.AST, families: Families) -> ast.AST | None:
    """What `call` passes for the parameter `arg` of `function`: an argument or the default."""
    args: ast.arguments = function.args  # type: ignore[attr-defined]
    name: str = arg.arg  # type: ignore[attr-defined]
    if arg in (args.vararg, args.kwarg):
        return None
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    if any(k.arg is None for k in call.keywords) or any(
        isinstance(a, ast.Starred) for a in call.args
    ):
        return None
    positional = [*args.posonlyargs, *args.args]
    if arg in positional:
        number = positional.index(arg) - _implicit(call, function, families)
        if 0 <= number < len(call.args):
            return call.args[number]
    return _default(args, arg)


def _implicit(call: ast.Call, function: ast.AST, families: Families) -> int:
    """1 where `self` is passed by the call's form, else 0."""
    if families.method_of(function) is None:
        return 0
    is_class_call = (
        isinstance(call.func, ast.Attribute) and families.local(call.func.value) is not None
    )
    return 0 if is_class_call else 1


def _default(args: ast.arguments, arg: ast.AST) -> ast.AST | None:
    positional = [*args.posonlyargs, *args.args]
    if arg in positional:
        number = positional.index(arg) - (len(positional) - len(args.defaults))
        return args.defaults[number] if number >= 0 else None
    if arg in args.kwonlyargs:
        return args.kw_defaults[args.kwonlyargs.index(arg)]
    return None


# -- what a function returns ----------------------------------------------------------------------


def returns(function: Function) -> list[ast.Return]:
    """The `return` statements of a function itself."""
    found: list[ast.Return] = []
    stack: list[ast.AST] = list(reversed(function.body))
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Return):
            found.append(node)
        elif not isinstance(node, (*FunctionNode, ast.ClassDef, ast.expr)):
            stack.extend(reversed(list(children(node))))
    return found


def is_generator(function: Function) -> bool:
    """Whether a call gives an iterator over what the body yields, not what it returns."""
    stack: list[ast.AST] = list(function.body)
    while stack:
        node = stack.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (*FunctionNode, ast.ClassDef, ast.Lambda)):
            stack.extend(children(node))
    return False
