"""The domain of datasets: by which ways, source first, the elements of a value come."""

from __future__ import annotations

import ast
from collections.abc import Hashable, Iterable, Iterator

from ...library.datasets import METHODS
from ...library.names import normal
from ...program.domain import Domain, Operands
from ...program.origins import Kind, Origin
from ...program.versions import Version
from ..facts import Facts
from ..roles import Role, role_of_name
from .links import NONE, NOTHING, UNKNOWN, Found, Links, PipelineStep, join

_SOURCES_ELSEWHERE = ("tensorflow_datasets.load",)
_PLACES = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
_BOXES = ("field", "rest", "all")


class Datasets:
    """The domain for one module."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self._links = Links()
        self._arguments: dict[ast.AST, dict[ast.expr, ast.AST]] = {}
        self.domain: Domain[Found] = Domain(
            NOTHING, UNKNOWN, join, self._create, suppose=self._suppose, at=self._at
        )

    def is_source(self, call: ast.AST | None, name: str | None = None) -> bool:
        """Whether it is a call of what makes a dataset of something else."""
        if not isinstance(call, ast.Call):
            return False
        if self._facts.role_of_factory(call) is Role.DATASET:
            return True
        name = name or self._facts.name(call.func)
        name = None if name is None else normal(name)
        return role_of_name(name) is Role.DATASET or name in _SOURCES_ELSEWHERE

    # -- what makes a dataset -----------------------------------------------------------------

    def _create(self, origin: Origin, operands: Operands[Found]) -> Found:
        if origin.kind is Kind.CONSTANT:
            return NONE if origin.name is None else UNKNOWN
        if origin.kind is Kind.MEMBER:
            return self._member(origin, operands)
        return self._call(origin, operands) if origin.kind is Kind.CALL else UNKNOWN

    def _suppose(self, origin: Origin, operands: Operands[Found]) -> Found:
        """A name may be known by what a star import binds, though nobody sees into it."""
        call = origin.node
        if not isinstance(call, ast.Call) or not self.is_source(call):
            return UNKNOWN
        return self._source(call, self._facts.name(call.func) or "")

    def _source(self, call: ast.Call, name: str) -> Found:
        is_factory = self._facts.role_of_factory(call) is not None  # its own name means nothing
        method = name if is_factory else name.rpartition(".")[2]
        return Found(frozenset({self._links.link(None, call, method)}))

    def _call(self, origin: Origin, operands: Operands[Found]) -> Found:
        call = origin.node
        if not isinstance(call, ast.Call):
            return UNKNOWN
        if self.is_source(call, origin.name):
            return self._source(call, origin.name or self._facts.name(call.func) or "")
        if not isinstance(call.func, ast.Attribute):
            return UNKNOWN
        method = call.func.attr
        if origin.name is not None or method not in METHODS:
            return UNKNOWN
        received = operands.of(origin, "receiver")
        if not received or not (received[0].links or received[0].lost):
            return UNKNOWN
        links = (self._links.link(link, call, method) for link in received[0].links)
        return received[0]._replace(links=frozenset(links), may_be_none=False)

    def _member(self, origin: Origin, operands: Operands[Found]) -> Found:
        """`splits["train"]`, or one of what is unpacked, of what `tfds.load` gave."""
        step = origin.name
        key = step[1] if isinstance(step, tuple) and step[0] == "[" else step
        is_text_key = isinstance(key, str) and step != key
        held = operands.of(origin, "of")
        if not (is_text_key or isinstance(key, int)) or not held:
            return UNKNOWN
        parts = [self._links.parts(link) for link in held[0].links]
        if not parts or None in parts:
            return UNKNOWN
        return held[0]._replace(links=frozenset(p for p in parts if p), may_be_none=False)

    # -- what a dataset passes ----------------------------------------------------------------

    def _at(self, key: Hashable, found: Found) -> Found:
        if not found.links:
            return found
        if isinstance(key, _PLACES):
            return self._at_place(key, found)
        if isinstance(key, Version):
            if key.path and isinstance(key.value, ast.Call):
                found = self._of_call(key.value, found)
            return self._remembered(found) if self._is_shared(key) else found
        if isinstance(key, tuple) and not isinstance(key[0], str):
            return found if key[1:] == ("result",) else self._remembered(found)
        is_box = isinstance(key, tuple) and key[0] in _BOXES
        return self._remembered(found) if is_box and self._outlives(key[1]) else found  # type: ignore[index]

    def _at_place(self, expr: ast.expr, found: Found) -> Found:
        if isinstance(getattr(expr, "ctx", None), (ast.Store, ast.Del)):
            return found
        call = expr.value if isinstance(expr, ast.Subscript) else expr
        if isinstance(call, ast.Call):
            found = self._of_call(call, found)
        whole, link = not found.may_be_none, self._links.link
        links = (each if each.expr is expr else link(each, expr, "", whole) for each in found.links)
        return found._replace(links=frozenset(links))

    def _is_shared(self, version: Version) -> bool:
        """Whether other functions, or other calls of this one, may see the variable too."""
        node = version.node
        if version.kind == "cell" or not isinstance(node, ast.Name):
            return version.kind == "cell"
        return self._facts.function(node) is not None and self._facts.scope(node).declares(node.id)

    def _outlives(self, origin: Hashable) -> bool:
        """Whether a container is there before and after a call of the function that uses it."""
        return not isinstance(origin, ast.AST) or self._facts.function(origin) is None

    def _remembered(self, found: Found) -> Found:
        links = (
            link if link.expr is None else self._links.link(link, None, "") for link in found.links
        )
        return found._replace(links=frozenset(links))

    # -- calls of one function ----------------------------------------------------------------

    def _of_call(self, call: ast.Call, found: Found) -> Found:
        """Without the datasets that only other calls pass to the same function."""
        arguments = self._calls_by_argument(call)
        if all(owner is call for owner in arguments.values()):
            return found
        links = frozenset(link for link in found.links if _site(link, arguments) in (call, None))
        return found._replace(links=links) if links else found._replace(is_complete=False)

    def _calls_by_argument(self, call: ast.Call) -> dict[ast.expr, ast.AST]:
        """The arguments of all calls of the functions that a call runs, each with its call."""
        found: dict[ast.expr, ast.AST] = {}
        for function in self._facts.program.functions(call.func).nodes:
            if function not in self._arguments:
                sites = self._facts.program.call_sites(function).nodes  # type: ignore[arg-type]
                self._arguments[function] = dict(_arguments(sites))
            found.update(self._arguments[function])
        return found


def _arguments(calls: Iterable[ast.AST]) -> Iterator[tuple[ast.expr, ast.AST]]:
    for call in calls:
        if isinstance(call, ast.Call):
            for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
                yield argument, call


def _site(link: PipelineStep, arguments: dict[ast.expr, ast.AST]) -> ast.AST | None:
    """The call by which a dataset came into the function last; None if none can be told."""
    for each in link.back():
        if each.expr is None:
            return None
        if each.expr in arguments:
            return arguments[each.expr]
    return None
