"""State that a worker computes from its own batches, and that the training reads.

Data, streams of chance, metrics and moving statistics are *private*: they differ, and are read by
themselves, by inference, or as averages. A codebook, a scale that follows the losses, a number that
changes when a loss is small are read by the next step: gradients are averaged, but they are those
of another training on each worker.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property
from typing import Callable

from ..library import updates as table
from ..library.agreement import OF_SHAPES, SHARED_MEMBERS, WORLD, gives
from ..library.collectives import collective
from ..library.names import KERAS, normal
from ..program.node_fields import within
from ..program.parts import methods
from ..program.program import Program
from ..program.records import NamedTuple
from .beside import Beside
from .own import Level, Owners

_PASS = ("call", "__call__", "compute_loss")  # of layers and models, what they are asked by
_GIVEN = (*_PASS, "train_step")
_KINDS = ("data", "rank", "model", "chance", "clock")
_OF_BATCHES = ("on_train_batch_end", "on_batch_end", "on_train_batch_begin", "on_batch_begin")


class State(NamedTuple):
    """A change of such a state, and the batch that it comes from."""

    place: ast.AST
    batch: ast.AST


class States:
    """The states of one program that its training reads, and how they change."""

    def __init__(
        self, program: Program, tree: ast.Module, beside: Beside, owners: Callable[[], Owners]
    ) -> None:
        self._program, self._beside, self._owners = program, beside, owners
        self._nodes = list(within(tree))
        self._calls = [node for node in self._nodes if isinstance(node, ast.Call)]

    def own(self) -> Iterator[State]:
        """The changes by what a worker sees of its own batches."""
        for place, values in (*self._assigned(), *self._carried()):
            asked = (*values, *self._beside.tests(place))
            batch = next((found for each in asked for found in self._batches(each)), None)
            if batch is not None:
                yield State(place, batch)

    # -- what the training reads ------------------------------------------------------------------

    @cached_property
    def _read(self) -> frozenset[ast.AST]:
        """The syntax that a loss, or what a layer gives, is computed with."""
        asked = [*self._losses(), *self._given_back()]
        asked = [each for each in asked if each not in self._idle]
        found = self._program.ingredients_of(asked, self._idle.__contains__) if asked else ()
        return frozenset(found) - self._idle

    @cached_property
    def _idle(self) -> frozenset[ast.AST]:
        """The syntax that runs in inference alone: BatchNorm reads its moving statistics there."""
        return frozenset(
            node
            for block in self._nodes
            for part in (*_other_mode(block), *_behind_training(block))
            for node in within(part)
        )

    def _losses(self) -> Iterator[ast.expr]:
        """What gradients are taken of, by a tape or by the optimizer."""
        for call in self._calls:
            method = getattr(call.func, "attr", "")
            if method == "gradient":
                named = [k.value for k in call.keywords if k.arg == "target"]
                yield from [*call.args[:1], *named][:1]
            elif method == "minimize":
                functions = self._program.functions(call.args[0]).nodes if call.args else ()
                yield from (value for each in functions for value in _results(each))

    def _given_back(self) -> Iterator[ast.expr]:
        """What methods of layers and models give, and losses that `compile` gets."""
        for cls in (node for node in self._nodes if isinstance(node, ast.ClassDef)):
            if self._is_of_keras(cls):
                yield from (value for each in methods(cls, _PASS) for value in _results(each))
        for call in self._calls:
            if getattr(call.func, "attr", "") == "compile":
                losses = [k.value for k in call.keywords if k.arg == "loss"] or call.args[1:2]
                found = [f for each in losses for f in self._program.functions(each).nodes]
                yield from (value for each in found for value in _results(each))

    def _is_of_keras(self, cls: ast.ClassDef) -> bool:
        names = (normal(name) for base in cls.bases for name in self._program.names(base))
        return any(name.startswith(KERAS) for name in names)

    # -- changes ----------------------------------------------------------------------------------

    def _assigned(self) -> Iterator[tuple[ast.AST, tuple[ast.expr, ...]]]:
        """The calls that assign a variable, or tell a metric, that the training reads."""
        for call in self._calls:
            target, values = self._target(call)
            if target is not None and {*self._program.origins(target).nodes} & self._read:
                yield call, tuple(values)

    def _target(self, call: ast.Call) -> tuple[ast.expr | None, list[ast.expr]]:
        given = [*call.args, *(k.value for k in call.keywords)]
        if any(map(table.sets_value, self._program.names(call.func))):
            return next(iter(given), None), given[1:]
        func = call.func
        if isinstance(func, ast.Attribute) and func.attr in table.OF_VARIABLES:
            return func.value, given
        if isinstance(func, ast.Attribute) and func.attr == "update_state":
            return func.value, given
        return (func, given) if given and self._is_metric(func) else (None, [])

    def _is_metric(self, func: ast.expr) -> bool:
        """Whether a metric itself is called: `mean(loss)`."""
        made = (each for each in self._program.origins(func).nodes if isinstance(each, ast.Call))
        names = (normal(name) for call in made for name in self._program.names(call.func))
        return any(name.startswith(f"{KERAS}.metrics.") for name in names)

    def _carried(self) -> Iterator[tuple[ast.AST, tuple[ast.expr, ...]]]:
        """Numbers that a round of a training loop leaves to the next one, whose loss reads them."""
        for loop in self._beside.loops:
            inside = list(within(loop))
            stores = (node for node in inside if isinstance(node, (ast.Assign, ast.AugAssign)))
            for store in stores:
                targets = store.targets if isinstance(store, ast.Assign) else [store.target]
                names = [each for each in targets if isinstance(each, ast.Name)]
                is_read = any(self._is_read_before(name, store, inside) for name in names)
                if is_read and self._is_number(store.value):
                    yield store, (store.value,)
                elif is_read and not self._is_shown(store.value, names):
                    yield store, ()

    def _is_read_before(self, target: ast.Name, stored: ast.stmt, inside: list[ast.AST]) -> bool:
        """Whether a round reads what the one before has left under a name.

        A function may be called before or behind: what is made of itself was there before.
        """
        own, round_ = {*within(stored)}, {*inside}
        before = [n for n in own if isinstance(n, ast.Name) and n.id == target.id]
        is_grown = any(own & {*self._program.ingredients(n)} - {n} for n in before)
        found = (
            n
            for n in self._read - own
            if isinstance(n, ast.Name) and n.id == target.id and isinstance(n.ctx, ast.Load)
            if (n.lineno < stored.lineno if n in round_ else is_grown)
        )
        return any(own & {*self._program.ingredients(n)} for n in found)

    def _is_number(self, value: ast.expr) -> bool:
        """Whether a value is one number of a batch, and nothing of its examples.

        What a world is told decides how it goes on there, and is no part of what it shows.
        """
        names = (
            normal(name).rpartition(".")[2] or getattr(node.func, "attr", "")
            for node in self._program.ingredients(value, self._is_of_world)
            if isinstance(node, ast.Call)
            for name in (*self._program.names(node.func), "")
        )
        return any(name in table.STATISTICS for name in names)

    def _is_of_world(self, node: ast.AST) -> bool:
        """`env.step(action)`: a call of what plays, or measures, outside of the program."""
        source = self._owners().of(node.func).source if isinstance(node, ast.Call) else None
        names = self._program.names(source.func) if isinstance(source, ast.Call) else ()
        return any(gives(normal(name)) == WORLD for name in names)

    def _is_shown(self, value: ast.expr, names: list[ast.Name]) -> bool:
        """Whether a value is what a world shows, in place of what it has shown before."""
        made = {*self._program.ingredients(value, self._is_of_world)}
        before = {n.id for n in made if isinstance(n, ast.Name)} & {name.id for name in names}
        return not before and any(map(self._is_of_world, made))

    # -- batches ----------------------------------------------------------------------------------

    def _batches(self, value: ast.expr) -> Iterator[ast.AST]:
        """What of its own batches a value comes from, unless it is averaged on the way."""
        found = self._program.ingredients(value, self._ends)
        yield from (node for node in found if node in self._handed)
        own = self._owners().of(value)
        is_first = own.source in self._beside.first_numbers  # which all get from worker 0
        if own.level is Level.OWN and own.kind in _KINDS and own.source and not is_first:
            yield own.source

    def _ends(self, node: ast.AST) -> bool:
        """Whether all workers get the same: averages, averaged gradients, what a shape says."""
        if isinstance(node, ast.Attribute):
            return node.attr in SHARED_MEMBERS
        names = self._program.names(node.func) if isinstance(node, ast.Call) else ()
        is_told = any(collective(n) is not None or normal(n) in OF_SHAPES for n in names)
        return is_told or node in self._handed or node in self._beside.averages

    @cached_property
    def _handed(self) -> frozenset[ast.AST]:
        """The batches that Keras hands to methods, and what it says of them."""
        functions = (node for node in self._nodes if isinstance(node, ast.FunctionDef))
        found: list[ast.arg] = []
        for each in functions:
            if each.name in _OF_BATCHES:
                found += (arg for arg in each.args.args if arg.arg == "logs")
            elif each.name in _GIVEN:
                found += each.args.args[1:2]
        return frozenset(found)


def _other_mode(node: ast.AST) -> Iterator[ast.AST]:
    """The arm of a choice by `training` that runs where nothing is trained."""
    if isinstance(node, (ast.If, ast.IfExp)) and _asks_mode(node.test):
        arm = node.body if _is_not(node.test) else node.orelse
        yield from arm if isinstance(arm, list) else [arm]


def _behind_training(node: ast.AST) -> Iterator[ast.AST]:
    """What follows `if training: return …` in its block."""
    body = node.body if isinstance(node, ast.FunctionDef) else []
    for number, each in enumerate(body):
        if isinstance(each, ast.If) and _asks_mode(each.test) and not _is_not(each.test):
            yield from body[number + 1 :] if isinstance(each.body[-1], ast.Return) else []


def _asks_mode(test: ast.expr) -> bool:
    return any(isinstance(node, ast.Name) and node.id == "training" for node in within(test))


def _is_not(test: ast.expr) -> bool:
    return isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)


def _results(function: ast.AST) -> Iterator[ast.expr]:
    """What a function gives."""
    if isinstance(function, ast.Lambda):
        yield function.body
    returned = (node for node in within(function) if isinstance(node, ast.Return))
    yield from (node.value for node in returned if node.value is not None)
