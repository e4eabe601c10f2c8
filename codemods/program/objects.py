"""How many objects there may be behind an expression: one, or several.

An allocation that may run more than once (in a loop, a comprehension, a function that is called
twice) stands for several, and so does a parameter, an element or a name of a loop that is one thing
at one time, and another one at another.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Callable

from .node_fields import within
from .parts import COMPREHENSIONS, FUNCTIONS, LOOPS
from .program import Program
from .sources import AnyFunction

_CONTAINERS = (ast.List, ast.Set, ast.Dict, *COMPREHENSIONS)
_LEAVING = (ast.Return, ast.Raise, ast.Continue, ast.Break)
SetBack = Callable[[ast.stmt], bool]


class Objects:
    """The objects behind the expressions of one program.

    `parents`: the node that holds each node of its texts.
    """

    def __init__(self, program: Program, parents: Mapping[ast.AST, ast.AST]) -> None:
        self._program, self._parents = program, parents

    # -- how many ---------------------------------------------------------------------------------

    def are_several(self, value: ast.expr, seen: frozenset[ast.AST] = frozenset()) -> bool:
        """Whether an expression may be one object at one time, and another one at another."""
        given = self._given(value)
        if given is not None and given not in seen:
            return self.are_several(given, seen | {given})
        if self._is_bound_once(value):
            return False
        made = [each for each in self._program.origins(value).nodes if each not in seen]
        whole = [_whole(each) for each in made]
        seen |= {*made}
        if any(each is not None and self.are_several(each, seen) for each in whole):
            return True
        own = [each for each, of in zip(made, whole) if of is None]
        return any(self.is_made_often(each, value) for each in own) or self._differs(value, made)

    def _given(self, value: ast.expr) -> ast.expr | None:
        """What a parameter is in the only call of its function."""
        function = self.function(value)
        if not isinstance(value, ast.Name) or not isinstance(function, ast.FunctionDef):
            return None
        if self._binder(value) is not function or value.id not in _bound_anew(function):
            return None
        found, is_method = self._program.call_sites(function), self._is_method(function)
        call = found.only
        names = [each.arg for each in function.args.args][is_method:]
        if not isinstance(call, ast.Call) or value.id not in names:
            return None
        if (
            function not in self._program.functions(call.func).nodes
        ):  # by `partial`, which adds some
            return None
        number = names.index(value.id)
        is_plain = not any(isinstance(each, ast.Starred) for each in call.args)
        by_place = call.args[number : number + 1] if is_plain else []
        by_name = [each.value for each in call.keywords if each.arg == value.id]
        return next(iter((*by_place, *by_name)), None)

    def _is_method(self, function: ast.AST) -> bool:
        return isinstance(self._parents.get(function), ast.ClassDef)

    def _binder(self, name: ast.Name) -> ast.AST:
        """The function that binds a name, or the module."""
        scope: ast.AST = name
        while scope in self._parents:
            scope = self._parents[scope]
            if isinstance(scope, (*FUNCTIONS, ast.Module)):
                bound = (n for n in within(scope) if _binds(n, name.id) and self._home(n) is scope)
                if name.id in _bound_anew(scope) or any(True for _ in bound):
                    break
        return scope

    def _is_bound_once(self, value: ast.expr) -> bool:
        """Whether it is a name that one assignment binds, which runs once."""
        if not isinstance(value, ast.Name):
            return False
        scope = self._binder(value)
        if value.id in _bound_anew(scope):
            return False
        stores = [n for n in within(scope) if _binds(n, value.id)]
        is_assigned = len(stores) == 1 and self._is_assigned(stores[0])
        return is_assigned and not self.is_made_often(stores[0], value)

    def _home(self, node: ast.AST) -> ast.AST:
        """The function around a node, or the module."""
        while node in self._parents:
            node = self._parents[node]
            if isinstance(node, FUNCTIONS):
                break
        return node

    def _is_assigned(self, node: ast.AST) -> bool:
        while node in self._parents and not isinstance(node, (ast.stmt, *COMPREHENSIONS)):
            node = self._parents[node]
        return isinstance(node, (ast.Assign, ast.AnnAssign))

    def is_made_often(self, node: ast.AST, value: ast.expr) -> bool:
        """Whether what makes a value may run more than once."""
        return self._runs_often(node, value, set())

    def _runs_often(self, node: ast.AST, value: ast.expr, seen: set[ast.AST]) -> bool:
        while node in self._parents and not isinstance(node, FUNCTIONS):
            node = self._parents[node]
            if isinstance(node, (*LOOPS, *COMPREHENSIONS)):
                return True
        if not isinstance(node, FUNCTIONS) or node in seen:
            return False
        calls = self._calls(node, value)
        return len(calls) > 1 or any(self._runs_often(c, value, {*seen, node}) for c in calls)

    def _calls(self, function: AnyFunction, value: ast.expr) -> list[ast.AST]:
        """The calls of a function through which a value comes, or all of them."""
        calls = self._program.call_sites(function).nodes
        ends = self._program.follow(value, until=lambda key: key in calls)
        through = {self._program.key(n) for n in ends}
        return [call for call in calls if call in through] or list(calls)

    # -- one of several ---------------------------------------------------------------------------

    def _differs(self, value: ast.expr, made: list[ast.AST]) -> bool:
        """Whether a parameter, an element or a loop's name is several things, not a choice."""
        things = [each for each in made if not isinstance(each, ast.Constant)]
        if len(things) < 2 or not self._varies(value):
            return False
        ways = [list(self.made_by(each, value)) for each in things]
        return not all(self._are_a_choice(one, other) for one, other in combinations(ways, 2))

    def _varies(self, value: ast.AST) -> bool:
        """Whether an expression begins with a parameter or a loop's name, or asks by a key."""
        while isinstance(value, (ast.Attribute, ast.Subscript)):
            if isinstance(value, ast.Subscript) and not isinstance(value.slice, ast.Constant):
                return True
            value = value.value
        name, node = getattr(value, "id", ""), value
        while node in self._parents:
            node = self._parents[node]
            if name in _bound_anew(node):
                return True
        return False

    def _are_a_choice(self, one: list[ast.AST], other: list[ast.AST]) -> bool:
        """Whether of two things, by what makes them, there is only one, or one replaces the other.

        `SGD() if small else Adam()`, `model = load(path)` behind `model = build()`.
        """
        return any(
            a is b or self._exclude_each_other(a, b) or self._have_one_name(a, b)
            for a in one
            for b in other
        )

    def _exclude_each_other(self, one: ast.AST, other: ast.AST) -> bool:
        """Whether two nodes stand in two arms of a choice, or one behind a way out."""
        arms = dict(self._arms(one))
        for choice, arm in self._arms(other):
            if choice in arms:
                return arms[choice] != arm
        return self._leaves_before(one, other) or self._leaves_before(other, one)

    def _arms(self, node: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
        """The choices around a node in its function, the innermost first: in which arm it is."""
        while node in self._parents and not isinstance(node, FUNCTIONS):
            inner, node = node, self._parents[node]
            if isinstance(node, (ast.If, ast.IfExp)) and inner is not node.test:
                body = node.body if isinstance(node.body, list) else [node.body]
                yield node, inner in body

    def _leaves_before(self, one: ast.AST, other: ast.AST) -> bool:
        """Whether the block of `one` is left at its end, and `other` stands behind the choice."""
        for choice, is_first in self._arms(one):
            block = choice.body if is_first else choice.orelse  # type: ignore[attr-defined]
            leaves = isinstance(block, list) and isinstance(block[-1], _LEAVING)
            if leaves and self.function(choice) is self.function(other):
                return True
        return False

    def _have_one_name(self, one: ast.AST, other: ast.AST) -> bool:
        """Whether both are stored under one name in one function."""
        (a, b), places = map(self._stored, (one, other)), map(self.function, (one, other))
        return bool(a) and a == b and len({*places}) == 1

    def _stored(self, node: ast.AST) -> str:
        """The name that the statement of a node gives it, or what is made of it."""
        inside: list[ast.AST] = [node]
        while node in self._parents and not isinstance(node, ast.stmt):
            node = self._parents[node]
            inside.append(node)
        targets = node.targets if isinstance(node, ast.Assign) else []
        target, value = (targets[0], node.value) if len(targets) == 1 else (None, None)  # type: ignore[attr-defined]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = zip(target.elts, value.elts)
            target, value = next(((t, v) for t, v in pairs if v in inside), (None, None))
        is_one_of_many = any(isinstance(each, _CONTAINERS) for each in inside)
        return (
            "" if target is None or is_one_of_many or value not in inside else ast.unparse(target)
        )

    # -- one behind the other -----------------------------------------------------------------

    def are_one_after_another(self, value: ast.expr, goal: ast.AST, is_set_back: SetBack) -> bool:
        """Whether each is made, something set back, and the goal reached, before the next is made.

        `is_set_back`: whether a statement does that.
        """
        made = self._program.origins(value).nodes
        places = list(self.made_by(made[0], value)) if len(made) == 1 else []
        return any(self._is_set_back(p, is_set_back) and self._reaches(p, goal) for p in places)

    def made_by(self, node: ast.AST, value: ast.expr) -> Iterator[ast.AST]:
        """What makes an object, and the only call of the function that does, and so on."""
        seen: set[ast.AST] = set()
        function = None
        while function not in seen:
            yield node
            seen |= {function} if function else set()
            function = self.function(node)
            calls = self._calls(function, value) if function else []
            if len(calls) != 1:
                return
            (node,) = calls

    def _is_set_back(self, made: ast.AST, is_set_back: SetBack) -> bool:
        """Whether a statement behind what makes the object, in its block, sets back."""
        node = made
        while not isinstance(node, ast.stmt):
            if isinstance(node, COMPREHENSIONS):
                return False
            node = self._parents[node]
        block = self._block(node)
        behind = block[block.index(node) :] if node in block else []
        return any(map(is_set_back, behind))

    def _block(self, node: ast.AST) -> list[ast.stmt]:
        while not isinstance(node, ast.stmt):
            node = self._parents[node]
        parent = self._parents[node]
        fields = (getattr(parent, name, None) for name in ("body", "orelse", "finalbody"))
        return next((each for each in fields if isinstance(each, list) and node in each), [])

    def _reaches(self, made: ast.AST, goal: ast.AST) -> bool:
        """Whether the block that makes the object leads to the goal."""
        function = self.function(goal)
        waiting: list[ast.AST] = list(self._block(made))
        seen: set[ast.AST] = set()
        while waiting:
            for node in within(waiting.pop()):
                if node is goal:
                    return True
                called = (
                    self._program.functions(node.func).nodes if isinstance(node, ast.Call) else ()
                )
                if function in called:
                    return True
                waiting += (each for each in called if each not in seen)
                seen.update(called)
        return False

    def function(self, node: ast.AST) -> AnyFunction | None:
        """The function around a node."""
        while node in self._parents:
            node = self._parents[node]
            if isinstance(node, FUNCTIONS):
                return node
        return None


def _binds(node: ast.AST, name: str) -> bool:
    """Whether a node binds a name, or has another function bind it."""
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return name in node.names
    is_store = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    return (is_store and node.id == name) or getattr(node, "name", None) == name  # type: ignore[attr-defined]


def _bound_anew(node: ast.AST) -> set[str]:
    """The parameters of a function, the names of a loop or of a comprehension."""
    if isinstance(node, FUNCTIONS):
        given = node.args
        every = (*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg)
        return {each.arg for each in every if each is not None}
    targets = [node.target] if isinstance(node, (ast.For, ast.AsyncFor)) else []
    targets += [each.target for each in getattr(node, "generators", ())]
    return {n.id for target in targets for n in within(target) if isinstance(n, ast.Name)}


def _whole(made: ast.AST) -> ast.expr | None:
    """What a value is a part of: one object's `model.heads`, all of a list's gathered variables."""
    if isinstance(made, ast.Attribute):
        return made.value
    is_gathered = isinstance(made, (ast.ListComp, ast.GeneratorExp)) and len(made.generators) > 1
    return made.generators[0].iter if is_gathered else None  # type: ignore[attr-defined]
