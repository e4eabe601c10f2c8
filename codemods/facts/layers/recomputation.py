"""What rule D501 may rewrite, and what is in its way (seed 004)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...program.records import NamedTuple
from .any_loops import AnyLoop, any_loops
from .chains import Chain, chains
from .layer_bodies import BASES, is_of_keras, needs_training, problems
from .layer_calls import Problem
from .layer_lines import LayerLines, layer_lines
from .layer_lists import elements
from .layer_loops import LayerLoop, home, layer_loops, tells_training
from .step_loops import StepLoop, step_loops
from .surroundings import around

if TYPE_CHECKING:
    from ..facts import Facts

SYMBOLIC = (
    "tensorflow.keras.Input",
    "tensorflow.keras.layers.Input",
    "tensorflow.keras.layers.InputLayer",
)


class Recomputation(NamedTuple):
    """The loops that may be rewritten, and the problems of the others; `left` are only named."""

    loops: tuple[LayerLoop, ...]
    problems: tuple[Problem, ...]
    steps: tuple[StepLoop, ...] = ()
    others: tuple[AnyLoop, ...] = ()
    left: tuple[AnyLoop, ...] = ()
    lines: tuple[LayerLines, ...] = ()
    chains: tuple[Chain, ...] = ()
    alone: tuple[Chain, ...] = ()  # that stay as they are

    @property
    def repaired(self) -> tuple[Problem, ...]:
        """What would not be the same in every run, each once, in the order of the text."""
        found: list[Problem] = []
        for parts in (self.loops, self.others, self.lines, self.chains):
            found += (problem for part in parts for problem in part.repaired)
        return tuple(sorted(dict.fromkeys(found), key=_place))


def _place(problem: Problem) -> tuple[int, int]:
    node = problem.node
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def recomputation(facts: Facts) -> Recomputation:
    """Every loop over layers or time, and what is in its way, in the rest of the program, too."""
    return facts.record(_recomputation)


def _recomputation(facts: Facts) -> Recomputation:
    every = {loop.node: _placed(facts, loop) for loop in any_loops(facts)}
    found: list[LayerLoop] = []
    steps: list[StepLoop] = []
    wrong: list[Problem] = []
    for loop in layer_loops(facts):
        if _is_inside(facts, loop.node, every):
            continue
        loop, own = _repaired(facts, loop, list(_of_loop(facts, loop)))
        if not own or not _is_right(every.get(loop.node)):
            every.pop(loop.node, None)
            wrong += own
            found += [] if own else [loop]
    for step in step_loops(facts):
        if _is_inside(facts, step.node, every):
            continue
        own = list(_of_steps(facts, step))
        if not own or not _is_right(every.get(step.node)):
            every.pop(step.node, None)
            wrong += own
            steps += [] if own else [step]
    others = tuple(filter(_is_right, every.values()))
    left = tuple(each for each in every.values() if each.wrong)
    lines = tuple(_lines(facts, every))
    models = tuple(chains(facts))
    run, alone = (tuple(m for m in models if bool(m.wrong) is is_left) for is_left in (False, True))
    if found or steps or others or lines or run:
        wrong += around(facts)
    if wrong:
        return Recomputation((), tuple(wrong), left=left, alone=alone)
    every_one = Recomputation(
        tuple(found), (), tuple(steps), others, left, lines, chains=run, alone=alone
    )
    return _alone(every_one, facts.options.loop) if facts.options.loop else every_one


def _repaired(
    facts: Facts, loop: LayerLoop, wrong: list[Problem]
) -> tuple[LayerLoop, list[Problem]]:
    """The loop and its problems, but for what can be repaired: layers are told if they train."""
    if not wrong or not all(problem.repair for problem in wrong):
        return loop, wrong
    is_asked = loop.training is None and any(map(needs_training, wrong))
    made = elements(facts, loop.layers) or []
    are_layers = all(is_of_keras(facts, each) for each in made)
    is_told = is_asked and are_layers and tells_training(facts, loop.node)
    if is_asked and not is_told:
        return loop, wrong
    return loop._replace(is_told=is_told, repaired=tuple(dict.fromkeys(wrong))), []


def _alone(found: Recomputation, line: int) -> Recomputation:
    """The loop in a line alone, to measure what it keeps."""
    return found._replace(
        loops=tuple(each for each in found.loops if each.node.lineno == line),
        steps=tuple(each for each in found.steps if each.node.lineno == line),
        others=tuple(each for each in found.others if each.node.lineno == line),
        lines=tuple(each for each in found.lines if each.node.lineno == line),
        chains=tuple(each for each in found.chains if each.call.lineno == line),
    )


def _lines(facts: Facts, every: dict[ast.For | ast.While, AnyLoop]) -> Iterator[LayerLines]:
    """The layers that are run line after line, but for those inside of a step."""
    for each in layer_lines(facts):
        is_placed = not any(True for _ in _of_place(facts, each.node))
        if is_placed and not _is_inside(facts, each.node, every):
            yield each


def _is_right(loop: AnyLoop | None) -> bool:
    return loop is not None and not loop.wrong


def _is_inside(facts: Facts, node: ast.AST, every: dict[ast.For | ast.While, AnyLoop]) -> bool:
    """Whether a loop is a part of a step of another one."""
    return any(_is_right(every.get(p)) for p in facts.parents(node))  # type: ignore[call-overload]


def _placed(facts: Facts, loop: AnyLoop) -> AnyLoop:
    """The loop, left if it can't be rewritten where it stands."""
    problem = next(_of_place(facts, loop.node), None)
    is_wrong = problem is not None and not loop.wrong
    return loop._replace(wrong=problem.what) if is_wrong and problem else loop


def _of_loop(facts: Facts, loop: LayerLoop) -> Iterator[Problem]:
    if loop.wrong:
        yield Problem("C04", loop.node, loop.wrong)
        return
    if loop.more:
        yield Problem("C03", loop.node, loop.more)
    made = elements(facts, loop.layers)
    if made is None:
        yield Problem("C05", loop.layers, ast.unparse(loop.layers))
        return
    for element in made:
        yield from problems(facts, element)
    yield from _of_place(facts, loop.node)


def _of_steps(facts: Facts, loop: StepLoop) -> Iterator[Problem]:
    if loop.wrong:
        yield Problem("C04", loop.node, loop.wrong)
        return
    yield from problems(facts, loop.cell)
    yield from _of_place(facts, loop.node)


def _of_place(facts: Facts, loop: ast.stmt) -> Iterator[Problem]:
    if not _has_tensorflow(facts, loop):
        yield Problem("C09", loop, "no `import tensorflow as tf` stands above this")
    if not _is_run_on_tensors(facts, loop):
        yield Problem("C09", loop, "a functional model")


def _is_run_on_tensors(facts: Facts, loop: ast.stmt) -> bool:
    """Whether the loop sees tensors, and not the placeholders of a functional model."""
    cls = home(facts, loop)
    bases = () if cls is None else facts.classes.library_bases(cls)
    in_keras = any(BASES.get(base) == "call" for base in bases)
    return in_keras or not any(facts.calls_of(*SYMBOLIC))


def _has_tensorflow(facts: Facts, loop: ast.stmt) -> bool:
    """Whether the module tensorflow has a name before the statement of the module with the loop."""
    names = [name for name, full in facts.names.imports().items() if full == "tensorflow"]
    bindings = facts.index.scopes[facts.module].bindings
    top = [loop, *(p for p in facts.parents(loop) if isinstance(p, ast.stmt))][-1]
    return any(b.node.lineno < top.lineno for name in names for b in bindings[name])  # type: ignore[attr-defined]
