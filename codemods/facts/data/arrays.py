"""What is certainly an array: something with a length that slices per example."""

from __future__ import annotations

import ast

from ...library.roles import gives
from ...program.creations import Creation
from ...program.node_fields import children
from ..facts import Facts
from ..reaching import reaching
from ..roles import Role

_NO_ARRAYS = frozenset(
    ["tolist", "to_list", "to_dict", "items", "groupby", "iterrows", "itertuples", "keys"]
)
_PARTS_OF = frozenset(["values", "T", "data", "target", "images", "real", "imag", "iloc", "loc"])
_EVIDENCE = frozenset(["shape", "dtype", "ndim", "reshape", "astype"])


def is_array(facts: Facts, expr: ast.AST) -> bool:
    """Whether the value is an array wherever it comes from; what may be a dataset is none."""
    return Role.DATASET not in facts.roles(expr) and _Arrays(facts).is_array(expr)


class _Arrays:
    """One question, with the answers found on the way."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._known: dict[ast.AST, bool] = {}

    def is_array(self, expr: ast.AST) -> bool:
        if expr not in self._known:
            self._known[expr] = True  # `x = x / 255` asks about itself
            self._known[expr] = self._decide(expr)
        return self._known[expr]

    def _decide(self, expr: ast.AST) -> bool:
        last = self._last_value(expr)
        if last is not None and self.is_array(last):
            return True
        origins = self._facts.origins(expr)
        known = origins.complete and bool(origins.items) and all(map(self._origin, origins.items))
        return known or self._is_used_as_one(expr)

    def _last_value(self, expr: ast.AST) -> ast.AST | None:
        """What the name was bound to last: a list of lists before it was padded doesn't count."""
        bindings = reaching(self._facts, expr) if isinstance(expr, ast.Name) else ()
        is_assigned = len(bindings) == 1 and bindings[0].kind == "assign" and not bindings[0].path
        return bindings[0].value if is_assigned else None

    def _origin(self, origin: Creation) -> bool:
        node, path = origin.node, origin.path
        if isinstance(node, ast.Call):
            return self._call(node, bool(path))
        if isinstance(node, ast.Constant):
            return node.value is None  # `x = None` first
        if isinstance(node, ast.AugAssign):
            return self.is_array(node.target) or self.is_array(node.value)
        if path:
            return isinstance(node, ast.Name) and self._is_used_as_one(node)
        if isinstance(node, (ast.BinOp, ast.UnaryOp, ast.Compare)):
            return any(self.is_array(e) for e in children(node) if isinstance(e, ast.expr))
        if isinstance(node, ast.Subscript):
            return self.is_array(node.value) or self._is_entry(node.value)
        if isinstance(node, ast.Attribute):
            return node.attr in _PARTS_OF and self._holds_arrays(node.value)
        return False

    def _call(self, node: ast.Call, is_part: bool) -> bool:
        name = self._facts.name(node.func)
        if name is not None:
            made = gives(name)
            if is_part:  # of several arrays one is taken
                return made == "arrays" or (made == "array" and name.startswith("numpy."))
            return made in ("array", "table")
        if not isinstance(node.func, ast.Attribute):
            return False
        if node.func.attr in ("values", "items") and is_part:
            return set(self._makers(node.func.value)) == {"numpy.load"}
        if is_part:
            return False
        if self._gives(node.func.value, "random generator"):
            return True
        if node.func.attr in ("numpy", "toarray", "todense", "to_numpy"):
            return True
        if node.func.attr in ("fit_transform", "transform"):
            return self._gives(node.func.value, "dense transformer")
        return node.func.attr not in _NO_ARRAYS and self.is_array(node.func.value)

    def _is_entry(self, table: ast.expr) -> bool:
        """A value of a dictionary that is written out and holds nothing but arrays."""
        held = self._facts.origins(table).only
        return (
            isinstance(held, ast.Dict)
            and bool(held.values)
            and all(map(self.is_array, held.values))
        )

    def _holds_arrays(self, expr: ast.AST) -> bool:
        """A table, or what scikit-learn's loaders give."""
        return self.is_array(expr) or self._is_of_sklearn(expr)

    def _gives(self, expr: ast.AST, role: str) -> bool:
        names = self._makers(expr)
        return bool(names) and all(gives(name) == role for name in names)

    def _is_of_sklearn(self, expr: ast.AST) -> bool:
        names = self._makers(expr)
        return bool(names) and all(name.startswith("sklearn.datasets.") for name in names)

    def _makers(self, expr: ast.AST) -> list[str]:
        """The names of what is called to make the value, empty for what has none."""
        nodes = self._facts.origins(expr).nodes
        return [self._facts.name(n.func) or "" for n in nodes if isinstance(n, ast.Call)]

    def _is_used_as_one(self, expr: ast.AST) -> bool:
        """`x.shape` or `x.astype(…)` stands somewhere: no list, dataset or generator has these."""
        name = expr.id if isinstance(expr, ast.Name) else getattr(expr, "attr", None)
        for use in self._facts.index.loads.get(name or "", ()):
            parent = self._facts.parent(use)
            if (
                isinstance(parent, ast.Attribute)
                and parent.attr in _EVIDENCE
                and self._is_same(use, expr)
            ):
                return True
        return False

    def _is_same(self, use: ast.AST, expr: ast.AST) -> bool:
        if isinstance(expr, ast.Name) and isinstance(use, ast.Name):
            return self._facts.names.bindings(use) == self._facts.names.bindings(expr)
        if isinstance(expr, ast.Attribute) and isinstance(use, ast.Attribute):
            return self._facts.cls(use) is self._facts.cls(expr) and ast.dump(use) == ast.dump(expr)
        return False
