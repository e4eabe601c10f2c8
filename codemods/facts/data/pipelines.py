"""How tf.data pipelines are built: for every dataset the ways its elements come, source first.

https://www.tensorflow.org/api_docs/python/tf/data/Dataset
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ...library.datasets import JOINING, METHODS
from ..call_sites import passed
from ..facts import Facts
from ..functions import returns
from ..reaching import reaching
from ..roles import Role, role_of_name
from ..scopes import Binding, Path
from .stages import Stage, Way, is_endless

MOST_WAYS = 32
_SOURCES_ELSEWHERE = ("tensorflow_datasets.load",)


class Pipelines:
    """Follows datasets backwards; an empty answer means that something can't be followed."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._known: dict[tuple[ast.AST, Path], tuple[Way, ...]] = {}

    def ways(self, expr: ast.AST, path: Path = ()) -> tuple[Way, ...]:
        """Every way to the dataset `expr` (the part at `path` of its value), source first."""
        key = (expr, path)
        if key not in self._known:
            self._known[key] = ()  # a loop that feeds itself can't be followed
            found = self._ways(expr, path)
            complete = found is not None and 0 < len(found) <= MOST_WAYS
            self._known[key] = tuple(found) if complete and found is not None else ()
        return self._known[key]

    def _ways(self, expr: ast.AST, path: Path) -> list[Way] | None:
        if isinstance(expr, ast.Call):
            return self._call(expr, path)
        if isinstance(expr, ast.Name):
            return self._alias(expr, path)
        if isinstance(expr, ast.Attribute):
            return self._attribute(expr, path)
        if isinstance(expr, (ast.Tuple, ast.List)) and path and isinstance(path[0], int):
            return (
                list(self.ways(expr.elts[path[0]], path[1:])) if path[0] < len(expr.elts) else None
            )
        if isinstance(expr, ast.Subscript):
            return self._entry(expr, path)
        if isinstance(expr, ast.IfExp):
            return self._all([self.ways(expr.body, path), self.ways(expr.orelse, path)])
        if isinstance(expr, ast.NamedExpr):
            return list(self.ways(expr.value, path))
        return None

    def _alias(self, name: ast.Name, path: Path) -> list[Way] | None:
        found = self._all(self._binding(b, path) for b in reaching(self._facts, name))
        return None if found is None else [(*way, Stage(name, is_whole=not path)) for way in found]

    @staticmethod
    def _all(groups: Iterable[tuple[Way, ...]]) -> list[Way] | None:
        found: list[Way] = []
        for group in groups:
            if not group:
                return None
            found += group
        return found

    def _binding(self, binding: Binding, path: Path) -> tuple[Way, ...]:
        if binding.kind == "param":
            return self.of_parameter(binding.node, path)
        if binding.kind != "assign" or binding.value is None:
            return ()
        return self.ways(binding.value, binding.path + path)

    def of_parameter(self, arg: ast.AST, path: Path = ()) -> tuple[Way, ...]:
        """The ways to what is passed for a parameter by every call."""
        function = self._facts.index.parents[self._facts.index.parents[arg]]
        sites = self._facts.call_sites(function)
        if not sites or self._facts.values.escapes(function):
            return ()
        given = [passed(call, function, arg, self._facts.classes) for call in sites]
        found = self._all([self.ways(v, path) if v is not None else () for v in given])
        return tuple(found or ())

    def _attribute(self, expr: ast.Attribute, path: Path) -> list[Way] | None:
        cls = self._facts.values.instance_of(expr.value)
        stores = self._facts.index.attribute_stores.get(expr.attr, [])
        own = [b for target, b in stores if self._facts.values.instance_of(target.value) is cls]
        if cls is None or len(own) != 1 or len(stores) != len(own):
            return None
        return [(*way, Stage(expr, is_whole=not path)) for way in self._binding(own[0], path)]

    def _has_endless_arms(self, call: ast.Call) -> bool:
        """Whether it joins datasets of which none ends."""
        arms = self.arms(call)
        return bool(arms) and all(ways and all(map(is_endless, ways)) for ways in arms)

    def arms(self, call: ast.Call) -> list[tuple[Way, ...]]:
        """The ways to each dataset that `zip` or `sample_from_datasets` joins."""
        name = (self._facts.name(call.func) or "").rpartition(".")[2]
        if name not in JOINING:
            return []
        stack, found = list(call.args[: 1 if name != "zip" else None]), []
        while stack:
            expr = stack.pop()
            if isinstance(expr, (ast.Tuple, ast.List)):
                stack += expr.elts
            else:
                found.append(self.ways(expr))
        return found

    def _entry(self, expr: ast.Subscript, path: Path) -> list[Way] | None:
        """`splits["train"]` of what `tfds.load` gave, or of a dictionary that is written out."""
        key = expr.slice.value if isinstance(expr.slice, ast.Constant) else None
        if not isinstance(key, (int, str)):
            return None
        held = self._facts.origins(expr.value).only
        if isinstance(held, ast.Dict):
            values = [v for k, v in zip(held.keys, held.values) if getattr(k, "value", None) == key]
            found = list(self.ways(values[0], path)) if len(values) == 1 else []
        else:
            found = list(self.ways(expr.value, (key, *path)))
        return [(*way, Stage(expr, is_whole=not path)) for way in found]

    def _call(self, call: ast.Call, path: Path) -> list[Way] | None:
        name = self._facts.name(call.func)
        if name is not None:
            is_source = role_of_name(name) is Role.DATASET or name in _SOURCES_ELSEWHERE
            endless = is_source and self._has_endless_arms(call)
            method = name.rpartition(".")[2]
            return [(Stage(call, method, not path, endless),)] if is_source else None
        function = self._facts.callee(call)
        if function is not None:
            values = [r.value for r in returns(function) if r.value is not None]
            found = self._all([self.ways(value, path) for value in values])
            return [
                (*way, Stage(call, is_whole=not path))
                for way in found or ()
                if self._is_of_call(way, call, function)
            ]
        if isinstance(call.func, ast.Attribute) and call.func.attr in METHODS and not path:
            return [(*way, Stage(call, call.func.attr)) for way in self.ways(call.func.value)]
        return None

    def _is_of_call(self, way: Way, call: ast.Call, function: ast.AST) -> bool:
        """Not where the dataset is what another call passes to the same function."""
        mine = _arguments(call)
        others = [
            argument
            for site in self._facts.call_sites(function)
            if site is not call
            for argument in _arguments(site)
        ]
        passes = [stage.expr for stage in way]
        return any(e in mine for e in passes) or not any(e in others for e in passes)


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(keyword.value for keyword in call.keywords)]
