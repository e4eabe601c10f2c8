"""The parts of the nodes that make a scope: which are evaluated inside, and what a node binds."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from typing import Union

from .node_fields import within

Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]
FunctionNode = (ast.FunctionDef, ast.AsyncFunctionDef)
FUNCTIONS = (*FunctionNode, ast.Lambda)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _node_types(*names: str) -> tuple[type, ...]:
    """The classes of syntax that this version of Python has."""
    return tuple(getattr(ast, name) for name in names if hasattr(ast, name))


TYPE_PARAMETERS = _node_types("TypeVar", "ParamSpec", "TypeVarTuple")
TYPE_ALIASES = _node_types("TypeAlias")
SCOPES = (*FUNCTIONS, ast.ClassDef, *COMPREHENSIONS)
_CAPTURES = _node_types("MatchAs", "MatchStar")
_MAPPINGS = _node_types("MatchMapping")


def type_parameters(node: ast.AST) -> list[ast.AST]:
    """The `T` of `def f[T]`, `class A[T]`, `type X[T]`."""
    return list(getattr(node, "type_params", ()))


def parameters(node: ast.AST) -> list[ast.arg]:
    """The parameters of a function or lambda, in the order of its signature."""
    a: ast.arguments = node.args  # type: ignore[attr-defined]
    return [*a.posonlyargs, *a.args, *a.kwonlyargs, *filter(None, (a.vararg, a.kwarg))]


def inner_parts(node: ast.AST) -> list[ast.AST]:
    """The parts of a scope's node that are evaluated inside of it."""
    if isinstance(node, ast.Lambda):
        return [node.body]
    if isinstance(node, COMPREHENSIONS):
        first, *others = node.generators
        return [*results(node), first.target, *first.ifs, *others]
    return list(node.body)  # type: ignore[attr-defined]


def results(node: ast.AST) -> list[ast.expr]:
    """What a comprehension makes: its element, or its key and its value."""
    if isinstance(node, ast.DictComp):
        return [node.key, node.value]
    return [node.elt]  # type: ignore[attr-defined]


def outer_parts(node: ast.AST) -> list[ast.AST]:
    """The parts evaluated around it, when it is made: decorators, defaults, the first iterable."""
    if isinstance(node, COMPREHENSIONS):
        return [node.generators[0].iter]
    if isinstance(node, ast.ClassDef):
        return list(node.decorator_list)
    defaults = [*node.args.defaults, *filter(None, node.args.kw_defaults)]  # type: ignore[attr-defined]
    return [*getattr(node, "decorator_list", ()), *defaults]


def typed_parts(node: ast.AST) -> list[ast.AST]:
    """The parts that see its type parameters and not its own names: bases, annotations."""
    if isinstance(node, ast.ClassDef):
        return [*node.bases, *(k.value for k in node.keywords)]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        annotations = [p.annotation for p in parameters(node)]
        return [a for a in (*annotations, node.returns) if a is not None]
    return []


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_OTHERS = (ast.Name, ast.Import, ast.ImportFrom, ast.ExceptHandler)
BINDING = frozenset((*_DEFINITIONS, *_OTHERS, *_CAPTURES, *_MAPPINGS, *TYPE_PARAMETERS))


def bound_names(node: ast.AST) -> list[str]:
    """The names that one node binds by itself, in the scope in which it stands."""
    if type(node) not in BINDING:
        return []
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [a.asname or a.name.split(".")[0] for a in node.names if a.name != "*"]
    name = getattr(node, "rest" if isinstance(node, _MAPPINGS) else "name")
    return [name] if name else []


def is_first_parameter(function: ast.AST, name: str) -> bool:
    """Whether `name` is the first positional parameter (`self`, whatever it is called)."""
    if not isinstance(function, FunctionNode):
        return False
    positional = [*function.args.posonlyargs, *function.args.args]
    return bool(positional) and positional[0].arg == name


def is_static(function: ast.AST) -> bool:
    """Whether a decorator makes it a static method."""
    decorators = getattr(function, "decorator_list", [])
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in decorators)


def is_property(function: ast.AST) -> bool:
    """Whether reading the attribute calls it."""
    decorators = getattr(function, "decorator_list", [])
    names = {d.id if isinstance(d, ast.Name) else getattr(d, "attr", "") for d in decorators}
    return bool(names & {"property", "cached_property"})


def is_super(expr: ast.AST) -> bool:
    """Whether it is `super()`."""
    return (
        isinstance(expr, ast.Call) and isinstance(expr.func, ast.Name) and expr.func.id == "super"
    )


def methods(cls: ast.AST, names: Container[str] | None = None) -> Iterator[ast.FunctionDef]:
    """The methods that are written in a class; with names: those of one of these."""
    body = cls.body if isinstance(cls, ast.ClassDef) else []
    found = (statement for statement in body if isinstance(statement, ast.FunctionDef))
    return (method for method in found if names is None or method.name in names)


def given_by(function: ast.AST) -> Iterator[ast.expr]:
    """What a function returns, or yields."""
    if isinstance(function, ast.Lambda):
        yield function.body
        return
    for node in within(function):
        value = getattr(node, "value", None)
        if isinstance(node, (ast.Return, ast.Yield, ast.YieldFrom)) and value is not None:
            yield value
