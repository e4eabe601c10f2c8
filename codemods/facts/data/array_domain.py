"""The domain of arrays: whether a value is one, wherever it comes from.

A value is described by words, one for each way on which it may come; `None` is nothing yet.
"""

from __future__ import annotations

import ast
from collections.abc import Hashable
from functools import partial
from typing import Callable

from ...library.names import normal
from ...library.roles import gives
from ...program.core import SLICE
from ...program.domain import Domain, Operands
from ...program.origins import Kind, Origin
from ...program.things import Box
from ...program.versions import ENTER, Step
from ..facts import Facts

Words = frozenset[str]

NOTHING: Words = frozenset()
UNKNOWN: Words = frozenset({"unknown"})
ARRAY: Words = frozenset({"array"})
# A tuple or list of the program: the engine follows its elements to where they are read.
CONTAINER: Words = frozenset({"container"})
# "part" is one of several arrays, "used" what is used as an array; "file" is one of NumPy's.
ARRAYS: Words = frozenset({"none", "array", "table", "file", "of numpy", "part", "used"})

_HOLDERS = ARRAYS | {"loaded data"}  # which scikit-learn's loaders give
_OF_ARRAYS = frozenset(["arrays", "loaded data", "file", "of numpy", "part", "used"])
_NO_ARRAYS = frozenset(
    ["tolist", "to_list", "to_dict", "items", "groupby", "iterrows", "itertuples", "keys"]
)
_CONVERSIONS = frozenset(["numpy", "toarray", "todense", "to_numpy"])
_PARTS = frozenset(["values", "T", "data", "target", "images", "real", "imag", "iloc", "loc"])
_EVIDENCE = frozenset(["shape", "dtype", "ndim", "reshape", "astype"])
_OPERATORS = (ast.BinOp, ast.AugAssign, ast.UnaryOp, ast.Compare)


class Arrays:
    """The domain for one module."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        uses = (node.value for node in facts.index.nodes(ast.Attribute) if node.attr in _EVIDENCE)
        self._used = {self._variable(use) for use in uses} - {None}
        self.domain: Domain[Words] = Domain(
            NOTHING, UNKNOWN, frozenset.union, self._create, suppose=self._create, at=self._at
        )

    def _at(self, key: Hashable, words: Words) -> Words:
        """`x.shape` or `x.astype(…)` stands somewhere: no list, dataset or generator has these."""
        if words <= ARRAYS or not isinstance(key, (ast.Name, ast.Attribute)):
            return words
        return frozenset({"used"}) if self._variable(key) in self._used else words

    def _variable(self, expr: ast.AST) -> Hashable:
        """The variable that a name stands for, or the attribute and the class around it."""
        dotted, name = [], expr
        while isinstance(name, ast.Attribute):
            dotted.append(name.attr)
            name = name.value
        if not isinstance(name, ast.Name):
            return None
        if dotted:
            return self._facts.cls(expr), name.id, *dotted
        return self._facts.scope(name).find(name.id), name.id

    def _create(self, origin: Origin, operands: Operands[Words]) -> Words:
        if origin.kind is Kind.CONSTANT:
            return frozenset({"none"}) if origin.name is None else UNKNOWN
        if isinstance(origin.thing, Box):
            return CONTAINER
        if origin.kind is Kind.COMPUTED:
            return _computed(origin, operands)
        if origin.kind is Kind.MEMBER or (origin.kind is Kind.UNKNOWN and origin.name is not None):
            received = [words - CONTAINER for words in operands.of(origin, "of")]
            return _each(received, partial(_part, origin.name))
        return self._call(origin, operands) if isinstance(origin.node, ast.Call) else UNKNOWN

    def _call(self, origin: Origin, operands: Operands[Words]) -> Words:
        func = origin.node.func  # type: ignore[union-attr]
        name = origin.name or self._facts.name(func)
        if name is not None:
            return _named(normal(name))
        if not isinstance(func, ast.Attribute):
            return UNKNOWN
        if func.attr in _CONVERSIONS:
            return ARRAY
        return _each(operands.of(origin, "receiver"), partial(_method, func.attr))


def _computed(origin: Origin, operands: Operands[Words]) -> Words:
    """An operator on an array gives an array, whatever the other operand is."""
    parts = operands.of(origin)
    if not isinstance(origin.node, _OPERATORS):
        return UNKNOWN
    if any(part and part <= ARRAYS for part in parts):
        return ARRAY
    return UNKNOWN if all(parts) else NOTHING


def _each(received: list[Words], row: Callable[[str], str]) -> Words:
    """What becomes of a value, on each way on which it may come."""
    return frozenset(map(row, received[0])) if received else UNKNOWN


def _named(name: str) -> Words:
    found = gives(name)
    if name.startswith("sklearn.datasets."):
        found = "loaded data"
    elif name == "numpy.load":
        found = "file"
    elif found == "array" and name.startswith("numpy."):
        found = "of numpy"
    return frozenset({found}) if found is not None else UNKNOWN


def _method(method: str, word: str) -> str:
    """What a method gives."""
    if word == "dense transformer":
        return {"fit": word, "transform": "array", "fit_transform": "array"}.get(method, "unknown")
    if word == "file" and method in ("values", "items"):
        return "arrays"
    is_array = word == "random generator" or (word in ARRAYS and method not in _NO_ARRAYS)
    return "array" if is_array else "unknown"


def _part(step: Step, word: str) -> str:
    """What an attribute, an element or one of what is unpacked is; None has none of them."""
    if word == "none":
        return word  # an abstract method gives it: that way ends here
    if step == ENTER and word == "file":
        return word
    what, key = step if isinstance(step, tuple) else (None, None)
    if what == ".":
        return "array" if key in _PARTS and word in _HOLDERS else "unknown"
    if step == SLICE or what == "[":
        return _element(key, word)
    return "part" if word in _OF_ARRAYS else "unknown"


def _element(key: object, word: str) -> str:
    """`x[key]`; one of several arrays is an array, several of them are none."""
    if word in ARRAYS or (word == "loaded data" and key in _PARTS):
        return "array"
    is_several = word in ("arrays", "loaded data")
    return "part" if is_several and isinstance(key, int) else "unknown"
