"""What a wrapper makes anew is what was made: of the optimizers of a program's own classes.

`hvd.DistributedOptimizer` of Keras keeps no object: it takes its config and gives that to the
constructor of the same class. A parameter that the config doesn't have is lost, and one that the
constructor reckons with is reckoned with twice: `learning_rate / passes` is divided once more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..library.horovod_alone import part
from ..library.horovod_names import OPTIMIZER
from ..library.optimizers import KEEPING, SETTERS, V1
from ..program.node_fields import within
from ..program.records import NamedTuple

if TYPE_CHECKING:
    from ..program.program import Program
    from .case import Case

LOST = (
    "Horovod makes this optimizer anew from its config, in which `{1}` of `{0}` is missing: "
    "it becomes another one, or none at all"
)
AGAIN = (
    "Horovod makes this optimizer anew from its config, and `{0}` reckons with `{1}` before it "
    "hands it on: what comes of it is reckoned with once more"
)
NO_ROOM = (
    "Horovod makes this optimizer anew from its config, and `{0}` doesn't take `{1}`, "
    "which stands in there"
)
OWN_WAY = "`{0}` makes itself from a config in a way of its own, and nobody can tell what comes out"
FIX = (
    "let `get_config` of the class give each parameter of `__init__` as it was given, and "
    "`__init__` hand `**kwargs` on; or train with a tape, which leaves the optimizer as it is"
)


class Change(NamedTuple):
    """Why what is made anew isn't what was made; certain, or only by what can be told."""

    why: str
    is_certain: bool


def remade(case: Case) -> Iterator[tuple[ast.Call, Change]]:
    """What makes an optimizer of which a wrapper makes another one, with why."""
    program = case.program
    for source in case.after.values():
        for node in within(source.module):
            if isinstance(node, ast.Call) and _wraps(program, node):
                given = [*node.args[:1], *(k.value for k in node.keywords if k.arg == "optimizer")]
                yield from (each for value in given[:1] for each in _changes(case, value))


def _wraps(program: Program, call: ast.Call) -> bool:
    return any(part(name) == OPTIMIZER for name in program.names(call.func))


def _changes(case: Case, optimizer: ast.expr) -> Iterator[tuple[ast.Call, Change]]:
    """What is lost of an optimizer, where it is made, by the classes that it may be of."""
    program = case.program
    for made in program.origins(optimizer).nodes:
        for cls in program.classes(made.func).nodes if isinstance(made, ast.Call) else ():
            change = next(_of_line(case, list(_line(program, cls))), None)
            if change is not None:
                yield made, change  # type: ignore[misc]


def _of_line(case: Case, line: list[ast.ClassDef]) -> Iterator[Change]:
    """What the classes lose of which each is derived from the next."""
    base = next((n for b in line[-1].bases for n in case.program.names(b)), "")
    if base.startswith(V1):  # its wrapper holds the object and asks it
        return
    has_old = case.options.tensorflow < (2, 11) or ".legacy." in base
    for each in line:
        is_last = each is line[-1]
        yield from _Class(each, is_last, has_old and base.endswith(".Optimizer"), base).changes()


def _line(program: Program, cls: ast.AST) -> Iterator[ast.ClassDef]:
    """A class and those of the program that it is derived from, by its first bases."""
    seen: set[ast.AST] = set()
    while isinstance(cls, ast.ClassDef) and cls not in seen:
        seen.add(cls)
        yield cls
        cls = next((b for base in cls.bases for b in program.classes(base).nodes), cls)


class _Class:
    """One class of an optimizer: what its constructor takes, and what its config gives.

    `is_last`: its base is `base`, of Keras; `is_small`: the config of that is nothing but a name.
    """

    def __init__(self, cls: ast.ClassDef, is_last: bool, is_small: bool, base: str) -> None:
        self._cls = cls
        self._methods = {n.name: n for n in cls.body if isinstance(n, ast.FunctionDef)}
        first = "name" if base.endswith(".Optimizer") else "learning_rate"
        self._first, self._is_small = first if is_last else "", is_small and is_last
        init = self._methods.get("__init__")
        self._known = _parameters(init) if init is not None else []
        self._handed = self._given_on(init) if init is not None else {}
        self._held = dict(self._kept_in(init)) if init is not None else {}
        self._config = dict(self._told())

    def changes(self) -> Iterator[Change]:
        """Why the constructor doesn't make of the config what it has made before."""
        init = self._methods.get("__init__")
        if "from_config" in self._methods or (init is not None and self._handed is None):
            yield Change(OWN_WAY.format(self._cls.name), False)
        elif init is not None:
            yield from (self._lost(name) for name in self._known if not self._comes_back(name))
            yield from (Change(NO_ROOM.format(self._cls.name, key), True) for key in self._rest)

    def _lost(self, name: str) -> Change:
        given = (self._handed or {}).values()
        is_reckoned = any(_reads(each, name) and not self._is_kept(each, name) for each in given)
        return Change((AGAIN if is_reckoned else LOST).format(self._cls.name, name), True)

    @property
    def _rest(self) -> Iterator[str]:
        """What the config of the base has in it and the constructor doesn't take."""
        if not self._asks_base:
            return
        yield from (k for k in self._handed or {} if k not in (*self._known, *self._config, "**"))
        is_taken = "**" in (self._handed or {}) or (self._is_small and "name" in self._known)
        yield from () if is_taken else ["**kwargs"]

    @property
    def _asks_base(self) -> bool:
        config = self._methods.get("get_config")
        return config is None or any(_method(node) == "get_config" for node in within(config))

    def _comes_back(self, name: str) -> bool:
        """Whether the config gives a parameter as it was given."""
        handed = (self._handed or {}).get(name)
        told = self._config.get(name)
        if told is not None and _method(told) == "pop":
            return False
        if told is not None:
            parts = [n for n in within(told) if isinstance(n, (ast.Attribute, ast.Constant))]
            read = (n.attr if isinstance(n, ast.Attribute) else n.value for n in parts)
            return not _is_reckoned(told) and any(self._held.get(each) == name for each in read)
        return self._asks_base and handed is not None and self._is_kept(handed, name)

    def _is_kept(self, value: ast.expr, name: str) -> bool:
        """Whether a value is a parameter, or what is the same when it is made of that again."""
        names = {n.id for n in within(value) if isinstance(n, ast.Name)} & {*self._known}
        calls = [n for n in within(value) if isinstance(n, ast.Call)]
        is_same = not _is_reckoned(value) and all(_method(each) in KEEPING for each in calls)
        return is_same and names == {name} and name not in self._bound_again

    @property
    def _bound_again(self) -> set[str]:
        names = (n for n in within(self._methods["__init__"]) if isinstance(n, ast.Name))
        return {n.id for n in names if isinstance(n.ctx, ast.Store)}

    def _given_on(self, init: ast.FunctionDef) -> dict[str, ast.expr] | None:
        """What the constructor hands to that of the base, by names; None: it asks for none."""
        calls = (n for n in within(init) if isinstance(n, ast.Call) and _method(n) == "__init__")
        call = next(calls, None)
        if call is None:
            return None
        is_bound = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call)
        found: dict[str, ast.expr] = {}
        for number, each in enumerate(call.args if is_bound else call.args[1:]):
            named = each.id if isinstance(each, ast.Name) else f"argument {number + 1}"
            found[self._first if number == 0 and self._first else named] = each
        return {**found, **{k.arg or "**": k.value for k in call.keywords}}

    def _kept_in(self, init: ast.FunctionDef) -> Iterator[tuple[object, str]]:
        """The attributes that hold parameters: `self.passes = passes`, `self._set_hyper(…)`."""
        for node in within(init):
            pairs: list[tuple[object, ast.expr]] = []
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
                pairs.append((node.targets[0].attr, node.value))
            elif isinstance(node, ast.Call) and _method(node) in SETTERS and len(node.args) == 2:
                pairs.append((getattr(node.args[0], "value", None), node.args[1]))
            for held, value in pairs:
                yield from ((held, name) for name in self._known if self._is_kept(value, name))

    def _told(self) -> Iterator[tuple[str, ast.expr]]:
        """What the class puts into its config by itself, or takes out of it, by its key."""
        for node in within(self._methods.get("get_config", ast.Pass())):
            if isinstance(node, ast.Dict):
                keys = [getattr(key, "value", None) for key in node.keys]
                yield from ((k, v) for k, v in zip(keys, node.values) if isinstance(k, str))
            elif isinstance(node, ast.Call) and _method(node) in ("dict", "update"):
                yield from ((k.arg, k.value) for k in node.keywords if k.arg is not None)
            elif isinstance(node, ast.Call) and _method(node) == "pop" and node.args:
                yield str(getattr(node.args[0], "value", "")), node
            elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
                yield str(getattr(node.targets[0].slice, "value", "")), node.value


def _parameters(init: ast.FunctionDef) -> list[str]:
    args = init.args
    return [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)][1:]


def _method(node: ast.AST) -> str:
    func = node.func if isinstance(node, ast.Call) else None
    return getattr(func, "attr", getattr(func, "id", ""))


def _reads(value: ast.expr, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in within(value))


def _is_reckoned(value: ast.expr) -> bool:
    """Whether a number is another one each time that it is made of itself."""
    return any(isinstance(n, (ast.BinOp, ast.IfExp, ast.Lambda)) for n in within(value))
