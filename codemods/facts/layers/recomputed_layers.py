"""What rule D501 may rewrite so that layers are run again, and what is in its way (seed 004)."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ...library.rerun_loops import CHECKPOINT, HOLDS_CLASSES, INPUTS
from ...library.tensorflow_names import (
    CALLED_METHODS,
    LOGGING,
    MODEL,
    SEQUENTIAL,
    SYMBOLIC,
    UNLIKE_RECOMPUTATION,
)
from ...program.node_fields import within
from ...program.records import NamedTuple
from ..keras_version import is_keras_3
from ..setup.import_places import is_needed
from .any_loops import WHY, AnyLoop, any_loops
from .layer_calls import (
    Problem,
    changed_weights,
    is_of_keras,
    needs_training,
    nested_tapes,
    problems,
)
from .layer_lists import calls_back, elements, is_functional
from .layer_loops import (
    FEWEST,
    LayerLines,
    LayerLoop,
    StepLoop,
    home,
    is_decided,
    layer_lines,
    layer_loops,
    step_loops,
    tells_training,
)

if TYPE_CHECKING:
    from ..facts import Facts


# -- models that Keras runs layer by layer -------------------------------------------------------
# Models whose layers Keras runs one after another by itself, so that no loop stands anywhere.
#
# `Sequential`, and functional models in which every layer takes what the one before gave.

FEW = "so few layers are hardly worth it"
UNSEEN = "nobody can see all of its layers"
KEPT = "`{}` keeps the class of the model, and who loads it would need the new one"


class Chain(NamedTuple):
    """A model: `first` and `last` so many layers, which may not be run again, are left out."""

    call: ast.Call  # what makes it
    is_sequential: bool = True
    number: int = 0  # of its layers, 0: unknown
    first: int = 0
    last: int = 0
    repaired: tuple[Problem, ...] = ()
    wrong: str = ""


class Link(NamedTuple):
    """What makes a layer, or many of them, and what is in its way."""

    maker: ast.expr
    is_many: bool = False
    problems: tuple[Problem, ...] = ()

    @property
    def wrong(self) -> str:
        """Why it may not be run again."""
        found = (p for p in self.problems if not p.repair)
        return next((WHY[p.code].format(p.what) for p in found), "")


def chains(facts: Facts) -> Iterator[Chain]:
    """Every model that is made of layers in sight, and is no layer of another one."""
    if is_decided(facts):
        return
    kept = next(_keeps_class(facts), "")
    for call in facts.calls_of(SEQUENTIAL, MODEL):
        is_sequential = facts.name(call.func) == SEQUENTIAL
        if _is_part(facts, call) or not (is_sequential or is_functional(facts, call)):
            continue
        links = _links(facts, call) if is_sequential else _linked(facts, call)
        found = _chain(facts, Chain(call, is_sequential), links)
        yield found._replace(wrong=KEPT.format(kept)) if kept and not found.wrong else found


def _is_part(facts: Facts, call: ast.Call) -> bool:
    """Whether it is an element of a list, or an argument: a layer of something larger."""
    for parent in facts.parents(call):
        if isinstance(parent, ast.stmt):
            return False
        if isinstance(parent, (ast.List, ast.ListComp, ast.Tuple, ast.Call, ast.Dict)):
            return True
    return False


def _keeps_class(facts: Facts) -> Iterator[str]:
    """What writes down, or makes anew, models by the names of their classes."""
    for name in HOLDS_CLASSES:
        for use in facts.index.loads.get(name, ()):
            whole = use if name != CHECKPOINT else facts.parent(use)
            weights = getattr(whole, "keywords", ())
            if not any(k.arg == "save_weights_only" and _is_true(k.value) for k in weights):
                yield name


def _is_true(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


# -- Sequential ---------------------------------------------------------------------------------


def _linked(facts: Facts, call: ast.Call) -> list[Link] | str:
    """What makes the layers of a functional model, in their order."""
    found = calls_back(facts, call)
    return found if isinstance(found, str) else [Link(*each) for each in found]


def _links(facts: Facts, call: ast.Call) -> list[Link] | str:
    """What makes the layers of a `Sequential`, in their order."""
    given = facts.argument(call, "layers", 0)
    if facts.has_hidden_arguments(call) or {k.arg for k in call.keywords} - {"layers", "name"}:
        return UNSEEN
    listed = _listed(facts, given) if isinstance(given, ast.expr) else []
    added = _added(facts, call)
    return UNSEEN if listed is None or added is None else [*listed, *added]


def _listed(facts: Facts, given: ast.expr) -> list[Link] | None:
    """The elements of a list; those of a comprehension are many."""
    parts: list[list[Link] | None]
    if isinstance(given, (ast.List, ast.Tuple)):
        parts = [_listed(facts, each) for each in given.elts]
    elif isinstance(given, ast.Starred):
        return _listed(facts, given.value)
    elif isinstance(given, ast.Call):
        parts = [[Link(given)]]
    elif isinstance(given, ast.ListComp):
        parts = [[Link(given.elt, is_many=True)]]
    elif isinstance(given, ast.BinOp) and isinstance(given.op, ast.Add):
        parts = [_listed(facts, given.left), _listed(facts, given.right)]
    elif isinstance(given, (ast.Name, ast.Attribute)):
        made = elements(facts, given)
        known = made is not None and [Link(each, is_many=True) for each in made]
        parts = [known or ([Link(given)] if made is None else None)]
    else:
        return None
    return None if None in parts else [each for part in parts for each in part or ()]


def _added(facts: Facts, call: ast.Call) -> list[Link] | None:
    """What `add` puts behind them; None if something may be added or taken out of sight."""
    found: list[Link] = []
    for use in facts.calls("add", "pop"):
        assert isinstance(use.func, ast.Attribute)
        to = facts.origins(use.func.value)
        if call in to.nodes:
            if use.func.attr == "pop" or to.only is not call or len(use.args) != 1:
                return None
            found.append(Link(use.args[0], is_many=facts.in_loop(use)))
        elif to.unknown and use.func.attr == "add":
            return None
    return found


# -- what is run again --------------------------------------------------------------------------


def _chain(facts: Facts, chain: Chain, links: list[Link] | str) -> Chain:
    if isinstance(links, str):
        return chain._replace(wrong=links)
    every = [each for each in links if not _is_input(facts, each.maker)]
    every = [each._replace(problems=tuple(problems(facts, each.maker))) for each in every]
    first, last = _longest(every)
    run, behind = every[first:last], len(every) - last
    if not (_is_known(every[:first]) and _is_known(every[last:])) or _weight(run) < FEWEST:
        wrong = next((each.wrong for each in every if each.wrong), FEW)
        return chain._replace(wrong=wrong)
    number = len(run) if _is_known(run) else 0
    repaired = tuple(dict.fromkeys(p for each in run for p in each.problems))
    return chain._replace(number=number, first=first, last=behind, repaired=repaired)


def _longest(links: Sequence[Link]) -> tuple[int, int]:
    """The bounds of the longest run of layers that may be run again."""
    best, begin = (0, 0), 0
    for number in range(len(links) + 1):
        if number == len(links) or links[number].wrong:
            if _weight(links[begin:number]) > _weight(links[slice(*best)]):
                best = begin, number
            begin = number + 1
    return best


def _weight(links: Sequence[Link]) -> int:
    return sum(FEWEST if each.is_many else 1 for each in links)


def _is_known(links: Sequence[Link]) -> bool:
    """Whether it is known how many layers these are."""
    return not any(each.is_many for each in links)


def _is_input(facts: Facts, maker: ast.expr) -> bool:
    return isinstance(maker, ast.Call) and facts.name(maker.func) in INPUTS


# -- surroundings --------------------------------------------------------------------------------
# What else a program has that is not known to go together with recomputation.

# What a program has that is not known to go together with recomputation, by restriction.
MODULES = ("tensorflow.estimator.", "tensorflow.distribute.", "tensorflow.compat.v1.")
HARMLESS = (LOGGING,)
MASKS = ("mask_zero", "compute_mask", "supports_masking")


def around(facts: Facts) -> Iterator[Problem]:
    """Problems of the rest of the program, by restriction."""
    yield from _of_names(facts)
    if is_keras_3(facts) or (is_needed(facts) and not facts.options.distributes):
        yield Problem("C08", facts.module.body[0], "Keras 3")
    for call in facts.index.calls:
        for keyword in call.keywords:
            if keyword.arg == "jit_compile" and not _is_off(keyword.value):
                yield Problem("C07", keyword.value)
            elif keyword.arg in MASKS and not _is_off(keyword.value):
                yield Problem("C03", keyword.value, "a mask that travels beside the tensor")
    yield from nested_tapes(facts)
    yield from changed_weights(facts)


def _is_off(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and not value.value


def _of_names(facts: Facts) -> Iterator[Problem]:
    for node in within(facts.module):
        name = facts.name(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
        if name is None:
            continue
        for code, names in UNLIKE_RECOMPUTATION.items():
            if name in names:
                yield Problem(code, node, name.replace("tensorflow.", "tf.", 1))
        if name.startswith(MODULES) and not name.startswith(HARMLESS):
            yield Problem("C09", node, name.replace("tensorflow.", "tf.", 1))


# -- recomputation -------------------------------------------------------------------------------
# What rule D501 may rewrite, and what is in its way (seed 004).


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
    in_keras = any(CALLED_METHODS.get(base) == "call" for base in bases)
    return in_keras or not any(facts.calls_of(*SYMBOLIC))


def _has_tensorflow(facts: Facts, loop: ast.stmt) -> bool:
    """Whether the module tensorflow has a name before the statement of the module with the loop."""
    names = [name for name, full in facts.names.imports().items() if full == "tensorflow"]
    bindings = facts.bound(facts.module)
    top = [loop, *(p for p in facts.parents(loop) if isinstance(p, ast.stmt))][-1]
    return any(b.node.lineno < top.lineno for name in names for b in bindings[name])  # type: ignore[attr-defined]
