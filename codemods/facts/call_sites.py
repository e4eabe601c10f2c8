"""Where a function of the module is called, and what each call passes for its parameters.

A parameter has a role when every call passes it (rules.md, section 1); a function that is used
other than by being called may have calls that the module doesn't show.
"""

from __future__ import annotations

import ast
from collections import Counter

from .classes import Classes, is_static, is_super
from .index import Index
from .names import Names
from .scopes import Function, FunctionNode


class CallSites:
    """The calls of each function, found on the first question."""

    def __init__(self, index: Index, names: Names, classes: Classes) -> None:
        self._index, self._names, self._classes = index, names, classes
        self._sites: dict[ast.AST, list[ast.Call]] | None = None
        self._escaped: set[ast.AST] = set()
        self._named: Counter[str] | None = None

    def of(self, function: ast.AST) -> list[ast.Call]:
        """Every call of a function (of a class: of its `__init__`) that the module shows."""
        self._find_calls()
        assert self._sites is not None
        return self._sites.get(function, [])

    def has_twins(self, function: ast.AST) -> bool:
        """Whether other functions of the module have its name."""
        name = getattr(function, "name", None)
        if self._named is None:
            functions = (node for node in self._index.scopes if isinstance(node, FunctionNode))
            self._named = Counter(each.name for each in functions)
        return name is not None and name != "__init__" and self._named[name] > 1

    def escapes(self, function: ast.AST) -> bool:
        """Whether it is used other than by being called, so that calls may be unseen."""
        self._find_calls()
        return function in self._escaped

    def _find_calls(self) -> None:
        if self._sites is not None:
            return
        self._sites = {}
        called = {id(call.func): call for call in self._index.calls}
        for node in self._index.scopes:
            if isinstance(node, FunctionNode):
                self._uses_of(node, called)

    def _uses_of(self, function: Function, called: dict[int, ast.Call]) -> None:
        cls = self._classes.method_of(function) or self._static_owner(function)
        if cls is not None and function.name == "__init__":
            self._uses_of_class(cls, function, called)
            return
        for use in self._index.loads.get(function.name, []):
            if not self._may_mean(use, function, cls):
                continue
            self._use(use, function, called)

    def _use(self, use: ast.AST, function: Function, called: dict[int, ast.Call]) -> None:
        """A use is a call, a compilation under a name whose uses count too, or an escape."""
        assert self._sites is not None
        name = self._classes.compiled_name(use)
        if id(use) in called:
            self._sites.setdefault(function, []).append(called[id(use)])
        elif name is None:
            self._escaped.add(function)
        elif name.id != function.name:
            for other in self._index.loads.get(name.id, []):
                self._use(other, function, called)

    def _uses_of_class(
        self, cls: ast.ClassDef, init: Function, called: dict[int, ast.Call]
    ) -> None:
        for member in self._classes.family(cls):
            if self._classes.method(member, "__init__") is not init:
                continue
            for use in self._index.loads.get(member.name, []):
                if isinstance(use, ast.Name) and id(use) in called:
                    self._sites.setdefault(init, []).append(called[id(use)])  # type: ignore[union-attr]
        for use in self._index.loads.get("__init__", []):
            if id(use) not in called or not isinstance(use, ast.Attribute):
                continue
            if self._starts(use, init):
                self._sites.setdefault(init, []).append(called[id(use)])  # type: ignore[union-attr]
            if is_super(use.value):
                self._escaped.add(init)

    def _starts(self, use: ast.Attribute, init: Function) -> bool:
        """Whether `super().__init__` or `Base.__init__` may be this one."""
        if not is_super(use.value):
            named = self._classes.local(use.value)
            return named is not None and self._classes.method(named, "__init__") is init
        here = self._classes.enclosing(use)
        if here is None:
            return False
        made = [
            each for each in self._classes.family(here) if here in self._classes.ancestors(each)
        ]
        return any(self._classes.next_method(here, each, "__init__") is init for each in made)

    def _static_owner(self, function: Function) -> ast.ClassDef | None:
        parent = self._index.parents.get(function)
        return parent if isinstance(parent, ast.ClassDef) and is_static(function) else None

    def _may_mean(self, use: ast.AST, function: Function, cls: ast.ClassDef | None) -> bool:
        if isinstance(use, ast.Name):
            return cls is None and any(b.node is function for b in self._names.bindings(use))
        is_library = self._names.name(use) is not None  # `tf.train` is no method called `train`
        if cls is None or is_library or not isinstance(use, ast.Attribute):
            return False
        if is_super(use.value):
            return self._is_above(use, cls)
        owner = self._classes.self_class(use.value) or self._classes.local(use.value)
        if owner is None:
            return not self._is_of_library(use.value)
        return owner in self._classes.family(cls)

    def _is_above(self, use: ast.AST, cls: ast.ClassDef) -> bool:
        """Whether `super()` may be `cls`: a base, or another base of what derives from both."""
        family, here = self._classes.family, self._classes.enclosing(use)
        if here is None:
            return True
        return cls is not here and any(cls in family(each) for each in family(here))

    def _is_of_library(self, receiver: ast.expr) -> bool:
        """Whether a name only holds what a class of a library makes, as `keras.Sequential()`."""
        bindings = self._names.bindings(receiver)
        made = [b.value for b in bindings if b.kind == "assign" and not b.path]
        named = [self._names.name(m.func) for m in made if isinstance(m, ast.Call)]
        classes = [n for n in named if n is not None and n.rpartition(".")[2][:1].isupper()]
        return 0 < len(classes) == len(bindings)


def passed(call: ast.Call, function: ast.AST, arg: ast.AST, classes: Classes) -> ast.AST | None:
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


def _implicit(call: ast.Call, function: ast.AST, classes: Classes) -> int:
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
