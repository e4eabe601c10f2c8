"""What a call passes for a parameter of the function that it runs."""

from __future__ import annotations

import ast

from ..program.families import Families


def passed(call: ast.Call, function: ast.AST, arg: ast.AST, classes: Families) -> ast.AST | None:
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
        number = positional.index(arg) - _implicit(call, function, classes)
        if 0 <= number < len(call.args):
            return call.args[number]
    return _default(args, arg)


def _implicit(call: ast.Call, function: ast.AST, classes: Families) -> int:
    """1 where `self` is passed by the call's form, else 0."""
    if classes.method_of(function) is None:
        return 0
    is_class_call = (
        isinstance(call.func, ast.Attribute) and classes.local(call.func.value) is not None
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
