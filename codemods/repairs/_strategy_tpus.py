"""Code for TPUs beside a strategy for other devices: what is left of it where there are none.

https://www.tensorflow.org/guide/tpu: notebooks look for a TPU, and take another strategy where they
find none. Horovod has no collectives for TPUs.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from ..edits import At, DropBranch, Insert, LeaveBlock, Remove, Replace
from ..facts import Facts
from ..library.device_strategies import OF_TPUS
from ..program.node_fields import within

RESOLVER = "TPUClusterResolver"
NOTHING_FOUND = ("builtins.ValueError", "builtins.Exception", "builtins.BaseException")
REFUSAL = 'raise NotImplementedError("Horovod has no collectives for TPUs")\n'


class TpuFallbacks:
    """What goes of a program that looks for TPUs: `gone` are the nodes of it."""

    def __init__(self, facts: Facts) -> None:
        self._facts = facts
        self.named = [c for c in facts.index.calls if OF_TPUS.match(facts.name(c.func) or "")]
        self.gone: frozenset[ast.AST] = frozenset()
        self._tries = dict(self._found_tries())
        self._note(each for block in self._tries for each in block.body)
        self._branches = list(self._found_branches())
        self._note(each for _, lost, _ in self._branches for each in lost)
        self._refused = list(self._found_refused())
        self._note(each for choice in self._refused for each in choice.body)

    def _note(self, places: Iterator[ast.AST]) -> None:
        self.gone |= {inner for place in places for inner in within(place)}

    def _left(self) -> Iterator[ast.Call]:
        return (call for call in self.named if call not in self.gone)

    def _found_tries(self) -> Iterator[tuple[ast.Try, list[ast.stmt]]]:
        """Those that look for a TPU, with what is done where there is none."""
        for call in self.named:
            if RESOLVER in (self._facts.name(call.func) or ""):
                around = [each for each in self._facts.parents(call) if isinstance(each, ast.Try)]
                if around and self._is_fallback(around[0], call):
                    yield around[0], around[0].handlers[0].body

    def _is_fallback(self, block: ast.Try, call: ast.Call) -> bool:
        is_in_body = any(call in within(each) for each in block.body)
        if not is_in_body or block.finalbody or len(block.handlers) != 1:
            return False
        handler = block.handlers[0]
        does_go_on = not any(isinstance(each, ast.Raise) for each in handler.body)
        return does_go_on and handler.name is None and self._is_for_none(handler.type)

    def _is_for_none(self, kind: ast.expr | None) -> bool:
        kinds = kind.elts if isinstance(kind, ast.Tuple) else [kind]
        return kind is None or any(self._facts.name(k) in NOTHING_FOUND for k in kinds if k)

    def _found_branches(self) -> Iterator[tuple[ast.If | ast.IfExp, list[ast.AST], bool]]:
        """Choices by whether there is a TPU, what goes of each, and whether that is its `else`."""
        index = self._facts.index
        every: list[ast.If | ast.IfExp] = [*index.nodes(ast.If), *index.nodes(ast.IfExp)]
        for choice in every:
            found = self._asks(choice.test) if self._tries else None
            if found is not None and choice not in self.gone:
                lost = choice.body if found else choice.orelse
                yield choice, [*lost] if isinstance(lost, list) else [lost], not found

    def _asks(self, test: ast.expr) -> bool | None:
        """True for `if tpu:`, False for `if not tpu:`, None for any other question."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            found = self._asks(test.operand)
            return None if found is None else not found
        if isinstance(test, ast.Compare) and ast.unparse(test.comparators[0]) == "None":
            is_one = self._is_found(test.left) and len(test.ops) == 1
            by = {ast.Is: False, ast.IsNot: True, ast.Eq: False, ast.NotEq: True}
            return by.get(type(test.ops[0])) if is_one else None
        return True if self._is_found(test) else None

    def _is_found(self, expr: ast.expr) -> bool:
        """Whether it is what was found of TPUs, or None."""
        if not isinstance(expr, (ast.Name, ast.Attribute)):
            return False
        found = self._facts.origins(expr)
        others = [node for node in found.nodes if node not in self.gone]
        is_none = all(isinstance(n, ast.Constant) and not n.value for n in others)
        return found.complete and is_none and len(others) < len(found.nodes)

    def _found_refused(self) -> Iterator[ast.If]:
        """Choices of a TPU by an option: whoever asks for one is told that there is none."""
        for call in self._left():
            around = (each for each in self._facts.parents(call) if isinstance(each, ast.If))
            choice = next((each for each in around if call in within_all(each.body)), None)
            if choice is not None and RESOLVER in ast.unparse(ast.Module(choice.body, [])):
                yield choice

    def unknown(self) -> Iterator[ast.AST]:
        """What of it is left, and choices that can't be taken out."""
        yield from (each for each, _, _ in self._branches if self._is_elif(each))
        yield from self._left()

    def _is_elif(self, choice: ast.AST) -> bool:
        parent = self._facts.parent(choice)
        if not isinstance(parent, ast.If) or parent.orelse != [choice]:
            return False
        return self._text(choice).startswith("elif")

    def _text(self, node: ast.AST) -> str:
        source = self._facts.source
        return source.text[slice(*source.offsets(node))]

    def edits(self, gone: set[ast.stmt], new: Mapping[ast.expr, str]) -> Iterator[At]:
        """What takes it out; `gone` go for other reasons, `new` are expressions with new code."""
        for block, instead in self._tries.items():
            yield from self._in_place(block, instead)
        for choice, _, is_else in self._branches:
            if choice not in gone:
                left = choice.body if is_else else choice.orelse
                yield from self._chosen(choice, left, new)
        for choice in dict.fromkeys(self._refused):
            yield At(choice.body[0], Insert(before=REFUSAL))
            yield from (At(each, Remove()) for each in choice.body)

    def _in_place(self, block: ast.stmt, instead: list[ast.stmt]) -> Iterator[At]:
        if instead and not all(isinstance(each, ast.Pass) for each in instead):
            yield At(block, LeaveBlock(), tuple(instead))
        yield At(block, Remove())

    def _chosen(
        self,
        choice: ast.If | ast.IfExp,
        instead: list[ast.stmt] | ast.expr,
        new: Mapping[ast.expr, str],
    ) -> Iterator[At]:
        if isinstance(instead, ast.expr):
            yield At(choice, Replace(new.get(instead) or self._text(instead)))
        elif instead and isinstance(instead[0], ast.If) and self._is_elif(instead[0]):
            yield At(choice, DropBranch())
        elif isinstance(choice, ast.If):
            yield from self._in_place(choice, instead)


def within_all(statements: list[ast.stmt]) -> set[ast.AST]:
    """The nodes of several statements."""
    return {inner for each in statements for inner in within(each)}
